"""The deterministic payment provider of the sandbox (design 8, docs/reference/test-cards.md)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.payments import simulated_bank as bank
from adapters.payments import simulated_ledger as books
from adapters.payments.instruments import BY_NAME, BY_NUMBER, Silence, Simulated
from adapters.payments.simulated_ledger import AUTHENTICATE, Entry
from kernel.errors import BadUpstream
from kernel.gathering import Gathering
from kernel.money import Money
from kernel.ports.payments import (
    SIMULATED,
    Authentication,
    CardNumber,
    Charge,
    ChargeResult,
    Declined,
    MethodNotAccepted,
    NeedsAuthentication,
    ProviderTerms,
    Refund,
    RefundResult,
    SavedInstrument,
    Settled,
    Succeeded,
    Unknown,
)


SUCCEEDED, DECLINED = "succeeded", "declined"
TOO_SMALL, LOST, NO_METHOD, NO_PAYMENT = "too_small", "lost", "no_method", "no_payment"
CHARGE, AUTHORIZE, REFUND = "charge", "authorize", "refund"
HOME = "US"

NOT_ACCEPTED: Final = "Only test cards are accepted here; docs/reference/test-cards.md lists them."
REFUSALS: Final = {
    TOO_SMALL: Declined(code="amount_too_small", message="The amount is below the minimum."),
    NO_METHOD: Declined(
        code="payment_method_unknown", message="There is no such payment method.", hard=True
    ),
    NO_PAYMENT: Declined(
        code="refund_not_possible", message="Not that much is left to refund of this payment."
    ),
}


class KeyReused(BadUpstream):
    """The payment key was used before for another request."""

    code = "payment_key_reused"


class SimulatedProvider:
    """Results follow from the method, the key and what was asked before; nothing else."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[Any]]) -> None:
        """Keep the books in this database, which holds their table."""
        self._pool = pool
        self._taking: Gathering[Entry, ChargeResult] = Gathering(self._take, most=500)

    @property
    def terms(self) -> ProviderTerms:
        """Takes cards through the API; minimums as in design 7."""
        return SIMULATED

    async def save(self, source: CardNumber | str, key: str) -> SavedInstrument:
        """Keep a test card, or the method that ``tok_<name>`` names."""
        if isinstance(source, str):
            method = BY_NAME.get(source.removeprefix("tok_"))
            expiry = (12, 2034)
        else:
            method = BY_NUMBER.get(source.number)
            expiry = (source.exp_month, source.exp_year)
        if method is None:
            raise MethodNotAccepted(NOT_ACCEPTED)
        instrument = method.instrument
        if instrument.is_card:
            instrument = replace(instrument, exp_month=expiry[0], exp_year=expiry[1])
        return SavedInstrument(
            reference=f"sim_{method.name}_{_digest('save', key)}", instrument=instrument
        )

    async def authorize(self, charge: Charge) -> ChargeResult:
        """As a charge, but nothing is taken and nothing counts."""
        return await self._taking.submit(_asked(AUTHORIZE, charge))

    async def charge(self, charge: Charge) -> ChargeResult:
        """Take the amount, together with whatever else waits."""
        return await self._taking.submit(_asked(CHARGE, charge))

    async def refund(self, refund: Refund) -> RefundResult:
        """Give back at most what is left of a successful charge."""
        asked = Entry(
            key=refund.key,
            kind=REFUND,
            target=refund.payment,
            reference=_reference(REFUND, refund.key),
            currency=refund.amount.currency,
            units=refund.amount.units,
            outcome="",
        )
        async with self._pool.connection() as db, db.transaction():
            await books.lock(db)
            known = (await books.entries(db, [asked.key])).get(asked.key)
            if known is None:
                known = replace(asked, outcome=await _refund_outcome(db, asked))
                await books.write(db, [known])
        _same_request(known, asked)
        result = _result(known)
        if isinstance(result, NeedsAuthentication):
            raise BadUpstream("A refund cannot ask for authentication.")
        return result

    async def lookup(self, key: str) -> Settled | None:
        """What the books say; a call that was lost on the way is not in them."""
        async with self._pool.connection() as db:
            known = (await books.entries(db, [key])).get(key)
        return None if known is None or known.outcome == LOST else _result(known)

    async def challenge(self, key: str, back: str) -> str | None:
        """The page of the test bank, while it waits for the customer."""
        async with self._pool.connection() as db:
            waits = await bank.waiting(db, key) is not None
        return bank.address(key, back) if waits else None

    async def authentication(self, key: str) -> Authentication:
        """What the customer said to the test bank."""
        async with self._pool.connection() as db:
            return await bank.answer(db, key)

    async def asked_about(self, key: str) -> Money | None:
        """The amount that the test bank asks about; None: it asks nothing under this key."""
        async with self._pool.connection() as db:
            entry = await bank.waiting(db, key)
        return None if entry is None else Money(entry.units, entry.currency)

    async def confirm(self, key: str, *, confirmed: bool) -> None:
        """The customer answers the test bank; the first answer stays."""
        async with self._pool.connection() as db, db.transaction():
            await bank.write(db, key, confirmed=confirmed)

    async def _take(self, asked: list[Entry]) -> Sequence[ChargeResult | BaseException]:
        if any(_asks(entry) or _depends_on_earlier(entry) for entry in asked):
            return await self._weigh(asked)
        fresh = _decide(asked, {}, Counter(), set())
        async with self._pool.connection() as db:
            won = await books.write(db, fresh.values())
        if len(won) < len(fresh):
            return await self._weigh(asked)
        return [_answer(fresh[entry.key], entry, set()) for entry in asked]

    async def _weigh(self, asked: list[Entry]) -> Sequence[ChargeResult | BaseException]:
        """What takes more than one look into the books."""
        async with self._pool.connection() as db, db.transaction():
            earlier: Counter[str] = Counter()
            if counted := {entry.target for entry in asked if _depends_on_earlier(entry)}:
                await books.lock(db)
                earlier = await books.failures(db, list(counted))
            asking = {entry.target for entry in asked if _asks(entry)}
            trusted = await bank.confirmed(db, asking) if asking else set()
            known = await books.entries(db, [entry.key for entry in asked])
            fresh = _decide(asked, known, earlier, trusted)
            won = await books.write(db, fresh.values())
            settled = await books.entries(db, [key for key in fresh if key not in won])
            settled |= {key: fresh[key] for key in won}
            for key in (key for key, entry in known.items() if entry.outcome == LOST):
                await books.settle(db, key, SUCCEEDED)
                settled[key] = replace(known[key], outcome=SUCCEEDED)
        every, unheard = {**known, **settled}, {key for key in won if _silent(fresh[key])}
        return [_answer(every[entry.key], entry, unheard) for entry in asked]


