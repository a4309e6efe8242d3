"""From the number that people know an invoice by to the invoice."""

from __future__ import annotations

from uuid import UUID

from kernel.errors import NotFound
from kernel.tenant import Tenant
from projections import invoices
from projections.reader import Reader
from wire.http import filters


class InvoiceNotFound(NotFound):
    """Invoice not found."""

    code = "invoice_not_found"


async def stream_of(reader: Reader, tenant: Tenant, number: str) -> UUID:
    """The stream of an invoice of the organization. Raises InvoiceNotFound."""
    refusal = InvoiceNotFound()
    where = invoices.numbered(filters.number_of(number, refusal))
    found = await reader.rows(
        f"SELECT t.id FROM invoices t WHERE t.organization = %s AND {where.sql}",
        (tenant.organization, *where.parameters),
    )
    if not found:
        raise refusal
    stream: UUID = found[0][0]
    return stream
