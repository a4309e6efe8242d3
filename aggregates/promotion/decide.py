"""Decisions about a promotion: made, changed, archived (wire 23)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.promotion.events import (
    PromotionArchived,
    PromotionChanged,
    PromotionContent,
    PromotionCreated,
)
from aggregates.promotion.state import Promotion
from kernel.errors import Invalid, NotFound


class PromotionNotFound(NotFound):
    """No such promotion."""

    code = "promotion_not_found"


class PromotionAlreadyArchived(Invalid):
    """The promotion is archived already."""

    code = "promotion_archived"


def create(
    state: Promotion, promotion_id: UUID, content: PromotionContent, *, at: datetime
) -> list[PromotionCreated]:
    """Make it, once."""
    if state.content is not None:
        return []
    return [PromotionCreated(promotion_id=promotion_id, content=content, occurred_at=at)]


def change(state: Promotion, content: PromotionContent, *, at: datetime) -> list[PromotionChanged]:
    """Let it be as told; the same again changes nothing."""
    if require(state) == content:
        return []
    return [PromotionChanged(promotion_id=state.id, content=content, occurred_at=at)]


def archive(state: Promotion, *, at: datetime) -> list[PromotionArchived]:
    """Take it away; a second time is refused, as in the catalog."""
    require(state)
    return [PromotionArchived(promotion_id=state.id, occurred_at=at)]


def require(state: Promotion) -> PromotionContent:
    """What it says. Raises PromotionNotFound, PromotionAlreadyArchived."""
    if state.content is None:
        raise PromotionNotFound
    if state.archived:
        raise PromotionAlreadyArchived
    return state.content
