"""Writes about refunds (wire 14)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.order.refunding import RefundRefused
from aggregates.refund.decide import Wish
from aggregates.refund.events import Status
from aggregates.refund.state import REFUND
from commands.bus import Bus
from commands.refunds.create_refund import CreateRefund, OrderNotFound
from projections.orders import order_numbered
from projections.refunds import REFUNDS
from wire.http import errors
from wire.http.documented import gives
from wire.http.filters import number_of
from wire.refund import RefundIn, RefundOut
from write_api import answers
from write_api.outcomes import settled
from write_api.write import Answer, Done, ServerWrite


class ProviderRefusedRefund(RefundRefused):
    """The payment provider refused to give the money back."""

    code = "refund_failed"


router = APIRouter(prefix="/refunds", tags=["Refunds"])


@router.post("/", responses=gives(RefundOut))
async def create(body: RefundIn, write: ServerWrite) -> Response:
    """Give back part or all of what was paid for an order.

    The answer waits for the provider, at most 8 s; after that the refund is ``PROCESSING``. When
    the provider refuses, the answer is 400 ``{error}`` and the refund is kept as ``FAILED``.
    """
    refund_id = write.id("refund")

    async def command() -> CreateRefund:
        number = number_of(body.order_id, OrderNotFound())
        order_id = await order_numbered(write.services.reader, write.tenant, number)
        if order_id is None:
            raise OrderNotFound
        return CreateRefund(
            refund_id=refund_id,
            order_id=order_id,
            units=body.amount_units,
            amount=body.amount,
            wish=Wish(reason=body.reason, internal_note=body.internal_note),
        )

    bus = write.services.bus
    shown = _refunded(bus, refund_id, answers.row(REFUNDS, refund_id))
    return await write(command, settled(bus, shown))


def _refunded(bus: Bus, refund_id: UUID, shown: Answer) -> Answer:
    """The record, or why the provider refused: that answer is kept like the other."""

    async def answer(done: Done) -> Response:
        refund = REFUND.of((await bus.store.load(refund_id)).facts)
        if refund.status is Status.FAILED and refund.failure is not None:
            return errors.answer(ProviderRefusedRefund(refund.failure.message))
        return await shown(done)

    return answer
