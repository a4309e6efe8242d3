"""Gathers what an invoice on paper says: the fact, the record and the merchant's name."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from aggregates.invoice.events import InvoiceCreated
from kernel.ports.event_store import EventStore
from kernel.tenant import Tenant
from projections.customers import CUSTOMERS
from projections.invoices import INVOICES
from projections.merchants import letterhead_of, merchant_of
from projections.orders import ORDERS
from projections.reader import Reader
from wire.paper.invoice import Parties, invoice_texts
from wire.standing_invoice import standing


async def texts_of(
    reader: Reader, log: EventStore, tenant: Tenant, invoice: UUID
) -> dict[str, Any]:
    """The texts of an invoice that the view shows. Raises LookupError if it does not."""
    record = await reader.find(INVOICES, tenant, invoice)
    facts = (await log.load(invoice)).facts
    if record is None or not isinstance(facts[0], InvoiceCreated):
        raise LookupError(f"{invoice} is not an invoice of {tenant.slug}")
    created = standing(facts[0], facts)
    buyer = await reader.find(CUSTOMERS, tenant, created.sale.customer)
    parties = Parties(
        merchant=await merchant_of(reader, tenant),
        letterhead=await letterhead_of(reader, tenant),
        buyer_tax_id=msgspec.json.decode(buyer)["taxId"] if buyer else None,
    )
    order = created.order_id and await reader.find(ORDERS, tenant, created.order_id)
    refunded = msgspec.json.decode(order)["refundedTotalUnits"] if order else 0
    return invoice_texts(created, msgspec.json.decode(record), parties, refunded)
