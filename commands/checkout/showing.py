"""In which currency, and at which prices, a new session sells: as its offering showed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aggregates.checkout.events import Origins
from aggregates.plan.pricing import CurrencyNotPriced
from commands.checkout.offering import price_of
from commands.offerings.pricing import currency_shown, rule_for_sale
from commands.plan_terms import OnSale
from commands.unit_of_work import UnitOfWork
from kernel.countries import currency_in
from kernel.price_rule import PriceRule, localized_price


async def currency_of(
    work: UnitOfWork,
    shown_in: Origins,
    country: str | None,
    sold: Sequence[OnSale],
    *,
    wanted: str | None,
) -> str:
    """The wanted currency, else the one shown, the buyer's country's, or the plan's default.

    All plans have to be priced in it. Raises CurrencyNotPriced.
    """
    shown = await currency_shown(work, shown_in.offering, country)
    if shown is not None and not all(_is_priced(each, shown) for each in sold):
        shown = None
    currency = wanted or shown or _usual(country, sold)
    for each in sold:
        price_of(each, currency)
    return currency


async def as_shown(
    work: UnitOfWork, shown_in: Origins, country: str | None, sold: Iterable[OnSale]
) -> tuple[OnSale, ...]:
    """The plans at the prices that the offering showed, as far as the country is known now."""
    rule = await rule_for_sale(
        work, offering_id=shown_in.offering, rule_id=shown_in.rule, country=country
    )
    return tuple(_localized(each, rule) for each in sold)


def _localized(sold: OnSale, rule: PriceRule | None) -> OnSale:
    prices = tuple(localized_price(price, rule) for price in sold.version.prices)
    return replace(sold, version=replace(sold.version, prices=prices))


def _usual(country: str | None, sold: Sequence[OnSale]) -> str:
    local = currency_in(country) if country else None
    if local and all(_is_priced(each, local) for each in sold):
        return local
    return price_of(sold[0], None).currency


def _is_priced(sold: OnSale, currency: str) -> bool:
    try:
        price_of(sold, currency)
    except CurrencyNotPriced:
        return False
    return True
