"""How a sale to a customer is taxed, as settings, address and tax id stand now (design 7)."""

from __future__ import annotations

from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.organization.state import ORGANIZATION
from commands.unit_of_work import UnitOfWork
from kernel.offer import OfferTerms
from kernel.ports.tax import Taxable
from kernel.tax import TaxTerms


async def tax_of_sale(work: UnitOfWork, customer: UUID, offer: OfferTerms) -> TaxTerms | None:
    """The tax on what is sold today; None when nothing is known that would tax it."""
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    if not organization.settings.tax_rates:
        return None
    buyer = (await work.load(CUSTOMER, customer, guard=False)).details
    address = buyer.billing_address
    sale = Taxable(
        country=(address.country or "").upper() if address else "",
        tax_id=buyer.tax_id or "",
        tax_code=offer.product.tax_code,
        behavior=offer.tax_behavior,
    )
    return work.tenant.tax.terms(sale, organization.settings)
