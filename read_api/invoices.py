"""Queries about invoices (spec: Invoices)."""

from __future__ import annotations

from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from projections import invoices
from projections.invoice_paper import texts_of
from projections.reader import Condition
from read_api.explanations import explain
from read_api.invoice_numbers import InvoiceNotFound, stream_of
from read_api.query import ListQuery, ServerList, ServerQuery
from wire.explanation import ExplanationOut
from wire.http import filters
from wire.http.documented import Page, gives
from wire.invoice import InvoiceOut
from wire.paper.invoice import TEMPLATE


router = APIRouter(prefix="/invoices", tags=["Invoices"])
PDF = {
    "description": "The document",
    "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
}


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


@router.get("/{invoice_id}/explain/", responses=gives(ExplanationOut))
async def explained(invoice_id: str, query: ServerQuery) -> Response:
    """Why an invoice is what it is.

    Every line with the facts it came from, its exact fraction of minor units and how that was
    rounded; then the totals step by step, and the payments so far.
    """
    stream = await stream_of(query.reader, query.tenant, invoice_id)
    explanation = await explain(query.request.app.state.log, stream)
    return Response(msgspec.json.encode(explanation), media_type="application/json")


@router.get("/{invoice_id}/pdf/", responses={200: PDF}, response_class=Response)
async def printed(invoice_id: str, query: ServerQuery) -> Response:
    """An invoice as PDF, in the language and with the figures of the billing country."""
    state = query.request.app.state
    stream = await stream_of(query.reader, query.tenant, invoice_id)
    texts = await texts_of(query.reader, state.log, query.tenant, stream)
    return Response(
        await state.typesetter.pdf(TEMPLATE, texts),
        media_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{invoice_id}.pdf"'},
    )


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
