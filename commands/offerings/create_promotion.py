"""Offer people less to pay, by where they are (wire 23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.discount.state import DISCOUNT
from aggregates.promotion import decide
from aggregates.promotion.events import CountryReduction, GroupReduction, PromotionContent
from aggregates.promotion.state import PROMOTION
from commands.bus import handles
from commands.discounts.create_discount import discount_of
from commands.offerings.limiting_codes import limit_codes, load_codes
from commands.offerings.references import promoted_plan, promoted_product
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePromotion:
    """``products`` by identifier or id, ``plans`` by identifier; the content has none of them."""

    promotion_id: UUID
    content: PromotionContent
    products: Sequence[str] = ()
    plans: Sequence[str] = ()


@handles(CreatePromotion)
async def create_promotion(work: UnitOfWork, command: CreatePromotion) -> UUID:
    """The promotion's id. Raises InvalidFields."""
    stream = command.promotion_id
    content = replace(
        command.content,
        products=tuple([await promoted_product(work, each) for each in command.products]),
        plans=tuple([await promoted_plan(work, each) for each in command.plans]),
    )
    await require_codes(work, "groups", content.groups)
    await require_codes(work, "countries", content.countries)
    state = await work.load(PROMOTION, stream, absent=True)
    await load_codes(work, content)
    at = work.instant()
    facts = decide.create(state, stream, content, at=at)
    work.record(stream, facts, owner=work.tenant.organization)
    await limit_codes(work, stream, None, content, at=at)
    return stream


async def require_codes(
    work: UnitOfWork, field: str, rows: Iterable[GroupReduction | CountryReduction]
) -> None:
    """Raise InvalidFields unless each code takes off exactly what is said."""
    for row in rows:
        if not row.code:
            continue
        discount = await work.load(DISCOUNT, discount_of(work, row.code))
        if discount.created is None or discount.archived:
            raise InvalidFields({field: [f"There is no discount with the code {row.code!r}."]})
        if discount.created.off.percentage != row.percentage:
            message = f"The discount {row.code!r} does not take off {row.percentage} percent."
            raise InvalidFields({field: [message]})
