"""The price rule of a sale that began at an offering, and the contract it leads to."""

from __future__ import annotations

from uuid import UUID

from aggregates.offering.state import OFFERING
from aggregates.plan.currencies import Offered, common_currency
from aggregates.pricing_table.state import PRICING_TABLE
from aggregates.subscription.contract import Contract
from commands.catalog.lookup import load_own
from commands.plan_terms import UnknownPlan, on_sale
from commands.unit_of_work import UnitOfWork
from kernel.countries import currency_in
from kernel.offer import OfferTerms
from kernel.price_rule import PriceRule, applying, localized_terms
from kernel.publication import Publication


async def rule_for_sale(
    work: UnitOfWork,
    *,
    offering_id: UUID | None,
    rule_id: UUID | None = None,
    country: str | None,
) -> PriceRule | None:
    """The rule of an offering that is active, if it holds in the buyer's country.

    ``rule_id`` is what the buyer was shown; another one than the offering's gives no rule. What is
    unknown is no error: the buyer pays the price of the catalog.
    """
    if offering_id is None:
        return None
    offering = await load_own(work, OFFERING, offering_id)
    content = offering.content
    if content is None or offering.archived or content.publication is not Publication.ACTIVE:
        return None
    rule = content.rule
    if rule is None or rule_id not in {None, rule.id}:
        return None
    return applying(rule, country)


async def currency_shown(
    work: UnitOfWork, offering_id: UUID | None, country: str | None
) -> str | None:
    """The currency in which an offering shows its plans there; None: each has its own."""
    if offering_id is None:
        return None
    content = (await load_own(work, OFFERING, offering_id)).content
    if content is None or content.pricing_table is None:
        return None
    table = (await load_own(work, PRICING_TABLE, content.pricing_table)).content
    if table is None:
        return None
    plans = []
    for shown in table.plans:
        try:
            sold = await on_sale(work, shown.identifier)
        except UnknownPlan:
            continue
        plans.append(Offered(sold.version, sold.currency))
    local = currency_in(country) if country and table.options.localization else None
    return common_currency(plans, local)


def localized_contract(terms: OfferTerms, rule: PriceRule | None) -> Contract:
    """The plan at its price in the buyer's country, which later changes keep to."""
    found = localized_terms(terms, rule)
    return Contract(
        terms=found,
        amount=found.amount,
        feature_version=found.plan.version,
        price_rule=rule,
    )
