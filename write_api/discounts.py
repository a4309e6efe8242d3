"""Writes about discounts (spec: Discount, design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from aggregates.discount.decide import DiscountNotFound, NewDiscount
from commands.discounts.change_discount import ArchiveDiscount, SwitchDiscount
from commands.discounts.create_discount import CreateDiscount, Restriction
from projections.discounts import DISCOUNTS
from wire.discount import DiscountChangesIn, DiscountIn, DiscountOut
from wire.http.documented import gives
from wire.http.filters import uuid_of
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/discount", tags=["Discounts"])


@router.post("/", status_code=201, responses=gives(DiscountOut, 201))
async def create(body: DiscountIn, write: ServerWrite) -> Response:
    """Create a discount; its code can never be used again, in any case of letters.

    Merchant of Record organizations only, else 403.
    """
    command = CreateDiscount(
        seed=write.id("discount"),
        code=body.code,
        new=NewDiscount(
            name=body.name,
            off=body.off(),
            duration=body.duration,
            cycles=body.cycles(),
            max_redemptions=body.max_redemptions,
            expires_at=body.expires_at,
            enabled=body.enabled,
        ),
        applies_to=tuple(
            Restriction(product=row.product, plan=row.plan, period=row.charge_period)
            for row in body.applies_to or ()
        ),
    )
    return await write(command, answers.row(DISCOUNTS, status=201))


@router.patch("/{discount_id}/", responses=gives(DiscountOut))
async def switch(discount_id: str, body: DiscountChangesIn, write: ServerWrite) -> Response:
    """Enable or disable a discount; subscriptions that have it keep it."""
    key = uuid_of(discount_id, DiscountNotFound())
    command = SwitchDiscount(discount_id=key, enabled=body.enabled)
    return await write(command, answers.row(DISCOUNTS, key))


@router.delete("/{discount_id}/", status_code=204)
async def archive(discount_id: str, write: ServerWrite) -> Response:
    """Archive a discount; its code stays taken, subscriptions that have it keep it."""
    key = uuid_of(discount_id, DiscountNotFound())
    return await write(ArchiveDiscount(discount_id=key), answers.nothing())
