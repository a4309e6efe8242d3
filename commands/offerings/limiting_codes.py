"""Keeps the codes of a promotion to what and to whom it tells them (wire 23)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.discount import decide
from aggregates.discount.state import DISCOUNT
from aggregates.promotion.events import PromotionContent
from aggregates.promotion.reach import limits_by_code
from commands.discounts.create_discount import discount_of
from commands.unit_of_work import UnitOfWork
from kernel.discount import UNLIMITED


async def load_codes(work: UnitOfWork, *contents: PromotionContent) -> None:
    """Read the discounts that ``limit_codes`` will write, before the instant is taken."""
    for content in contents:
        for code in sorted(limits_by_code(content)):
            await work.load(DISCOUNT, discount_of(work, code))


async def limit_codes(
    work: UnitOfWork,
    promotion_id: UUID,
    before: PromotionContent | None,
    content: PromotionContent,
    *,
    at: datetime,
) -> None:
    """Record on each discount what the promotion changes about it; codes it left are free."""
    reached = limits_by_code(content)
    former = {} if before is None else limits_by_code(before)
    for code in sorted({*reached, *former}):
        stream = discount_of(work, code)
        state = await work.load(DISCOUNT, stream)
        wanted = reached.get(code, UNLIMITED)
        work.record(stream, decide.limit(state, promotion_id, wanted, at=at))
