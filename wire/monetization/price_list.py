"""Public and product offerings: everything a pricing page needs (spec: Public offering, wire 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aggregates.plan.currencies import base_currency, common_currency
from kernel.countries import currency_in
from kernel.interval import ChargePeriod
from kernel.price import PriceType
from wire.amounts import symbol
from wire.localization import locale_of
from wire.monetization.plans import PlanOnSale, Terms, plan_out
from wire.monetization.pricing_table import period_out


PERIOD_NAMES = {
    ChargePeriod.ONE_TIME: "One time",
    ChargePeriod.DAILY: "Daily",
    ChargePeriod.WEEKLY: "Weekly",
    ChargePeriod.TWENTY_EIGHT_DAYS: "Every 28 days",
    ChargePeriod.MONTHLY: "Monthly",
    ChargePeriod.THREE_MONTHS: "Quarterly",
    ChargePeriod.SIX_MONTHS: "Half-yearly",
    ChargePeriod.YEARLY: "Yearly",
}
NOBODY = {"hasPreviousSubscription": False}
"""``subscription`` of who is not known."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where and in which currency an offering is shown; ``base`` is the merchant's currency."""

    country: str | None
    currency: str | None
    base: str | None

    def fields(self) -> dict[str, Any]:
        """The fields that say so; empty texts where nothing is known."""
        return {
            "countryCode": self.country or "",
            "pricingLocale": locale_of(self.country),
            "currencyCode": self.currency or "",
            "currencySymbol": symbol(self.currency) if self.currency else "",
            "baseCurrencyCode": self.base or "",
            "baseCurrencySymbol": symbol(self.base) if self.base else "",
        }


def place_of(plans: Sequence[PlanOnSale], country: str | None, *, localized: bool = True) -> Place:
    """The country's own currency if everything has a price in it, else the merchant's."""
    offered = [plan.offered for plan in plans]
    local = currency_in(country) if localized and country is not None else None
    return Place(country, common_currency(offered, local), base_currency(offered))


def plans_out(
    plans: Iterable[PlanOnSale], terms: Terms, shown: Mapping[str, Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """``plans``: those that have a price, as the table (by identifier) shows them."""
    said = shown or {}
    rendered = (plan_out(plan, terms, said.get(plan.identifier)) for plan in plans)
    return [each for each in rendered if each is not None]


def periods_out(
    plans: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """``billingPeriods``: those of the table that a plan is sold in, else all that plans have."""
    sold = {
        charge["chargePeriod"]
        for plan in plans
        if plan["price"]["priceType"] != PriceType.FREE
        for charge in plan["price"]["charges"]
    }
    rows = [period_out(dict(row)) for row in shown] or [_usual(each) for each in PERIOD_NAMES]
    rows = [row for row in rows if row["chargePeriod"] in sold]
    for row in rows:
        row["displayName"] = row["displayName"] or PERIOD_NAMES[ChargePeriod(row["chargePeriod"])]
    usable = [row for row in rows if row["enabled"]]
    if usable and not any(row["defaultSelected"] for row in usable):
        usable[0]["defaultSelected"] = True
    return rows


def _usual(period: ChargePeriod) -> dict[str, Any]:
    return {
        "chargePeriod": period.value,
        "displayName": "",
        "enabled": True,
        "promoCaption": "",
        "defaultSelected": False,
    }


def subscription_out(doc: Mapping[str, Any] | None, *, had_another: bool) -> dict[str, Any]:
    """``subscription`` of a known customer; null fields when there is none."""
    if doc is None:
        nothing = ("planIdentifier", "subscriptionId", "chargePeriod")
        return {**dict.fromkeys(nothing), "features": [], "hasPreviousSubscription": had_another}
    return {
        "planIdentifier": doc["plan"]["identifier"],
        "subscriptionId": doc["subscription"],
        "chargePeriod": doc["charge_period"],
        "features": [
            {
                "identifier": feature["identifier"],
                "displayName": feature["name"],
                "featureType": feature["feature_type"],
                "value": None if feature["unlimited"] else feature["value"],
            }
            for feature in doc["features"]
        ],
        "hasPreviousSubscription": had_another,
    }
