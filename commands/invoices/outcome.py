"""What the commands that record the outcome of a payment attempt read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.invoice.decide import attempt_key
from aggregates.invoice.events import InvoiceCreated, InvoicePaymentStarted
from aggregates.invoice.state import INVOICE
from aggregates.order.state import ORDER
from aggregates.subscription.state import Subscription
from aggregates.transaction.events import Payment, TransactionType
from aggregates.transaction.state import transaction_id
from commands.billing.account import Account, caused_instant, load_subscription
from commands.unit_of_work import UnitOfWork
from kernel.money import Money
from kernel.sale import MethodWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt in flight with its invoice, subscription and customer."""

    invoice: InvoiceCreated
    started: InvoicePaymentStarted
    subscription: Subscription
    account: Account

    def instant(self, work: UnitOfWork, caused_at: datetime) -> datetime:
        """When the outcome happens; see ``caused_instant``."""
        return caused_instant(work, self.account.id, self.account.customer, caused_at)

    @property
    def payment(self) -> Payment:
        """The transaction's view of it."""
        started = self.started
        return payment_of(self.invoice, started.attempt, started.method, started.amount)


def payment_of(
    invoice: InvoiceCreated, attempt: int, method: MethodWords, amount: Money
) -> Payment:
    """What the transaction of an attempt says about it."""
    order_id, order_number = ordered(invoice)
    return Payment(
        transaction_id=transaction_id(invoice.invoice_id, attempt),
        type=TransactionType.CHARGE,
        sale=invoice.sale,
        order_id=order_id,
        order_number=order_number,
        invoice_id=invoice.invoice_id,
        invoice_number=invoice.number,
        attempt=attempt,
        method=method,
        provider_key=attempt_key(invoice.invoice_id, attempt),
        amount=amount,
        tax=invoice.totals.tax,
    )


def ordered(invoice: InvoiceCreated) -> tuple[UUID, str]:
    """The order of an invoice that is collected; only credit notes have none."""
    if invoice.order_id is None or invoice.order_number is None:
        raise ValueError(f"invoice {invoice.number} is a credit note")
    return invoice.order_id, invoice.order_number


async def load_attempt(work: UnitOfWork, invoice_id: UUID, number: int) -> Attempt | None:
    """The attempt, if its outcome is still to be recorded."""
    state = await work.load(INVOICE, invoice_id)
    created, started = state.created, state.in_flight
    if created is None or started is None or started.attempt != number:
        return None
    subscription, account = await load_subscription(work, created.sale.subscription.id)
    await work.load(ORDER, ordered(created)[0])
    return Attempt(invoice=created, started=started, subscription=subscription, account=account)
