"""The subscription inside invoices, orders and transactions: as sold, with its present status."""

from __future__ import annotations

from projections.reader import token
from projections.table import Doc, Present, Splice
from wire.subscription import SoldSubscriptionOut, sold_subscription_out
from wire.times import seconds


STATUS = token("subscription_status")
NEXT_INVOICE = token("next_invoice")


def join(alias: str = "t") -> str:
    """The record in force of the subscription that a row names."""
    return f"LEFT JOIN subscriptions s ON s.id = {alias}.subscription"


def _next_invoice(value: str | None, present: Present) -> str | None:
    del present
    return seconds(value)


SPLICES = (Splice(STATUS, "s.status"), Splice(NEXT_INVOICE, "s.next_invoice_at", _next_invoice))


def shape(doc: Doc) -> SoldSubscriptionOut:
    """The copy, with tokens for what is live."""
    return sold_subscription_out(doc, STATUS, NEXT_INVOICE)
