"""A price that was agreed on with one customer, in place of the plan's (spec: isCustomPricing)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from aggregates.subscription.contract import Contract
from kernel.errors import Invalid, InvalidFields
from kernel.money import Money, parse_units
from kernel.offer import OfferTerms
from kernel.price import PriceType, TaxBehavior


def custom_contract(
    terms: OfferTerms, amount: Decimal, tax_behavior: TaxBehavior | None = None
) -> Contract:
    """What the plan grants, for ``amount`` in major units per period, quantities included.

    ``tax_behavior`` None: EXCLUSIVE. Raises InvalidFields.
    """
    try:
        units = parse_units(amount, terms.currency)
    except Invalid as invalid:
        raise InvalidFields({"customAmount": [invalid.message]}) from None
    behavior = tax_behavior or TaxBehavior.EXCLUSIVE
    return at_price(terms, Money(units, terms.currency), behavior)


def at_price(terms: OfferTerms, price: Money, tax_behavior: TaxBehavior) -> Contract:
    """What the plan grants for a price of its own."""
    agreed = replace(
        terms, base=price, features=(), price_type=PriceType.PAID, tax_behavior=tax_behavior
    )
    return Contract(
        terms=agreed,
        amount=agreed.amount,
        feature_version=terms.plan.version,
        is_custom_pricing=True,
    )
