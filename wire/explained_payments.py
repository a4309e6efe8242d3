"""The attempts to collect an invoice and what became of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, assert_never

from typing_extensions import TypedDict

from aggregates.invoice.events import (
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
    InvoicePaymentStarted,
)
from kernel.sale import MethodWords
from wire.brands import brand
from wire.times import instant


_OUTCOMES = (InvoicePaymentPending, InvoicePaymentFailed, InvoicePaid)


class AttemptOut(TypedDict):
    """One attempt; ``endedAt`` null: its outcome is not known yet."""

    attempt: int
    status: Literal["STARTED", "PENDING", "FAILED", "PAID"]
    words: str
    units: int
    amount: str
    startedAt: str
    endedAt: str | None


def attempts_out(facts: Iterable[Any]) -> list[AttemptOut]:
    """All attempts in order, from the facts of the invoice."""
    attempts: dict[int, AttemptOut] = {}
    for fact in facts:
        if isinstance(fact, InvoicePaymentStarted):
            attempts[fact.attempt] = _started(fact)
        elif isinstance(fact, _OUTCOMES) and (begun := attempts.get(fact.attempt)):
            _follow(begun, fact)
    return list(attempts.values())


def method_words(method: MethodWords) -> str:
    """``Visa ending in 4242``."""
    name = brand(method.name or method.type)
    return f"{name} ending in {method.last4}" if method.last4 else name


def _started(fact: InvoicePaymentStarted) -> AttemptOut:
    amount = f"{fact.amount.decimal()} {fact.amount.currency}"
    return {
        "attempt": fact.attempt,
        "status": "STARTED",
        "words": f"{amount} from {method_words(fact.method)}: under way.",
        "units": fact.amount.units,
        "amount": fact.amount.decimal(),
        "startedAt": instant(fact.occurred_at),
        "endedAt": None,
    }


def _follow(
    begun: AttemptOut, fact: InvoicePaymentPending | InvoicePaymentFailed | InvoicePaid
) -> None:
    if begun["endedAt"] is not None:
        return
    asked = begun["words"].rpartition(": ")[0]
    match fact:
        case InvoicePaymentPending():
            begun["status"] = "PENDING"
            begun["words"] = f"{asked}: the provider has not answered yet."
            return
        case InvoicePaid():
            begun["status"] = "PAID"
            begun["words"] = f"{asked}: paid, {fact.payment_id}."
        case InvoicePaymentFailed():
            begun["status"] = "FAILED"
            begun["words"] = f"{asked}: {fact.failure.message} ({fact.failure.code})"
        case _:
            assert_never(fact)
    begun["endedAt"] = instant(fact.occurred_at)
