"""Where readers of the log keep how far they are; an advisory lock says which process reads."""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection, OperationalError


class LockLostError(RuntimeError):
    """Another process may be reading: what was handled since must not be recorded here."""


class PostgresCheckpoints:
    """One session per reader, so that the lock and the position live and die together."""

    def __init__(self, url: str, *, lease_seconds: float | None = None) -> None:
        """Connect when the first reader asks.

        With a lease, a reader that neither saves nor renews for so long loses its lock: one that is
        stopped, or whose machine is gone, then holds up nobody.
        """
        self._url = url
        self._lease_seconds = lease_seconds
        self._sessions: dict[str, AsyncConnection[Any]] = {}

    async def acquire(self, name: str) -> int | None:
        """The position of a reader (0 at first), or None while another process reads."""
        await self.release(name)
        db = await AsyncConnection.connect(self._url, autocommit=True)
        # A position that is lost is only an older one: reactions may see a fact twice.
        await db.execute("SET synchronous_commit TO off")
        found = await db.execute(
            "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (f"reader {name}",)
        )
        row = await found.fetchone()
        if row is None or not row[0]:
            await db.close()
            return None
        if self._lease_seconds is not None:
            milliseconds = str(round(self._lease_seconds * 1_000))
            await db.execute(
                "SELECT set_config('idle_session_timeout', %s, false)", (milliseconds,)
            )
        self._sessions[name] = db
        found = await db.execute(
            "INSERT INTO checkpoints (name, position) VALUES (%s, 0) "
            "ON CONFLICT (name) DO UPDATE SET position = checkpoints.position RETURNING position",
            (name,),
        )
        row = await found.fetchone()
        return 0 if row is None else int(row[0])

    async def save(self, name: str, position: int) -> None:
        """Everything up to ``position`` is handled. Raises LockLostError."""
        db = self._sessions.get(name)
        if db is None:
            raise LockLostError(name)
        try:
            await db.execute(
                "UPDATE checkpoints SET position = %s WHERE name = %s AND position < %s",
                (position, name, position),
            )
        except OperationalError as error:
            raise LockLostError(name) from error

    async def renew(self, name: str) -> None:
        """Keep the lease without a new position. Raises LockLostError."""
        db = self._sessions.get(name)
        if db is None:
            raise LockLostError(name)
        try:
            await db.execute("SELECT 1")
        except OperationalError as error:
            raise LockLostError(name) from error

    async def release(self, name: str) -> None:
        """Let another process take over."""
        db = self._sessions.pop(name, None)
        if db is not None:
            await db.close()
