"""Queries about invoices (spec: Invoices)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections import invoices
from projections.reader import Condition
from read_api.query import ListQuery, ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.invoice import InvoiceOut


router = APIRouter(prefix="/invoices", tags=["Invoices"])


class InvoiceNotFound(NotFound):
    """Invoice not found."""

    code = "invoice_not_found"


@router.get("/", responses=gives(Page[InvoiceOut]))
async def listed(
    query: ServerList, subscription_id: str | None = None, customer_id: filters.CustomerId = None
) -> Response:
    """All invoices, newest first; those of an unknown customer or subscription are none."""
    conditions = _conditions(query, subscription_id, customer_id)
    return await query.page(invoices.INVOICES, *conditions)


@router.get("/{invoice_id}/", responses=gives(InvoiceOut))
async def one(invoice_id: str, query: ServerQuery) -> Response:
    """One invoice by its number."""
    refusal = InvoiceNotFound()
    number = filters.number_of(invoice_id, refusal)
    return await query.first(invoices.INVOICES, invoices.numbered(number), refusal=refusal)


def _conditions(
    query: ListQuery, subscription_id: str | None, customer_id: str | None
) -> list[Condition]:
    found = []
    if subscription_id:
        found.append(_of_subscription(subscription_id))
    if customer_id:
        found.append(invoices.of_customer(query.natural_id("customer", customer_id)))
    return found


def _of_subscription(text: str) -> Condition:
    try:
        return invoices.of_subscription(UUID(text))
    except ValueError:
        return Condition("false")
