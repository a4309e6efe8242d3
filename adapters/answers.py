"""The answers of requests with an Idempotency-Key, compressed and sealed for their owner."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from adapters.sealing import DataKey
from adapters.vault import Pool, Vault
from kernel.gathering import Gathering
from kernel.ports.answers import KeptAnswer


YOUNG_SECONDS = 15
"""Longer than any request takes: the process that began an older one is gone."""

SWEEP_SECONDS = 3600.0
"""How often a process that keeps secret answers removes those whose day is over."""

SECRET_HOURS = 24
"""An answer that shows a secret is repeated for this long, then made anew without (design 12)."""


@dataclass(frozen=True, slots=True)
class _Answer:
    organization: UUID
    key: bytes
    status: int
    body: bytes
    secret: bool


class PostgresAnswers:
    """Implements kernel.ports.answers.Answers; the append inserts the rows."""

    def __init__(self, pool: Pool, vault: Vault) -> None:
        """Share the event store's pool and keys."""
        self._pool = pool
        self._vault = vault
        self._keeping: Gathering[_Answer, bool] = Gathering(self._keep, most=200)
        self._swept = float("-inf")

    async def close(self) -> None:
        """Finish the answers that wait."""
        await self._keeping.idle()

    async def find(self, organization: UUID, key: bytes) -> KeptAnswer | None:
        """The row of a key, or None. A secret answer whose day is over counts as unanswered."""
        async with self._pool.connection() as db:
            cursor = await db.execute(
                "select request, position, owner, case when secret_until <= now() then null"
                f" else status end, body, created_at > now() - interval '{YOUNG_SECONDS} s'"
                " from idempotency where organization = %s and key = %s",
                (organization, key),
                binary=True,
            )
            row: tuple[Any, ...] | None = await cursor.fetchone()
        if row is None:
            return None
        request, position, owner, status, sealed, young = row
        if status is None:
            return KeptAnswer(request, position, None, None, young=young)
        data_key = (await self._vault.load([owner])).get(owner)
        body = data_key.open(sealed, organization.bytes + key) if data_key else None
        if body is None:
            return KeptAnswer(request, position, None, None, erased=True)
        return KeptAnswer(request, position, status, zlib.decompress(body))

    async def keep(
        self, organization: UUID, key: bytes, *, status: int, body: bytes, secret: bool
    ) -> bool:
        """Write the answer, unless one is there: then False. ``secret`` ones stay for 24 hours."""
        kept = await self._keeping.submit(_Answer(organization, key, status, body, secret))
        now = time.monotonic()
        if secret and now >= self._swept + SWEEP_SECONDS:
            self._swept = now
            await self.drop_secrets()
        return kept

    async def drop_secrets(self) -> int:
        """Remove the secret answers whose day is over; how many there were."""
        async with self._pool.connection() as db:
            cursor = await db.execute(
                "update idempotency set status = null, body = null, secret_until = null"
                " where secret_until <= now()"
            )
            return cursor.rowcount

    async def _keep(self, answers: list[_Answer]) -> Sequence[bool]:
        owners = await self._owners(answers)
        keys = await self._keys(set(owners.values()))
        rows = [
            (a.organization, a.key, a.status, _seal(keys[owner], a), a.secret)
            for a in answers
            if (owner := owners.get((a.organization, a.key)))
        ]
        written: set[tuple[UUID, bytes]] = set()
        if rows:
            async with self._pool.connection() as db:
                cursor = await db.execute(
                    "update idempotency as i set status = a.status, body = a.body, secret_until ="
                    f" case when a.secret then now() + interval '{SECRET_HOURS} h' end"
                    " from unnest(%b::uuid[], %b::bytea[], %b::int[], %b::bytea[], %b::bool[])"
                    " as a(organization, key, status, body, secret)"
                    " where i.organization = a.organization and i.key = a.key"
                    " and (i.status is null or i.secret_until <= now())"
                    " returning i.organization, i.key",
                    [list(column) for column in zip(*rows, strict=True)],
                    binary=True,
                )
                written = {(row[0], bytes(row[1])) for row in await cursor.fetchall()}
        return [(answer.organization, answer.key) in written for answer in answers]

    async def _owners(self, answers: list[_Answer]) -> dict[tuple[UUID, bytes], UUID]:
        async with self._pool.connection() as db:
            cursor = await db.execute(
                "select organization, key, owner from idempotency join"
                " unnest(%b::uuid[], %b::bytea[]) as a(organization, key)"
                " using (organization, key)",
                ([a.organization for a in answers], [a.key for a in answers]),
                binary=True,
            )
            return {(row[0], bytes(row[1])): row[2] for row in await cursor.fetchall()}

    async def _keys(self, owners: set[UUID]) -> dict[UUID, DataKey]:
        """Their data keys; owners without personal facts get one now."""
        keys = await self._vault.load(owners)
        missing = owners - keys.keys()
        if missing:
            await self._vault.create(missing)
            keys |= await self._vault.load(missing)
        return keys


def _seal(key: DataKey, answer: _Answer) -> bytes:
    return key.seal(zlib.compress(answer.body, 1), answer.organization.bytes + answer.key)
