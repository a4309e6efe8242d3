"""A promotion as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.promotion.events import (
    PromotionArchived,
    PromotionChanged,
    PromotionContent,
    PromotionCreated,
    PromotionEvent,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class Promotion:
    """``content`` None: there is none."""

    id: UUID = NIL
    content: PromotionContent | None = None
    archived: bool = False


def evolve(state: Promotion, event: PromotionEvent) -> Promotion:
    """Total and free of rules: what is recorded is true."""
    match event:
        case PromotionCreated():
            return Promotion(event.promotion_id, event.content)
        case PromotionChanged():
            return replace(state, content=event.content)
        case PromotionArchived():
            return replace(state, archived=True)
        case _:
            assert_never(event)


PROMOTION = Fold("promotion", Promotion(), evolve, get_args(PromotionEvent))
