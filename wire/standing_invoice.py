"""An invoice as it stands: what the customer's balance took off after it was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from aggregates.invoice.events import InvoiceBalanceApplied, InvoiceCreated


def standing(created: InvoiceCreated, facts: Iterable[Any]) -> InvoiceCreated:
    """The invoice with the balance of today, from all its facts."""
    applied = [fact.balance for fact in facts if isinstance(fact, InvoiceBalanceApplied)]
    return replace(created, balance=applied[-1]) if applied else created
