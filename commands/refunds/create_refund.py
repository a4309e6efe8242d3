"""Give back part or all of what was paid for an order (wire 14)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from aggregates.customer.state import CUSTOMER, Customer
from aggregates.invoice.state import INVOICE
from aggregates.order import refunding
from aggregates.order.state import ORDER, Order
from aggregates.refund import decide
from aggregates.refund.decide import Wish
from aggregates.refund.state import REFUND
from aggregates.transaction.state import TRANSACTION
from commands.billing.account import load_balance
from commands.billing.licensing import load_license
from commands.bus import handles
from commands.refunds.settling import give_back, refund_transaction_id
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid, InvalidFields, NotFound
from kernel.money import Money, parse_units


class OrderNotFound(NotFound):
    """Order not found."""

    code = "order_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateRefund:
    """``units`` wins over ``amount`` (major units); both None: all that is left."""

    refund_id: UUID
    order_id: UUID
    units: int | None = None
    amount: Decimal | None = None
    wish: Wish


@handles(CreateRefund)
async def create_refund(work: UnitOfWork, command: CreateRefund) -> UUID:
    """Set the amount aside and begin; what the balance alone had paid is back at once.

    Raises OrderNotFound, RefundRefused, InvalidFields, ClockAdvancing.
    """
    order = await work.load(ORDER, command.order_id)
    customer = await _customer(work, order)
    facts = await _paid(work, order)
    await load_license(work, order)
    shares = refunding.shares(
        order, _wanted(command, order), charged=facts.charged, credited=facts.credited
    )
    refund = await work.load(REFUND, command.refund_id, absent=True)
    await work.load(TRANSACTION, refund_transaction_id(command.refund_id), absent=True)
    if shares.balance.units:
        await load_balance(work, facts.owner, shares.amount.currency)
    at = await instant_for(work, customer)
    begun = decide.create(refund, command.refund_id, facts.order, shares, command.wish, at=at)
    work.record(command.refund_id, begun, owner=facts.owner)
    work.record(order.id, refunding.start(order, command.refund_id, shares, at=at))
    if not shares.method.units:
        await give_back(work, command.refund_id, reference=None, at=at)
    return command.refund_id


async def _customer(work: UnitOfWork, order: Order) -> Customer:
    """Whose order it is; it must be one of this organization's."""
    if order.created is None:
        raise OrderNotFound
    owner = order.created.sale.customer
    customer = await work.load(CUSTOMER, owner, guard=False)
    if work.natural_id("customer", customer.customer_id) != owner:
        raise OrderNotFound
    return customer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paid:
    order: decide.Order
    owner: UUID
    charged: Money
    credited: int


async def _paid(work: UnitOfWork, order: Order) -> _Paid:
    """What had paid the order. Raises NothingToRefund for trials, OrderNotPaid."""
    refunding.refundable(order)
    created = order.created
    if created is None or created.invoice_id is None or created.invoice_number is None:
        raise refunding.NothingToRefund
    invoice = await work.load(INVOICE, created.invoice_id)
    paid = order.paid_by
    nothing = Money(0, created.totals.total.currency)
    due = nothing if invoice.created is None else invoice.created.balance.due
    return _Paid(
        order=decide.Order(
            id=order.id,
            number=created.number,
            invoice_id=created.invoice_id,
            invoice_number=created.invoice_number,
            sale=created.sale,
            method=None if paid is None else paid.method,
            payment_id=None if paid is None else paid.payment_id,
        ),
        owner=created.sale.customer,
        charged=nothing if paid is None else due,
        credited=invoice.credited,
    )


def _wanted(command: CreateRefund, order: Order) -> Money | None:
    """The amount asked for: units win (wire 14).

    Raises InvalidFields when the currency has fewer decimals.
    """
    if order.created is None:
        raise OrderNotFound
    currency = order.created.totals.total.currency
    if command.units is not None:
        return Money(command.units, currency)
    if command.amount is None:
        return None
    try:
        return Money(parse_units(command.amount, currency), currency)
    except Invalid as invalid:
        raise InvalidFields({"amount": [invalid.message]}) from None
