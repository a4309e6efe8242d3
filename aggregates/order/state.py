"""An order as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.order.events import (
    OrderCompleted,
    OrderCreated,
    OrderEvent,
    OrderFailed,
    OrderPaymentFailed,
    Status,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class Order:
    """What a purchase has come to."""

    status: Status = Status.ABSENT
    id: UUID = NIL


def evolve(state: Order, event: OrderEvent) -> Order:
    """Total and free of rules: what is recorded is true."""
    match event:
        case OrderCreated():
            return Order(event.status, event.order_id)
        case OrderCompleted():
            return replace(state, status=Status.COMPLETE)
        case OrderPaymentFailed():
            return state
        case OrderFailed():
            return replace(state, status=Status.FAILED)
        case _:
            assert_never(event)


ORDER = Fold("order", Order(), evolve, get_args(OrderEvent))