def _asked(kind: str, charge: Charge) -> Entry:
    return Entry(
        key=charge.key,
        kind=kind,
        target=charge.method,
        reference=_reference(kind, charge.key),
        currency=charge.amount.currency,
        units=charge.amount.units,
        outcome="",
    )


def _decide(
    asked: Sequence[Entry], known: Mapping[str, Entry], earlier: Counter[str], trusted: set[str]
) -> dict[str, Entry]:
    fresh: dict[str, Entry] = {}
    for entry in asked:
        if entry.key in known or entry.key in fresh:
            continue
        outcome = _outcome(entry, earlier[entry.target])
        if outcome == SUCCEEDED and _asks(entry) and entry.target not in trusted:
            outcome = AUTHENTICATE
        earlier[entry.target] += outcome == DECLINED and entry.kind == CHARGE
        fresh[entry.key] = replace(entry, outcome=outcome)
    return fresh


def _outcome(entry: Entry, earlier_failures: int) -> str:
    method = _method(entry.target)
    if method is None:
        return NO_METHOD
    if entry.kind == CHARGE and entry.units < SIMULATED.minimum(entry.currency).units:
        return TOO_SMALL
    if method.silence is Silence.LOST:
        return LOST
    if method.declines(earlier_failures):
        return DECLINED
    return SUCCEEDED


def _silent(entry: Entry) -> bool:
    method = _method(entry.target)
    silent = method is not None and method.silence is not None
    return silent and entry.outcome in {SUCCEEDED, DECLINED, LOST}


def _asks(entry: Entry) -> bool:
    """The bank wants the customer to confirm, until that was done once with this method."""
    method = _method(entry.target)
    return method is not None and method.authenticate


def _depends_on_earlier(entry: Entry) -> bool:
    method = _method(entry.target)
    return method is not None and (method.failures is not None or method.silence is not None)


def _answer(known: Entry, asked: Entry, unheard: set[str]) -> ChargeResult | BaseException:
    try:
        _same_request(known, asked)
    except KeyReused as reused:
        return reused
    if known.key in unheard:
        return Unknown()
    return _result(known)


def _same_request(known: Entry, asked: Entry) -> None:
    if replace(known, outcome="") != asked:
        raise KeyReused


def _result(entry: Entry) -> Settled:
    if entry.outcome in REFUSALS:
        return REFUSALS[entry.outcome]
    method = _method(entry.target)
    if entry.outcome == DECLINED:
        refusal = method and method.refusal
        return refusal or Declined(code="refund_failed", message="The refund failed.")
    kind = method.instrument.type if method else "card"
    if entry.outcome == AUTHENTICATE:
        return NeedsAuthentication(method_type=kind)
    country = method.instrument.country if method else ""
    return Succeeded(
        reference=entry.reference,
        method_type=kind,
        country=country,
        international=country not in {"", HOME},
    )


async def _refund_outcome(db: AsyncConnection[Any], asked: Entry) -> str:
    paid = await books.payment(db, asked.target)
    if paid is None or paid.kind != CHARGE or paid.outcome != SUCCEEDED:
        return NO_PAYMENT
    before = sum(
        entry.units for entry in await books.about(db, asked.target) if entry.outcome == SUCCEEDED
    )
    left = Money(paid.units - before, paid.currency)
    if asked.currency != left.currency or not 0 < asked.units <= left.units:
        return NO_PAYMENT
    method = _method(paid.target)
    return SUCCEEDED if method is None or method.refunds else DECLINED


def _method(reference: str) -> Simulated | None:
    """What stands behind a reference: ``sim_<name>_<digest>``."""
    words = reference.split("_")
    return BY_NAME.get(words[1]) if len(words) == 3 and words[0] == "sim" else None


def _reference(kind: str, key: str) -> str:
    return f"sim{kind}_{_digest(kind, key)}"


def _digest(purpose: str, key: str) -> str:
    return hashlib.sha256(f"{purpose} {key}".encode()).hexdigest()[:24]
