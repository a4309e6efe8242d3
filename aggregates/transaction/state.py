"""A transaction as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never, get_args
from uuid import UUID

from aggregates.transaction.events import (
    TransactionEvent,
    TransactionFailed,
    TransactionPending,
    TransactionRefunded,
    TransactionSucceeded,
)
from kernel.fold import Fold
from kernel.ids import derived_id


class Status(StrEnum):
    """How a transaction ended, in the words of the wire (8)."""

    ABSENT = "absent"
    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Transaction:
    """Whether the money moved."""

    status: Status = Status.ABSENT


def evolve(state: Transaction, event: TransactionEvent) -> Transaction:
    """Total and free of rules: what is recorded is true."""
    del state
    match event:
        case TransactionPending():
            return Transaction(Status.PENDING)
        case TransactionSucceeded() | TransactionRefunded():
            return Transaction(Status.SUCCESS)
        case TransactionFailed():
            return Transaction(Status.FAILURE)
        case _:
            assert_never(event)


TRANSACTION = Fold("transaction", Transaction(), evolve, get_args(TransactionEvent))


def transaction_id(invoice_id: UUID, attempt: int) -> UUID:
    """The transaction of one attempt to collect an invoice."""
    return derived_id(invoice_id, "transaction", attempt)
