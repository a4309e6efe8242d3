"""What was given back of an invoice: refunds of its order, and what became credit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from typing_extensions import TypedDict

from aggregates.invoice.events import InvoiceCredited
from aggregates.order.events import OrderRefunded, OrderRefundFailed, OrderRefundStarted
from kernel.refund import RefundShares
from wire.times import instant


class RefundedOut(TypedDict):
    """A refund of the invoice's order; ``units`` are gross. ``endedAt`` null: on its way."""

    refund: str
    status: Literal["PROCESSING", "SUCCEEDED", "FAILED"]
    words: str
    units: int
    amount: str
    startedAt: str
    endedAt: str | None


class CreditedOut(TypedDict):
    """A part of the invoice that became credit; it cannot be refunded any more."""

    units: int
    amount: str
    at: str


def refunds_out(facts: Iterable[Any]) -> list[RefundedOut]:
    """All refunds in order, from the facts of the order."""
    refunds: dict[str, RefundedOut] = {}
    for fact in facts:
        match fact:
            case OrderRefundStarted():
                refunds[str(fact.refund_id)] = _started(fact)
            case OrderRefunded():
                _end(refunds[str(fact.refund_id)], "SUCCEEDED", "given back", fact)
            case OrderRefundFailed():
                _end(refunds[str(fact.refund_id)], "FAILED", fact.message, fact)
    return list(refunds.values())


def credits_out(facts: Iterable[Any]) -> list[CreditedOut]:
    """What became credit, from the facts of the invoice."""
    return [
        {
            "units": fact.amount.units,
            "amount": fact.amount.decimal(),
            "at": instant(fact.occurred_at),
        }
        for fact in facts
        if isinstance(fact, InvoiceCredited)
    ]


def _started(fact: OrderRefundStarted) -> RefundedOut:
    shares = fact.shares
    amount = f"{shares.amount.decimal()} {shares.amount.currency}"
    parts = f"{shares.net.units} + {shares.tax.units} tax = {shares.amount.units}"
    return {
        "refund": str(fact.refund_id),
        "status": "PROCESSING",
        "words": f"{amount}, {parts}, {_destinations(shares)}: on its way",
        "units": shares.amount.units,
        "amount": shares.amount.decimal(),
        "startedAt": instant(fact.occurred_at),
        "endedAt": None,
    }


def _destinations(shares: RefundShares) -> str:
    """What a payment method had paid goes back to it first."""
    if not shares.balance.units:
        return "all to the payment method"
    if not shares.method.units:
        return "all to the customer's balance"
    method, balance = shares.method.units, shares.balance.units
    return f"{method} to the payment method and {balance} to the customer's balance"


def _end(
    refund: RefundedOut,
    status: Literal["SUCCEEDED", "FAILED"],
    words: str,
    fact: OrderRefunded | OrderRefundFailed,
) -> None:
    refund["status"] = status
    refund["words"] = f"{refund['words'].rpartition(': ')[0]}: {words}"
    refund["endedAt"] = instant(fact.occurred_at)
