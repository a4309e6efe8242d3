"""From a plan version to the terms of one sale: currency, period and quantities chosen.

Pure: ``terms_of`` takes a version and the present words of its product and features, and returns
``kernel.offer.OfferTerms``. ``commands.plan_terms`` loads all of that for a handler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.plan.versions import PlanVersion
from kernel.entitlement import Entitlement, FeatureType, FeatureWords
from kernel.errors import Invalid
from kernel.interval import INTERVALS, ChargePeriod
from kernel.money import Money
from kernel.offer import FeaturePrice, OfferTerms, PlanWords, ProductWords
from kernel.price import LARGEST_QUANTITY, Charge, PaymentType, Price, PriceRow, PriceType


class CurrencyNotPriced(Invalid):
    """The plan has no price in this currency."""

    code = "currency_not_priced"


class PeriodNotOffered(Invalid):
    """The plan does not offer this charge period."""

    code = "period_not_offered"


class SoldOnRequest(Invalid):
    """The plan has a custom price: it is sold on request, not directly."""

    code = "custom_priced_plan"


class UnknownQuantity(Invalid):
    """A quantity was given for a feature that this plan does not price."""

    code = "unknown_feature"


class QuantityOutOfRange(Invalid):
    """The quantity of a feature is outside what the plan allows."""

    code = "quantity_out_of_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a buyer chose of a plan version.

    ``quantities`` are by feature identifier; a feature left out counts with its minimum, else 1.
    ``is_agreed``: the price is agreed on apart, as that of a CUSTOM plan has to be.
    """

    price: Price
    period: ChargePeriod
    quantities: Mapping[str, int]
    is_agreed: bool = False


def plan_words(plan_id: UUID, identifier: str, version: PlanVersion) -> PlanWords:
    """The words of a version that a sale copies."""
    return PlanWords(
        id=plan_id,
        identifier=identifier,
        name=version.wording.name,
        version=version.number,
        description=version.wording.description,
        metadata=version.wording.metadata,
        links=version.wording.links,
        license=version.wording.license,
        files=tuple(file for file in version.wording.files if file.enabled),
    )


def chosen_price(
    version: PlanVersion, currency: str | None, default_currency: str | None = None
) -> Price:
    """The enabled price of a currency; without one: the default currency's, else the first.

    A free price is the same in every currency. Raises CurrencyNotPriced.
    """
    enabled = [p for p in version.prices if p.enabled or p.currency == default_currency]
    wanted = currency or default_currency
    found = next((price for price in enabled if price.currency == wanted), None)
    free = next((price for price in enabled if price.type is PriceType.FREE), None)
    if found is None and free is not None:
        return replace(free, currency=wanted or free.currency)
    if found is None and currency is None and enabled:
        return enabled[0]
    if found is None:
        raise CurrencyNotPriced(f"The plan has no price in {wanted or 'any currency'}.")
    return found


def terms_of(
    plan: PlanWords,
    product: ProductWords,
    version: PlanVersion,
    choice: Choice,
    features: Mapping[UUID, FeatureWords],
) -> OfferTerms:
    """What a sale of this version costs and grants.

    Raises SoldOnRequest, PeriodNotOffered, UnknownQuantity, QuantityOutOfRange.
    """
    price, period, quantities = choice.price, choice.period, choice.quantities
    on_request = price.type is PriceType.CUSTOM
    if on_request and not choice.is_agreed:
        raise SoldOnRequest
    if not on_request and period not in price.periods:
        raise PeriodNotOffered(_offered(plan, price, period))
    priced = tuple(
        _feature_price(row, features[row.feature], _charge(row, period), quantities)
        for row in price.rows
        if row.feature is not None
    )
    unknown = sorted(set(quantities) - {feature.identifier for feature in priced})
    if unknown:
        raise UnknownQuantity(f"The plan sells no quantity of {', '.join(unknown)}.")
    base = price.base and price.base.charge(period)
    return OfferTerms(
        plan=plan,
        product=product,
        currency=price.currency,
        period=period,
        price_type=price.type,
        tax_behavior=price.tax_behavior,
        base=Money(base.rate.numerator if base else 0, price.currency),
        features=priced,
        entitlements=_entitlements(version.entitlements, price, priced, features),
        trial_days=price.trial_days if price.free_trial and period in INTERVALS else 0,
    )


def _offered(plan: PlanWords, price: Price, period: ChargePeriod) -> str:
    offered = ", ".join(price.periods) or "none"
    return f"{plan.identifier} is not offered {period} in {price.currency}, but: {offered}."


def _charge(row: PriceRow, period: ChargePeriod) -> Charge:
    found = row.charge(period)
    if found is None:
        raise PeriodNotOffered
    return found


def _feature_price(
    row: PriceRow, feature: FeatureWords, charge: Charge, quantities: Mapping[str, int]
) -> FeaturePrice:
    return FeaturePrice(
        feature=feature.id,
        identifier=feature.identifier,
        name=feature.name,
        quantity=_quantity(row, feature.identifier, charge, quantities),
        model=row.model,
        payment=row.payment,
        charge=charge,
    )


def _quantity(row: PriceRow, identifier: str, charge: Charge, quantities: Mapping[str, int]) -> int:
    if row.payment is PaymentType.PAY_AS_YOU_GO:
        if quantities.get(identifier):
            raise UnknownQuantity(f"{identifier} is billed by use, it has no quantity.")
        return 0
    low = 0 if charge.minimum is None else charge.minimum
    high = LARGEST_QUANTITY if charge.maximum is None else charge.maximum
    chosen = quantities.get(identifier, 1 if charge.minimum is None else low)
    if not low <= chosen <= high:
        raise QuantityOutOfRange(f"The quantity of {identifier} must be from {low} to {high}.")
    return chosen


def _entitlements(
    granted: tuple[Entitlement, ...],
    price: Price,
    priced: tuple[FeaturePrice, ...],
    features: Mapping[UUID, FeatureWords],
) -> tuple[Entitlement, ...]:
    """What is granted, with present words; a quantity bought ahead is the limit (wire 30.1)."""
    rows = {row.feature: row for row in price.rows}
    bought = {feature.feature: feature for feature in priced}
    known = {entitlement.feature.id for entitlement in granted}
    implied = tuple(
        Entitlement(feature=features[feature], unlimited=rows[feature].unlimited)
        for feature in bought
        if feature not in known
    )
    return tuple(
        _with_quantity(
            _counted_as(
                replace(each, feature=features.get(each.feature.id, each.feature)),
                rows.get(each.feature.id),
            ),
            bought.get(each.feature.id),
        )
        for each in (*granted, *implied)
    )


def _counted_as(granted: Entitlement, row: PriceRow | None) -> Entitlement:
    """How usage counts, the price says where the entitlement does not (wire 18.4)."""
    if row is None:
        return granted
    reset, reset_time = granted.reset, granted.reset_time
    if reset is None:
        reset, reset_time = row.reset, row.reset_time
    return replace(
        granted,
        reset=reset,
        reset_time=reset_time,
        rollover=granted.rollover or row.rollover,
        usage_alerts=granted.usage_alerts or row.usage_alerts,
    )


def _with_quantity(granted: Entitlement, bought: FeaturePrice | None) -> Entitlement:
    if bought is None:
        return granted
    if bought.payment is PaymentType.PAY_AS_YOU_GO:
        return granted if granted.value else replace(granted, unlimited=True, value=None)
    if granted.feature.type is FeatureType.BOOLEAN:
        return replace(granted, value=bought.quantity > 0)
    return granted if granted.unlimited else replace(granted, value=bought.quantity)
