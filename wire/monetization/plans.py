"""Plans as an offering shows them: prices in the visitor's currency, features with their words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from aggregates.plan.currencies import NO_AMOUNT, Offered
from aggregates.plan.versions import PlanVersion
from kernel.entitlement import Entitlement, FeatureType
from kernel.interval import ChargePeriod
from kernel.price import (
    Charge,
    PaymentType,
    Price,
    PriceRow,
    PriceType,
    Rate,
    amount_of,
)
from kernel.price_rule import PriceRule, localized_price
from wire.catalog.fields import number
from wire.catalog.price import charge_out


@dataclass(frozen=True, slots=True)
class PlanOnSale:
    """A published version with the present words around it; ``features`` are feature records."""

    id: UUID
    identifier: str
    product: UUID
    default_currency: str | None
    version: PlanVersion
    features: Mapping[UUID, dict[str, Any]]

    @property
    def offered(self) -> Offered:
        """What its prices are chosen by."""
        return Offered(self.version, self.default_currency)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """For whom prices are shown; ``periods`` None: all that a plan is offered in."""

    currency: str | None = None
    rule: PriceRule | None = None
    periods: Collection[ChargePeriod] | None = None


def plan_out(
    plan: PlanOnSale, terms: Terms, shown: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """One of ``plans``; ``shown`` is what a pricing table says of it. None: there is no price."""
    listed = plan.offered.price(terms.currency)
    if listed is None:
        return None
    price = localized_price(listed, terms.rule)
    wording, said = plan.version.wording, shown or {}
    return {
        "name": wording.name,
        "description": wording.description,
        "identifier": plan.identifier,
        "details": {},
        "isVisible": wording.is_visible,
        "metadata": wording.metadata,
        "basePlan": None,
        "price": _price(price, terms),
        "originalPrice": _original(listed, terms),
        "features": list(_features(plan, price, terms, said.get("features", ()))),
        "shouldHighlight": said.get("is_highlighted", False),
        "enabled": said.get("enabled", True),
        "displayName": said.get("display_name") or wording.name,
        "displayDescription": said.get("display_description") or wording.description,
        "includes": said.get("includes", ""),
    }


def _price(price: Price, terms: Terms) -> dict[str, Any]:
    return {
        "id": str(price.id),
        "priceType": price.type,
        "freeTrial": price.free_trial,
        "trialPeriod": price.trial_days if price.free_trial else 0,
        "currency": price.currency,
        "enabled": True,
        "charges": list(_charges(price, terms)),
    }


def _charges(price: Price, terms: Terms) -> Iterator[dict[str, Any]]:
    if price.type is PriceType.FREE:
        yield _charge(price, PriceRow(), Charge(period=ChargePeriod.ONE_TIME))
        return
    base = price.base or PriceRow()
    for period in _periods(price, terms):
        yield _charge(price, base, base.charge(period) or Charge(period=period))


def _periods(price: Price, terms: Terms) -> list[ChargePeriod]:
    return [period for period in price.periods if _is_asked(terms, period)]


def _is_asked(terms: Terms, period: ChargePeriod) -> bool:
    return terms.periods is None or period in terms.periods


def _charge(price: Price, row: PriceRow, charge: Charge) -> dict[str, Any]:
    least = _bought_at_least(price, charge.period) if row.feature is None else Rate(0)
    return {
        **charge_out(price, row, charge),
        "details": {"priceModel": row.model, "paymentType": row.payment},
        "featureQuantityPrice": number(least, price.currency),
    }


def _bought_at_least(price: Price, period: ChargePeriod) -> Rate:
    """What the quantities that are bought ahead cost at their least."""
    exact = sum(
        amount_of(row.model, charge, 1 if charge.minimum is None else charge.minimum)
        for row in price.rows
        if row.feature is not None and row.payment is PaymentType.ADVANCE_COMMITMENT
        for charge in row.charges
        if charge.period is period
    )
    return Rate(exact.numerator, exact.denominator)


def _original(listed: Price, terms: Terms) -> dict[str, Any]:
    """Amounts by period as they are where no rule holds; empty without a rule."""
    if terms.rule is None or listed.type in NO_AMOUNT or listed.base is None:
        return {}
    wanted = _periods(listed, terms)
    charges = (charge for charge in listed.base.charges if charge.period in wanted)
    return {charge.period.value: number(charge.rate, listed.currency) for charge in charges}


def _features(
    plan: PlanOnSale, price: Price, terms: Terms, shown: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Those that the table names first, then the rest in the order of the plan."""
    granted = {entitlement.feature.id: entitlement for entitlement in plan.version.entitlements}
    rows = {row.feature: row for row in price.rows if row.feature is not None}
    said = {each["identifier"]: each for each in shown}
    order = {identifier: place for place, identifier in enumerate(said)}
    known = [plan.features[key] for key in dict.fromkeys([*granted, *rows]) if key in plan.features]
    known.sort(key=lambda record: order.get(record["identifier"], len(order)))
    for record in known:
        key = UUID(record["id"])
        row = rows.get(key)
        charges = [] if row is None else [_charge(price, row, each) for each in row.charges]
        charges = [each for each in charges if _is_asked(terms, each["chargePeriod"])]
        words = _words(record, said.get(record["identifier"], {}))
        yield {**record, **words, **_granted(granted.get(key), row, record), "charges": charges}


def _words(record: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "displayName": said.get("display_name") or record["name"],
        "displayDescription": said.get("display_description") or record["description"],
        "displayTooltipDescription": said.get("has_tooltip", False),
        "enabled": said.get("enabled", True),
    }


def _granted(
    entitlement: Entitlement | None, row: PriceRow | None, record: Mapping[str, Any]
) -> dict[str, Any]:
    """What comes with the plan; a quantity that is bought ahead at its least."""
    value: bool | int | None = None if entitlement is None else entitlement.value
    unlimited = entitlement.unlimited if entitlement else row is not None and row.unlimited
    if row is not None and row.payment is PaymentType.ADVANCE_COMMITMENT and not unlimited:
        least = row.charges[0].minimum if row.charges else None
        value = 1 if least is None else least
    if record["featureType"] == FeatureType.BOOLEAN:
        value = bool(value) if entitlement else row is not None
    return {
        "value": None if unlimited else value,
        "hasUnlimitedUsage": unlimited,
        "hardLimit": entitlement.hard_limit if entitlement else False,
        "reset": entitlement.reset if entitlement else None,
        "resetTime": entitlement.reset_time if entitlement else None,
    }
