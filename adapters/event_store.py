"""The log in PostgreSQL: the port's promises kept by one table, one lock and group commit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Self
from uuid import UUID

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.answers import PostgresAnswers
from adapters.append_call import KeyRacedError
from adapters.appender import Appender
from adapters.batch import FactRow, Packed, as_selected, written
from adapters.codec import Codec, Upcasts
from adapters.liveness import alive
from adapters.notifier import Notifier
from adapters.sealing import DataKey, place
from adapters.tail import Tail
from adapters.vault import Pool, Vault
from kernel.gathering import Gathering
from kernel.ports.event_store import Append, History, Receipt, Recorded


ENVELOPE_BYTES = 150
KEY_ATTEMPTS = 5
POOL_SECONDS = 5
"""Who waits longer for a connection gets a 503: clients give up after 10 s (wire 29)."""
COLUMNS = (
    "position, stream, version, organization, owner, name, data, sealed, recorded_at, command_id,"
    " correlation_id, causation, actor, index"
)


class PostgresEventStore:
    """The event store of one process; implements kernel.ports.event_store.EventStore."""

    def __init__(self, url: str, pool: Pool, codec: Codec, vault: Vault) -> None:
        """Take an open pool; ``open`` makes one."""
        self.pool = pool
        self.codec = codec
        self.vault = vault
        self.answers = PostgresAnswers(pool, vault)
        self._notifier = Notifier(url)
        self._tail = Tail(self._read)
        self._appender = Appender(url, self._notifier, self._keep)
        self._loading: Gathering[UUID, History] = Gathering(self._load_gathered, most=200)
        self._heads: Gathering[None, int] = Gathering(self._head)

    @classmethod
    async def open(
        cls,
        url: str,
        facts: Mapping[str, type],
        upcasts: Upcasts,
        master_key: bytes,
        *,
        pool_size: int = 4,
    ) -> Self:
        """Connect to a migrated database. ``facts`` and ``upcasts`` are aggregates.catalog's."""
        pool: Pool = AsyncConnectionPool(
            url,
            connection_class=AsyncConnection[Any],
            kwargs={"autocommit": True, "prepare_threshold": 0},
            configure=_configure,
            check=alive,
            min_size=1,
            max_size=pool_size,
            timeout=POOL_SECONDS,
            open=False,
        )
        await pool.open(wait=True)
        return cls(url, pool, Codec(facts, upcasts), Vault(master_key, pool))

    async def close(self) -> None:
        """Finish the appends that wait, then disconnect."""
        await self._appender.close()
        await self._notifier.close()
        await self.answers.close()
        await self.pool.close()

    def on_append(
        self, callback: Callable[[int], None], wants: AbstractSet[type] | None = None
    ) -> None:
        """Call with the last position after each batch this process appends, at once.

        ``wants``: only after a batch with a fact of these types.
        """
        self._appender.on_append(callback, wants)

    @property
    def told_by(self) -> int | None:
        """The server process through which this one tells others of its appends, if it has."""
        return self._notifier.told_by

    async def load(self, stream: UUID) -> History:
        """All facts of a stream; concurrent loads share one query."""
        return await self._loading.submit(stream)

    async def load_many(self, streams: Iterable[UUID]) -> dict[UUID, History]:
        """The histories of many streams in one query; absent ones are empty."""
        wanted = list(dict.fromkeys(streams))
        rows = await self._fetch(
            "select stream, version, owner, name, data, sealed from events"
            " where stream = any(%b) order by stream, version",
            (wanted,),
        )
        keys = await self.vault.load(row[2] for row in rows if row[5] is not None)
        facts: dict[UUID, list[Any]] = {}
        owners: dict[UUID, UUID] = {}
        for stream, version, owner, name, data, sealed in rows:
            fact = self.opened(keys, (stream, version, owner, name, data, sealed))
            facts.setdefault(stream, []).append(fact)
            owners[stream] = owner
        return {
            stream: History(tuple(found), len(found), owners[stream])
            if (found := facts.get(stream))
            else History((), 0, None)
            for stream in wanted
        }

    async def append(self, command: Append) -> Receipt:
        """Append one command whole or not at all, together with whatever else waits.

        Raises VersionConflict, ClaimTaken, IdempotencyKeyTaken, Unavailable.
        """
        for _ in range(KEY_ATTEMPTS):
            packed = await self._pack(command)
            try:
                receipt = await self._appender.append(packed)
            except KeyRacedError:
                self._forget(packed)
                continue
            except BaseException:
                self._forget(packed)
                raise
            for subject, key, _ in packed.keys:
                self.vault.stored(subject, key)
            return receipt
        raise KeyRacedError

    async def read(self, after: int, limit: int) -> list[Recorded]:
        """Facts beyond a position, in order, at most ``limit``; readers at the head share them."""
        return await self._tail.read(after, limit)

    async def _read(self, after: int, limit: int) -> list[Recorded]:
        return await self._recorded(
            f"select {COLUMNS} from events where position > %s order by position limit %s",
            (after, limit),
        )

    async def command_facts(self, command_id: UUID) -> list[Recorded]:
        """The facts of one command, in order."""
        return await self._recorded(
            f"select {COLUMNS} from events where command_id = %s order by position", (command_id,)
        )

    async def recorded(self, stream: UUID) -> list[Recorded]:
        """All facts of a stream with their envelopes, oldest first."""
        return await self._recorded(
            f"select {COLUMNS} from events where stream = %s order by version", (stream,)
        )

    async def owned(self, owner: UUID, after: int, until: int, limit: int) -> list[Recorded]:
        """What an owner owns beyond a position and up to another, in order, at most ``limit``."""
        return await self._recorded(
            f"select {COLUMNS} from events where owner = %s and position > %s and position <= %s"
            " order by position limit %s",
            (owner, after, until, limit),
        )

    async def head(self) -> int:
        """The last position that is committed; who asks at the same time shares a query."""
        return await self._heads.submit(None)

    async def _head(self, asked: list[None]) -> list[int]:
        [(position,)] = await self._fetch("select coalesce(max(position), 0) from events", ())
        return [int(position)] * len(asked)

    async def secret(self, secret: UUID) -> bytes | None:
        """A secret that facts name by id; None when there is none."""
        rows = await self._fetch("select sealed from secrets where id = %s", (secret,))
        return self.vault.master.open(secret, rows[0][0]) if rows else None

    async def drop_secrets(self, secrets: Collection[UUID]) -> None:
        """Forget secrets for good; what is gone already stays so."""
        async with self.pool.connection() as db:
            await db.execute("delete from secrets where id = any(%s)", (list(secrets),))

    def _keep(self, before: int, stored: Sequence[tuple[Packed, Receipt]]) -> None:
        """Who reads at the head gets what was appended here without asking the server."""
        if not self._tail.ends_at(before):
            return
        for packed, receipt in stored:
            keys = {subject: key for subject, key, _ in packed.keys}
            self._tail.add(self._opened(keys, as_selected(packed, receipt)))

    def _forget(self, packed: Packed) -> None:
        for subject, _, _ in packed.keys:
            self.vault.forget(subject)

    async def _load_gathered(self, streams: list[UUID]) -> Sequence[History]:
        found = await self.load_many(streams)
        return [found[stream] for stream in streams]

    async def _recorded(self, query: str, values: tuple[Any, ...]) -> list[Recorded]:
        rows = await self._fetch(query, values)
        keys = await self.vault.load(row[4] for row in rows if row[7] is not None)
        return self._opened(keys, rows)

    def _opened(
        self, keys: Mapping[UUID, DataKey], rows: Iterable[tuple[Any, ...]]
    ) -> list[Recorded]:
        newest = self.codec.newest
        return [
            Recorded(
                row[0],
                row[1],
                row[2],
                row[3],
                row[4],
                self.opened(keys, (row[1], row[2], row[4], row[5], row[6], row[7])),
                newest(row[5]),
                *row[8:],
            )
            for row in rows
        ]

    def opened(self, keys: Mapping[UUID, DataKey], row: tuple[Any, ...]) -> Any:
        """The fact of (stream, version, owner, name, data, sealed)."""
        stream, version, owner, name, data, sealed = row
        personal = None
        if sealed is not None and (key := keys.get(owner)) is not None:
            personal = key.open(sealed, place(stream, version))
        return self.codec.decode(name, data, personal)

    async def _pack(self, command: Append) -> Packed:
        facts: list[FactRow] = []
        expects = dict(command.guards)
        versions: dict[UUID, int] = {}
        keys: dict[UUID, DataKey] = {}
        size = 0
        tail = (
            command.organization,
            command.command_id,
            command.correlation_id,
            command.causation,
            command.actor,
        )
        for index, new in enumerate(command.facts):
            version = versions.get(new.stream, new.expected) + 1
            versions[new.stream] = version
            expects.setdefault(new.stream, new.expected)
            name, data, personal = self.codec.encode(new.fact)
            sealed = None
            if personal is not None:
                key = keys.get(new.owner) or await self._key(new.owner, fresh=_is_first(new))
                keys[new.owner] = key
                sealed = key.seal(personal, place(new.stream, version))
            facts.append((new.stream, version, index, new.owner, name, data, sealed, *tail))
            size += len(data) + len(sealed or b"") + ENVELOPE_BYTES
        return Packed(
            command,
            tuple(facts),
            expects,
            written(command) | {("key", owner) for owner, key in keys.items() if not key.stored},
            tuple((owner, key, not key.stored) for owner, key in keys.items()),
            tuple((s.id, self.vault.master.seal(s.id, s.value)) for s in command.secrets),
            size,
        )

    async def _key(self, owner: UUID, *, fresh: bool) -> DataKey:
        return await self.vault.to_seal(owner, fresh=fresh)

    async def _fetch(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        async with self.pool.connection() as db:
            cursor = await db.execute(query, values, binary=True)
            return await cursor.fetchall()


def _is_first(new: Any) -> bool:
    return bool(new.expected == 0 and new.stream == new.owner)


async def _configure(db: AsyncConnection[Any]) -> None:
    # Appends have a connection of their own. What is written here (answers) can be made again.
    await db.execute(
        "select set_config('timezone', 'UTC', false), set_config('jit', 'off', false),"
        " set_config('synchronous_commit', 'off', false)"
    )
