"""How much of an order can be given back, and what that consists of (design 7, wire 14).

What is on its way counts as given back, so that refunds which race never exceed what was paid.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from uuid import UUID

from aggregates.order.events import (
    OrderRefunded,
    OrderRefundFailed,
    OrderRefundStarted,
    Status,
)
from aggregates.order.state import Order
from kernel.errors import Invalid
from kernel.money import Money, round_half_away
from kernel.refund import RefundShares
from kernel.sale import BillingType


PAID = frozenset({Status.COMPLETE, Status.PARTIAL_REFUND, Status.REFUNDED})


class RefundRefused(Invalid):
    """The order cannot be refunded."""

    code = "refund_refused"
    body_key = "error"


class OrderNotPaid(RefundRefused):
    """The order was not paid."""

    code = "order_not_paid"


class NothingToRefund(RefundRefused):
    """Nothing was paid for this order."""

    code = "nothing_to_refund"


class AlreadyRefunded(RefundRefused):
    """The whole order is refunded, or being refunded."""

    code = "already_refunded"


class AlreadyCredited(RefundRefused):
    """What was paid for this order and is not refunded is the customer's credit already."""

    code = "already_credited"


class MoreThanRefundable(RefundRefused):
    """That is more than what is left to refund."""

    code = "more_than_refundable"


def refundable(state: Order, *, credited: int = 0) -> Money:
    """What is left to give back. Raises OrderNotPaid, NothingToRefund.

    ``credited`` minor units are the customer's credit already.
    """
    if state.created is None or state.status not in PAID:
        raise OrderNotPaid
    total = state.created.totals.total
    if total.units <= 0:
        raise NothingToRefund
    left = total.units - credited - _given(state, "amount").units
    return Money(max(left, 0), total.currency)


def left_of(state: Order, *, credited: int = 0) -> tuple[int, int]:
    """What is neither refunded nor credited, of what was not credited; in minor units."""
    total = state.created.totals.total.units if state.created else 0
    whole = max(total - credited, 0)
    return max(whole - _given(state, "amount").units, 0), whole


def shares(
    state: Order, wanted: Money | None, *, charged: Money, credited: int = 0
) -> RefundShares:
    """What a refund of the gross amount ``wanted`` (None: all that is left) consists of.

    ``charged`` is what a payment method had paid: it is given back first, then what the balance
    had paid. Tax follows the gross amount at the rate of the invoice; rounding is carried along,
    so that a full refund gives back exactly the tax.

    Raises OrderNotPaid, NothingToRefund, AlreadyRefunded, AlreadyCredited, MoreThanRefundable.
    """
    left = refundable(state, credited=credited)
    amount = left if wanted is None else wanted
    if left.units == 0:
        raise AlreadyCredited if credited else AlreadyRefunded
    if amount.units > left.units:
        raise MoreThanRefundable(f"At most {left.decimal()} {left.currency} is left to refund.")
    by_method = max(charged.units - _given(state, "method").units, 0)
    return RefundShares(
        amount=amount,
        tax=_tax(state, amount),
        method=Money(min(amount.units, by_method), amount.currency),
    )


def _tax(state: Order, amount: Money) -> Money:
    if state.created is None:
        raise OrderNotPaid
    totals = state.created.totals
    before = _given(state, "amount") + amount
    due = round_half_away(Fraction(totals.tax.units * before.units, totals.total.units))
    tax = due - _given(state, "tax").units
    return Money(min(max(tax, 0), amount.units), amount.currency)


def _given(state: Order, part: str) -> Money:
    """What refunds that succeeded or are on their way give back of a part."""
    currency = "" if state.created is None else state.created.totals.total.currency
    return Money(sum(getattr(each, part).units for each in state.refunds.values()), currency)


def start(
    state: Order, refund_id: UUID, given: RefundShares, *, at: datetime
) -> list[OrderRefundStarted]:
    """Set the amount aside for one refund."""
    if refund_id in state.refunds:
        return []
    return [
        OrderRefundStarted(order_id=state.id, refund_id=refund_id, shares=given, occurred_at=at)
    ]


def finish(state: Order, refund_id: UUID, *, at: datetime) -> list[OrderRefunded]:
    """The money is back; a one-time sale that was given back whole gives no access any more."""
    if refund_id not in state.in_flight or state.created is None:
        return []
    amount = state.refunds[refund_id].amount
    done = [s.amount.units for key, s in state.refunds.items() if key not in state.in_flight]
    total = Money(sum(done) + amount.units, amount.currency)
    is_full = total == state.created.totals.total
    sale = state.created.sale
    is_one_time = sale.billing_type is BillingType.ONE_TIME
    return [
        OrderRefunded(
            order_id=state.id,
            refund_id=refund_id,
            amount=amount,
            total=total,
            status=Status.REFUNDED if is_full else Status.PARTIAL_REFUND,
            revokes=sale.subscription.id if is_full and is_one_time else None,
            occurred_at=at,
        )
    ]


def release(
    state: Order, refund_id: UUID, *, message: str, at: datetime
) -> list[OrderRefundFailed]:
    """Nothing was given back; the amount is free again."""
    if refund_id not in state.in_flight:
        return []
    return [
        OrderRefundFailed(order_id=state.id, refund_id=refund_id, message=message, occurred_at=at)
    ]
