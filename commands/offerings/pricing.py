"""The price rule of a sale that began at an offering, and the contract it leads to."""

from __future__ import annotations

from uuid import UUID

from aggregates.offering.state import OFFERING
from aggregates.subscription.contract import Contract
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork
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


def localized_contract(terms: OfferTerms, rule: PriceRule | None) -> Contract:
    """The plan at its price in the buyer's country, which later changes keep to."""
    found = localized_terms(terms, rule)
    return Contract(
        terms=found,
        amount=found.amount,
        feature_version=found.plan.version,
        price_rule=rule,
    )
