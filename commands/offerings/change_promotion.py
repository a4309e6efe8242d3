"""Change a promotion, or archive it (wire 23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.promotion import decide
from aggregates.promotion.state import PROMOTION
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.offerings.create_promotion import require_codes
from commands.offerings.limiting_codes import limit_codes, load_codes
from commands.offerings.references import promoted_plan, promoted_product
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePromotion:
    """``changes`` are the fields of PromotionContent that the client named.

    ``products`` and ``plans`` None: those stay.
    """

    promotion_id: UUID
    changes: Mapping[str, Any]
    products: Sequence[str] | None = None
    plans: Sequence[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePromotion:
    """Its discount codes live on."""

    promotion_id: UUID


@handles(ChangePromotion)
async def change_promotion(work: UnitOfWork, command: ChangePromotion) -> None:
    """Raises PromotionNotFound, PromotionAlreadyArchived, InvalidFields."""
    state = await load_own(work, PROMOTION, command.promotion_id)
    before = decide.require(state)
    content = replace(before, **command.changes)
    if command.products is not None:
        found = [await promoted_product(work, each) for each in command.products]
        content = replace(content, products=tuple(found))
    if command.plans is not None:
        found = [await promoted_plan(work, each) for each in command.plans]
        content = replace(content, plans=tuple(found))
    for field in ("groups", "countries"):
        if field in command.changes:
            await require_codes(work, field, command.changes[field])
    await load_codes(work, before, content)
    at = work.instant()
    work.record(command.promotion_id, decide.change(state, content, at=at))
    await limit_codes(work, command.promotion_id, before, content, at=at)


@handles(ArchivePromotion)
async def archive_promotion(work: UnitOfWork, command: ArchivePromotion) -> None:
    """Raises PromotionNotFound, PromotionAlreadyArchived."""
    state = await load_own(work, PROMOTION, command.promotion_id)
    work.record(command.promotion_id, decide.archive(state, at=work.instant()))
