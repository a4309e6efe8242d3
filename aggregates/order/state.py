"""An order as decisions see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.order.events import (
    OrderCompleted,
    OrderCreated,
    OrderEvent,
    OrderFailed,
    OrderPaymentFailed,
    OrderRefunded,
    OrderRefundFailed,
    OrderRefundStarted,
    Status,
)
from kernel.fold import Fold
from kernel.ids import NIL
from kernel.refund import RefundShares


@dataclass(frozen=True, slots=True)
class Order:
    """What a purchase has come to; ``paid_by`` is None as long as no payment was taken.

    ``refunds`` are given back or on their way, ``in_flight`` those on their way.
    """

    status: Status = Status.ABSENT
    id: UUID = NIL
    created: OrderCreated | None = None
    paid_by: OrderCompleted | None = None
    refunds: Mapping[UUID, RefundShares] = field(default_factory=dict)
    in_flight: frozenset[UUID] = frozenset()


def evolve(state: Order, event: OrderEvent) -> Order:
    """Total and free of rules: what is recorded is true."""
    match event:
        case OrderCreated():
            return Order(event.status, event.order_id, event)
        case OrderCompleted():
            return replace(state, status=Status.COMPLETE, paid_by=event)
        case OrderPaymentFailed():
            return state
        case OrderFailed():
            return replace(state, status=Status.FAILED)
        case OrderRefundStarted(refund_id=refund_id):
            started = {**state.refunds, refund_id: event.shares}
            return replace(state, refunds=started, in_flight=state.in_flight | {refund_id})
        case OrderRefunded(refund_id=refund_id):
            return replace(state, status=event.status, in_flight=state.in_flight - {refund_id})
        case OrderRefundFailed(refund_id=refund_id):
            left = {key: shares for key, shares in state.refunds.items() if key != refund_id}
            return replace(state, refunds=left, in_flight=state.in_flight - {refund_id})
        case _:
            assert_never(event)


ORDER = Fold("order", Order(), evolve, get_args(OrderEvent))
