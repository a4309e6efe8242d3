"""Queries about customer balances (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from kernel.errors import NotFound
from projections.balances import BALANCE_ENTRIES, BALANCES, of_customer
from projections.customers import CUSTOMERS
from projections.reader import Wanted
from read_api.query import ServerList
from wire.balance import BalanceEntryOut, BalanceOut
from wire.http.documented import gives


router = APIRouter(prefix="/customers", tags=["Customers"])

MOST_CURRENCIES = 200


class BalancePage(TypedDict):
    """A page of changes, with what stands now in each currency."""

    count: int
    next: str | None
    previous: str | None
    results: list[BalanceEntryOut]
    balances: list[BalanceOut]


class CustomerNotFound(NotFound):
    """No customer has this customerId."""

    code = "customer_not_found"


@router.get("/{customer_id:path}/balance/", responses=gives(BalancePage))
async def balance(customer_id: str, query: ServerList) -> Response:
    """What stands per currency in ``balances``, and every change, newest first."""
    customer = query.natural_id("customer", customer_id)
    if await query.reader.find(CUSTOMERS, query.tenant, customer) is None:
        raise CustomerNotFound
    mine = of_customer(customer)
    every = Wanted(page=1, page_size=MOST_CURRENCIES, buckets={}, conditions=(mine,))
    found = await query.reader.page(BALANCES, query.tenant, every)
    return await query.page(BALANCE_ENTRIES, mine, more={"balances": found.bodies})
