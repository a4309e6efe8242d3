"""Plans as cards: what the JSON of an offering comes to in words, for page and embedded table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kernel.interval import ChargePeriod
from pages.price_amounts import USUAL, Amounts
from wire.language import Language
from wire.monetization.price_list import PERIOD_NAMES


FREE, CUSTOM, PAID = "FREE", "CUSTOM", "PAID"
Link = Callable[[str, str], str]
"""Where a plan (identifier) is bought for a period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a card says while a period is chosen; ``period`` empty: whatever is chosen."""

    period: str
    price: str
    original: str = ""
    per: str = ""
    extras: tuple[str, ...] = ()
    trial: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A feature of a card."""

    text: str
    about: str = ""
    is_tooltip: bool = False
    included: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A plan."""

    name: str
    description: str
    highlighted: bool
    includes: str
    offers: tuple[Offer, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A period to choose."""

    period: str
    name: str
    caption: str
    selected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """All of a pricing table."""

    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]
    align: str = "center"


def cards_of(body: Mapping[str, Any], language: Language, link: Link, wanted: str = "") -> Cards:
    """The cards of an offering; ``wanted`` is the period to begin with, if there is such a one."""
    table = body["pricingTable"] or {}
    options = table.get("pricingOptions", USUAL)
    shown = [row for row in body["billingPeriods"] if row["enabled"]]
    periods = [row["chargePeriod"] for row in shown]
    first = wanted if wanted in periods else None
    writer = _Writer(language, Amounts(language, options), link, periods)
    plans = [plan for plan in body["plans"] if plan["enabled"]]
    return Cards(
        choices=tuple(_choice(row, first, language) for row in shown),
        cards=tuple(writer.card(plan) for plan in plans),
        align=table.get("layout", {}).get("align", "center"),
    )


def _choice(row: Mapping[str, Any], first: str | None, language: Language) -> Choice:
    period = row["chargePeriod"]
    return Choice(
        period=period,
        name=_own_name(row, language),
        caption=row["promoCaption"],
        selected=row["defaultSelected"] if first is None else period == first,
    )


def _own_name(row: Mapping[str, Any], language: Language) -> str:
    """The merchant's name for a period; the usual one in the visitor's language."""
    period, name = ChargePeriod(row["chargePeriod"]), str(row["displayName"])
    return language.say(f"pricing.usual_{period}") if name == PERIOD_NAMES[period] else name


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the cards of one table."""

    language: Language
    amounts: Amounts
    link: Link
    periods: Sequence[str]

    def card(self, plan: Mapping[str, Any]) -> Card:
        return Card(
            name=plan["displayName"],
            description=plan["displayDescription"],
            highlighted=plan["shouldHighlight"],
            includes=plan["includes"],
            offers=tuple(self._offers(plan)),
            lines=tuple(self._line(each) for each in plan["features"] if each["enabled"]),
        )

    def _offers(self, plan: Mapping[str, Any]) -> Iterator[Offer]:
        price, say = plan["price"], self.language.say
        if price["priceType"] == CUSTOM or not price["charges"]:
            yield Offer(period="", price=say("pricing.on_request"))
            return
        if price["priceType"] == FREE:
            period = price["charges"][0]["chargePeriod"]
            link = self.link(plan["identifier"], period)
            yield Offer(period="", price=say("pricing.free"), link=link)
            return
        charges = {charge["chargePeriod"]: charge for charge in price["charges"]}
        for chosen in self.periods:
            sold = chosen if chosen in charges else next(iter(charges))
            yield self._offer(plan, charges[sold], chosen)

    def _offer(self, plan: Mapping[str, Any], charge: Mapping[str, Any], chosen: str) -> Offer:
        price, sold, say = plan["price"], charge["chargePeriod"], self.language.say
        amount, currency = Decimal(charge["priceData"]["amount"]), price["currency"]
        extras = [text for each in plan["features"] if (text := self._extra(each, sold, currency))]
        headline = self.amounts.write(amount, currency)
        per = say(f"pricing.per_{sold}")
        if not amount and extras:
            first, *extras = extras
            headline = first.removeprefix("+ ")
            headline = headline[0].upper() + headline[1:]
        original = plan["originalPrice"].get(sold)
        differs = original is not None and Decimal(original) > amount
        days = price["trialPeriod"] if price["freeTrial"] and sold != "ONE_TIME" else 0
        return Offer(
            period=chosen,
            price=headline,
            original=self.amounts.write(Decimal(original), currency) if differs else "",
            per=per,
            extras=tuple(extras),
            trial=self.language.count_of("pricing.trial", days) if days else "",
            link=self.link(plan["identifier"], sold),
        )

    def _extra(self, feature: Mapping[str, Any], period: str, currency: str) -> str:
        """What a feature costs beside the base price."""
        found = [each for each in feature["charges"] if each["chargePeriod"] == period]
        if not found:
            return ""
        unit = _unit(feature, one=True)
        (charge,) = found[:1]
        amount = charge["priceData"].get("amount")
        if amount is None:
            return self._least(feature, charge["tiers"], currency)
        if not Decimal(amount):
            return ""
        block = charge["priceData"].get("block_size", 1)
        key = "pricing.extra" if block == 1 else "pricing.extra_block"
        text = self.amounts.write_exactly(Decimal(amount), currency)
        counted = self.language.count(block)
        return self.language.say(key, amount=text, unit=unit, n=counted, units=_unit(feature))

    def _least(
        self, feature: Mapping[str, Any], tiers: Sequence[Mapping[str, Any]], currency: str
    ) -> str:
        """The lowest rate of what depends on the quantity; else its lowest fee."""
        rates = {Decimal(tier["unitAmount"]) for tier in tiers} - {Decimal(0)}
        fees = {Decimal(tier["flatAmount"]) for tier in tiers} - {Decimal(0)}
        if not rates and not fees:
            return ""
        return self.language.say(
            "pricing.from_rate" if rates else "pricing.from_fee",
            amount=self.amounts.write_exactly(min(rates or fees), currency),
            unit=_unit(feature, one=True),
            units=_unit(feature),
        )

    def _line(self, feature: Mapping[str, Any]) -> Line:
        value, kind = feature["value"], feature["featureType"]
        name, say = feature["displayName"], self.language.say
        if kind == "BOOLEAN":
            text, included = name, bool(value)
        elif feature["hasUnlimitedUsage"]:
            text, included = say("pricing.unlimited", name=name), True
        elif feature["charges"]:
            text, included = name, True
        else:
            included = bool(value)
            text = say("pricing.counted", n=self.language.count(value or 0), name=name)
        return Line(
            text=text,
            about=feature["displayDescription"],
            is_tooltip=feature["displayTooltipDescription"],
            included=included,
        )


def _unit(feature: Mapping[str, Any], *, one: bool = False) -> str:
    units = feature["featureDetails"].get("units")
    return str(units["singular" if one else "plural"] if units else feature["displayName"])
