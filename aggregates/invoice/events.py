"""Facts about an invoice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from kernel.discount import AppliedDiscount
from kernel.interval import Period
from kernel.lines import InvoiceLine
from kernel.money import Money
from kernel.personal import Personal
from kernel.sale import MethodWords, Sale, Totals
from kernel.tax import AppliedTax


class Status(StrEnum):
    """Whether an invoice is paid, in the words of the wire (4)."""

    ABSENT = "ABSENT"
    OPEN = "OPEN"
    PAID = "PAID"
    PAYMENT_FAILED = "PAYMENT_FAILED"


class FailureKind(StrEnum):
    """What a failed attempt means for the next one."""

    DECLINED = "declined"
    HARD = "hard"
    AUTHENTICATION = "authentication"
    NO_METHOD = "no_method"


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceUse:
    """The customer's balance around an invoice: ``ending = starting + applied``.

    Negative is the customer's credit. ``due = total - applied`` is what is charged.
    """

    starting: Money
    applied: Money
    ending: Money
    due: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why an attempt failed, as the payer may read it."""

    kind: FailureKind
    code: str
    message: str
    method_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceCreated:
    """The customer owes ``balance.due`` for ``period``; nothing due makes it PAID at once.

    ``number`` is the INV- number people read. ``due_at`` is None when PAID at creation. A credit
    note is such an invoice with a negative total; it has no order. ``discounts`` stand in the
    order in which they were taken, ``taxes`` one per rate. ``custom_fields`` are the answers that
    the buyer gave at checkout.
    """

    invoice_id: UUID
    number: str
    status: Status
    sale: Sale
    order_id: UUID | None
    order_number: str | None
    lines: tuple[InvoiceLine, ...]
    totals: Totals
    balance: BalanceUse
    period: Period | None
    due_at: datetime | None
    discounts: tuple[AppliedDiscount, ...] = ()
    taxes: tuple[AppliedTax, ...] = ()
    custom_fields: Personal[Mapping[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaymentStarted:
    """Attempt ``attempt`` to collect began; the provider knows it by ``provider_key``.

    ``reference`` is the provider's name of the method. ``off_session``: nobody is there to pass a
    challenge. ``by_hand``: somebody pays on the invoice's page, which leaves the automatic
    retries alone; ``newest_method`` is the newest that was saved then. ``continues`` is the key of
    the attempt that asked for the authentication which the payer passed now.
    """

    invoice_id: UUID
    invoice_number: str
    attempt: int
    customer: UUID
    method: MethodWords
    reference: str
    amount: Money
    provider_key: str
    off_session: bool
    by_hand: bool = False
    newest_method: UUID | None = None
    continues: str = ""
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaymentPending:
    """The provider did not tell how the attempt ended; it is asked again with the same key."""

    invoice_id: UUID
    attempt: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaymentFailed:
    """An attempt failed and no money moved; ``status`` is what the invoice shows from now on."""

    invoice_id: UUID
    attempt: int
    failure: Failure
    status: Status
    next_attempt_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceRetryScheduled:
    """Collection will be tried (again) at ``next_attempt_at``; None: not by itself."""

    invoice_id: UUID
    next_attempt_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaid:
    """The money came in through ``attempt``; ``payment_id`` is the provider's name for it.

    ``international``: the card was issued outside the merchant's country.
    """

    invoice_id: UUID
    attempt: int
    payment_id: str
    method: MethodWords
    amount: Money
    international: bool
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceBalanceApplied:
    """The customer's credit took ``amount`` off what is owed (negative: the credit went back).

    ``balance`` is what the whole invoice and the customer's balance came to; ``status`` PAID when
    nothing is owed any more.
    """

    invoice_id: UUID
    amount: Money
    balance: BalanceUse
    status: Status
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceWithdrawn:
    """Nobody can pay the invoice any more: what it was for never came about.

    It shows as PAYMENT_FAILED, without a payment link.
    """

    invoice_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceCredited:
    """``amount``, tax included, of what the invoice billed became the customer's credit.

    It cannot be refunded any more. ``credit_id`` is the invoice that shows the credit, None while
    the credit waits for the next one.
    """

    invoice_id: UUID
    credit_id: UUID | None
    amount: Money
    occurred_at: datetime


InvoiceEvent = (
    InvoiceCreated
    | InvoicePaymentStarted
    | InvoicePaymentPending
    | InvoicePaymentFailed
    | InvoiceRetryScheduled
    | InvoicePaid
    | InvoiceBalanceApplied
    | InvoiceWithdrawn
    | InvoiceCredited
)
