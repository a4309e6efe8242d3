"""Uses a discount code for a sale, and gives a subscription a discount."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.discount.events import DiscountRedeemed
from aggregates.discount.redeem import Redeemed, check, redeem
from aggregates.discount.state import DISCOUNT
from aggregates.subscription import discounts
from aggregates.subscription.discount_events import DiscountSource
from aggregates.subscription.state import SUBSCRIPTION
from commands.discounts.create_discount import discount_of
from commands.unit_of_work import UnitOfWork
from kernel.discount import DiscountTerms
from kernel.offer import OfferTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Redemption:
    """A code that may be used: nothing is recorded before ``record_redemption``."""

    terms: DiscountTerms
    stream: UUID
    facts: tuple[DiscountRedeemed, ...]


async def redemption_of(  # noqa: PLR0913 -- each by name
    work: UnitOfWork,
    code: str,
    *,
    customer: UUID,
    subscription_id: UUID,
    offer: OfferTerms,
    at: datetime,
    country: str | None = None,
) -> Redemption:
    """Check a code for a sale. Raises what ``aggregates.discount.redeem.check`` raises.

    ``country`` None: that of the customer's billing address.
    """
    stream = discount_of(work, code)
    state = await work.load(DISCOUNT, stream)
    sale = Redeemed(
        customer=customer,
        subscription_id=subscription_id,
        product=offer.product.id,
        plan=offer.plan.id,
        period=offer.period,
        currency=offer.currency,
        country=country or await _country_of(work, customer),
    )
    terms = check(state, sale, at=at)
    return Redemption(terms=terms, stream=stream, facts=tuple(redeem(state, sale, at=at)))


async def _country_of(work: UnitOfWork, customer: UUID) -> str | None:
    address = (await work.load(CUSTOMER, customer, guard=False)).details.billing_address
    return (address.country or "").upper() or None if address else None


async def record_redemption(
    work: UnitOfWork, subscription_id: UUID, redemption: Redemption, *, at: datetime
) -> None:
    """Attach the discount to the sale's subscription and count the redemption, in one append."""
    source = DiscountSource.CODE
    await attach_discount(work, subscription_id, redemption.terms, source=source, at=at)
    work.record(redemption.stream, redemption.facts)


async def attach_discount(
    work: UnitOfWork,
    subscription_id: UUID,
    terms: DiscountTerms,
    *,
    source: DiscountSource,
    at: datetime,
) -> None:
    """Reduce the invoices of whole periods from the next one on.

    A retention offer attaches terms of its own making: an id derived from the acceptance, no code,
    REPEATING with its cycles. Attaching the same id again changes nothing.
    """
    state = await work.load(SUBSCRIPTION, subscription_id)
    facts = discounts.attach(state.discounts, subscription_id, terms, source=source, at=at)
    work.record(subscription_id, facts)
