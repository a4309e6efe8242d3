"""The bank of the simulator: asks the customer to confirm a payment and keeps the answer.

An answer is an entry of the books of its own, so that the outcome of a key never changes. A method
that was confirmed once is trusted from then on, as a card is that was set up with its holder there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from psycopg import AsyncConnection

from adapters.payments import simulated_ledger as books
from adapters.payments.simulated_ledger import AUTHENTICATE, Entry
from kernel.ports.payments import Authentication


PATH = "/pages/bank/"
ANSWER = "answer"
CONFIRMED = (
    "select distinct target from simulated_payments"
    f" where target = any(%s) and kind = '{ANSWER}' and outcome = '{Authentication.CONFIRMED}'"
)


def address(key: str, back: str) -> str:
    """Where the customer answers."""
    return f"{PATH}{quote(key, safe='')}?back={quote(back, safe='')}"


async def confirmed(db: AsyncConnection[Any], methods: Iterable[str]) -> set[str]:
    """Those of the methods that are trusted."""
    found = await db.execute(CONFIRMED, (list(methods),))
    return {method for (method,) in await found.fetchall()}


async def waiting(db: AsyncConnection[Any], key: str) -> Entry | None:
    """What the customer has not answered yet."""
    known = await books.entries(db, [key, _answer_key(key)])
    asked = known.get(key)
    is_asked = asked is not None and asked.outcome == AUTHENTICATE
    return asked if is_asked and len(known) == 1 else None


async def answer(db: AsyncConnection[Any], key: str) -> Authentication:
    """What the customer said; nothing yet is waiting."""
    given = (await books.entries(db, [_answer_key(key)])).get(_answer_key(key))
    return Authentication.WAITING if given is None else Authentication(given.outcome)


async def write(db: AsyncConnection[Any], key: str, *, confirmed: bool) -> None:
    """Keep the first answer to what was asked; any other changes nothing."""
    asked = await waiting(db, key)
    if asked is None:
        return
    said = Authentication.CONFIRMED if confirmed else Authentication.REFUSED
    entry = Entry(
        key=_answer_key(key),
        kind=ANSWER,
        target=asked.target,
        reference=_answer_key(asked.reference),
        currency=asked.currency,
        units=asked.units,
        outcome=said.value,
    )
    await books.write(db, [entry])


def _answer_key(key: str) -> str:
    return f"{key} answer"
