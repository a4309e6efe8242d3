"""What the simulator remembers: one row per key, so that a key never moves money twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from psycopg import AsyncConnection


DDL = """
create table if not exists simulated_payments (
  key text primary key,
  kind text not null,
  target text not null,
  reference text not null unique,
  currency text not null,
  units bigint not null,
  outcome text not null,
  created_at timestamptz not null default now()
);
create index if not exists simulated_payments_target on simulated_payments (target, outcome);
"""
"""The simulator's own books: neither log nor view, as those of a real provider would be."""

AUTHENTICATE = "authenticate"
"""The outcome of what the customer has to confirm first."""

LOCK = 0x73696D75  # "simu": outcomes that depend on earlier ones are decided one after the other
COLUMNS = "key, kind, target, reference, currency, units, outcome"

INSERT = (
    f"insert into simulated_payments ({COLUMNS}) select * from unnest(%s::text[], %s::text[], "
    "%s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[]) on conflict (key) do nothing "
    "returning key"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One key: what was asked for, of which method or payment, and how it went."""

    key: str
    kind: str
    target: str
    reference: str
    currency: str
    units: int
    outcome: str


async def entries(db: AsyncConnection[Any], keys: Sequence[str]) -> dict[str, Entry]:
    """What is written under these keys."""
    return await _select(db, "key = any(%s)", (list(keys),)) if keys else {}


async def about(db: AsyncConnection[Any], target: str) -> list[Entry]:
    """Everything that was asked of a method or a payment."""
    return list((await _select(db, "target = %s", (target,))).values())


async def payment(db: AsyncConnection[Any], reference: str) -> Entry | None:
    """The entry with this reference."""
    return next(iter((await _select(db, "reference = %s", (reference,))).values()), None)


async def write(db: AsyncConnection[Any], new: Iterable[Entry]) -> set[str]:
    """Add entries; one whose key is there already stays. Returns the keys that were added."""
    rows = [astuple(entry) for entry in sorted(new, key=lambda entry: entry.key)]
    if not rows:
        return set()
    added = await db.execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
    return {key for (key,) in await added.fetchall()}


async def settle(db: AsyncConnection[Any], key: str, outcome: str) -> None:
    """Say how a key went after all."""
    await db.execute("update simulated_payments set outcome = %s where key = %s", (outcome, key))


async def failures(db: AsyncConnection[Any], targets: Sequence[str]) -> Counter[str]:
    """How many charges of each method were declined."""
    found = await db.execute(
        "select target, count(*) from simulated_payments where target = any(%s)"
        " and outcome = 'declined' and kind = 'charge' group by target",
        (list(targets),),
    )
    return Counter(dict(await found.fetchall()))


async def lock(db: AsyncConnection[Any]) -> None:
    """Let nobody else decide until the end of the transaction."""
    await db.execute("select pg_advisory_xact_lock(%s)", (LOCK,))


async def _select(
    db: AsyncConnection[Any], where: str, parameters: tuple[Any, ...]
) -> dict[str, Entry]:
    found = await db.execute(f"select {COLUMNS} from simulated_payments where {where}", parameters)
    return {row[0]: Entry(*row) for row in await found.fetchall()}
