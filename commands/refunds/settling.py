"""What follows when a refund has ended: order, balance and transaction move together."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.balance import decide as balances
from aggregates.balance.events import BalanceReason
from aggregates.balance.state import BALANCE, balance_id
from aggregates.customer.state import CUSTOMER
from aggregates.order import refunding
from aggregates.order.state import ORDER
from aggregates.refund import decide
from aggregates.refund.events import RefundCreated, Status
from aggregates.refund.state import REFUND, Refund
from aggregates.transaction import decide as transactions
from aggregates.transaction.events import Payment, TransactionType
from aggregates.transaction.state import TRANSACTION
from commands.billing.account import caused_instant, load_balance
from commands.billing.licensing import load_license, revoke_license
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id


def refund_transaction_id(refund_id: UUID) -> UUID:
    """The transaction of a refund."""
    return derived_id(refund_id, "transaction")


async def load_refund(work: UnitOfWork, refund_id: UUID) -> Refund | None:
    """A refund whose end is still to be recorded, with all that its end moves."""
    refund = await work.load(REFUND, refund_id)
    created = refund.created
    if created is None or refund.status is not Status.PROCESSING:
        return None
    await load_license(work, await work.load(ORDER, created.order_id))
    await work.load(TRANSACTION, refund_transaction_id(refund_id))
    if created.shares.balance.units:
        await load_balance(work, created.sale.customer, created.shares.amount.currency)
    return refund


async def outcome_instant(work: UnitOfWork, refund: RefundCreated, caused_at: datetime) -> datetime:
    """When the end of a refund happens; see ``caused_instant``."""
    owner = refund.sale.customer
    return caused_instant(work, owner, await work.load(CUSTOMER, owner, guard=False), caused_at)


async def give_back(
    work: UnitOfWork, refund_id: UUID, *, reference: str | None, at: datetime
) -> None:
    """The money is back: ``reference`` is the provider's name, None when none was involved."""
    refund = await work.load(REFUND, refund_id)
    facts = decide.succeed(refund, reference=reference, at=at)
    if refund.created is None or not facts:
        return
    created = refund.created
    work.record(refund_id, facts)
    order = await work.load(ORDER, created.order_id)
    work.record(created.order_id, refunding.finish(order, refund_id, at=at))
    await revoke_license(work, created.order_id, at=at)
    await _credit_balance(work, created, at)
    payment = refund_payment(created)
    if reference is None or payment is None:
        return
    known = await work.load(TRANSACTION, payment.transaction_id)
    booked = transactions.refund(known, payment, payment_id=reference, at=at)
    work.record(payment.transaction_id, booked, owner=created.sale.customer)


async def _credit_balance(work: UnitOfWork, created: RefundCreated, at: datetime) -> None:
    """What the balance had paid is credited to it again."""
    share = created.shares.balance
    if not share.units:
        return
    customer = created.sale.customer
    stream = balance_id(customer, share.currency)
    facts = balances.change(
        await work.load(BALANCE, stream),
        -share,
        customer=customer,
        reason=BalanceReason.REFUND,
        invoice_id=created.invoice_id,
        at=at,
    )
    work.record(stream, facts, owner=customer)


def refund_payment(created: RefundCreated) -> Payment | None:
    """What the transaction of a refund says; None when no payment method gets anything."""
    shares, method = created.shares, created.method
    if method is None or not shares.method.units:
        return None
    return Payment(
        transaction_id=refund_transaction_id(created.refund_id),
        type=TransactionType.REFUND,
        sale=created.sale,
        order_id=created.order_id,
        order_number=created.order_number,
        invoice_id=created.invoice_id,
        invoice_number=created.invoice_number,
        attempt=1,
        method=method,
        provider_key=created.provider_key,
        amount=-shares.method,
        tax=-shares.tax,
    )
