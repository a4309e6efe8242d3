"""Take the fee of a successful payment and book the transaction (design 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.invoice.state import INVOICE
from aggregates.organization.state import ORGANIZATION
from aggregates.transaction import decide
from aggregates.transaction.fees import Charged
from aggregates.transaction.state import TRANSACTION
from commands.billing.account import caused_instant
from commands.bus import handles
from commands.invoices.outcome import payment_of
from commands.unit_of_work import UnitOfWork
from kernel.money import Money
from kernel.sale import BillingType, MethodWords


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTransaction:
    """A payment that succeeded at ``caused_at``.

    ``volume`` is what the organization had processed before it in the same currency, in the order
    of the log: only the reaction that assesses fees knows it.
    """

    invoice_id: UUID
    attempt: int
    payment_id: str
    method: MethodWords
    amount: Money
    international: bool
    volume: Money
    caused_at: datetime


@handles(RecordTransaction)
async def record_transaction(work: UnitOfWork, command: RecordTransaction) -> None:
    """Book it once."""
    invoice = await work.load(INVOICE, command.invoice_id, guard=False)
    if invoice.created is None:
        return
    payment = payment_of(invoice.created, command.attempt, command.method, command.amount)
    known = await work.load(TRANSACTION, payment.transaction_id, absent=True)
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    customer = payment.sale.customer
    owner = await work.load(CUSTOMER, customer, guard=False)
    charged = Charged(
        amount=command.amount,
        volume=command.volume,
        is_subscription=payment.sale.billing_type is BillingType.SUBSCRIPTION,
        is_international=command.international,
    )
    facts = decide.succeed(
        known,
        payment,
        payment_id=command.payment_id,
        charged=charged,
        schedule=organization.settings.fee_schedule if organization.merchant_of_record else None,
        at=caused_instant(work, customer, owner, command.caused_at),
    )
    work.record(payment.transaction_id, facts, owner=customer)
