"""Writes about promotions (wire 23, design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from aggregates.promotion.decide import PromotionNotFound
from commands.offerings.change_promotion import ArchivePromotion, ChangePromotion
from commands.offerings.create_promotion import CreatePromotion
from projections.promotions import PROMOTIONS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.monetization.promotion import PromotionChangesIn, PromotionIn, PromotionOut
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/monetization/promotions", tags=["Monetization"])


@router.post("/", status_code=201, responses=gives(PromotionOut, 201))
async def create(body: PromotionIn, write: ServerWrite) -> Response:
    """Create a promotion; a code must be that of a discount that takes off the same percentage."""
    command = CreatePromotion(
        promotion_id=write.id("promotion"),
        content=body.content(),
        products=body.products,
        plans=body.plans,
    )
    return await write(command, answers.row(PROMOTIONS, status=201))


@router.patch("/{promotion_id}/", responses=gives(PromotionOut))
async def change(promotion_id: str, body: PromotionChangesIn, write: ServerWrite) -> Response:
    """Change a promotion; every part that is named is replaced whole."""
    key = uuid_of(promotion_id, PromotionNotFound())
    given = body.model_fields_set
    command = ChangePromotion(
        promotion_id=key,
        changes=body.changes(),
        products=body.products if "products" in given else None,
        plans=body.plans if "plans" in given else None,
    )
    return await write(command, answers.row(PROMOTIONS, key))


@router.delete("/{promotion_id}/", status_code=204)
async def archive(promotion_id: str, write: ServerWrite) -> Response:
    """Archive a promotion; its discount codes live on."""
    key = uuid_of(promotion_id, PromotionNotFound())
    return await write(ArchivePromotion(promotion_id=key), answers.nothing())
