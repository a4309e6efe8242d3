"""A refund as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never, get_args

from aggregates.refund.events import (
    RefundCreated,
    RefundEvent,
    RefundFailed,
    RefundPending,
    RefundSucceeded,
    Status,
)
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class Refund:
    """``is_pending``: the provider was asked and was silent. ``failure`` is for people."""

    status: Status = Status.ABSENT
    created: RefundCreated | None = None
    is_pending: bool = False
    failure: RefundFailed | None = None


def evolve(state: Refund, event: RefundEvent) -> Refund:
    """Total and free of rules: what is recorded is true."""
    match event:
        case RefundCreated():
            return Refund(Status.PROCESSING, event)
        case RefundPending():
            return replace(state, is_pending=True)
        case RefundSucceeded():
            return replace(state, status=Status.SUCCEEDED, is_pending=False)
        case RefundFailed():
            return replace(state, status=Status.FAILED, is_pending=False, failure=event)
        case _:
            assert_never(event)


REFUND = Fold("refund", Refund(), evolve, get_args(RefundEvent))
