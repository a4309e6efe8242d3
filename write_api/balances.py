"""Changes of customer balances by hand (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from commands.customers.adjust_balance import AdjustBalance
from projections.balances import BALANCE_ENTRIES
from wire.balance import AdjustmentIn, BalanceEntryOut
from wire.http.documented import gives
from write_api import answers
from write_api.write import Done, ServerWrite


router = APIRouter(prefix="/customers", tags=["Customers"])


@router.post("/{customer_id:path}/balance/", status_code=201, responses=gives(BalanceEntryOut, 201))
async def adjust(customer_id: str, body: AdjustmentIn, write: ServerWrite) -> Response:
    """Credit (negative) or debit a customer; the next invoices of that currency use it."""
    command = AdjustBalance(customer_id=customer_id, amount=body.money(), reason=body.reason)
    return await write(command, _entry)


async def _entry(done: Done) -> Response:
    body = await done.reader.find(BALANCE_ENTRIES, done.tenant, done.position)
    if body is None:
        raise answers.ViewsBehind
    return Response(body, 201, media_type="application/json")
