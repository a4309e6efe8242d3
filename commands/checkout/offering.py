"""What a session offers: its plans with their periods and quantities, as they are sold now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aggregates.checkout.events import OfferedPeriod, OfferedPlan, Selection, Terms
from aggregates.plan.pricing import Choice, chosen_price, terms_of
from commands.plan_terms import OnSale, UnknownPlan, on_sale
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.offer import OfferTerms
from kernel.price import PaymentType, Price
from kernel.price_rule import PriceRule, localized_terms


NONE_CHOSEN: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureOption:
    """A quantity that may be chosen; ``maximum`` None: no limit of the plan's."""

    identifier: str
    name: str
    minimum: int
    maximum: int | None
    quantity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOption:
    """A plan that may be chosen; ``features`` are what is bought ahead in the chosen period.

    ``amounts`` are what each period costs this buyer before discounts and tax, at the chosen
    quantities where they can be had in it.
    """

    identifier: str
    name: str
    description: str
    periods: tuple[ChargePeriod, ...]
    amounts: Mapping[ChargePeriod, Money]
    features: tuple[FeatureOption, ...]


def price_of(sold: OnSale, currency: str | None) -> Price:
    """The price in a currency; None: the product's, else the first. Raises CurrencyNotPriced."""
    return chosen_price(sold.version, currency, sold.currency)


def periods_of(price: Price, allowed: tuple[ChargePeriod, ...]) -> tuple[ChargePeriod, ...]:
    """The periods of a price that the session allows."""
    return tuple(period for period in price.periods if not allowed or period in allowed)


def offered_plan(sold: OnSale, terms: Terms) -> OfferedPlan:
    """The plan as a session's snapshot shows it."""
    price = price_of(sold, terms.currency)
    offers = [_at_least(sold, price, period) for period in periods_of(price, terms.periods)]
    known = [offer for offer in offers if offer is not None]
    return OfferedPlan(
        id=sold.plan.id,
        identifier=sold.plan.identifier,
        name=sold.plan.name,
        version=sold.plan.version,
        description=sold.plan.description,
        trial_days=max((offer.trial_days for offer in known), default=0),
        periods=tuple(OfferedPeriod(period=offer.period, amount=offer.amount) for offer in known),
    )


def _at_least(
    sold: OnSale, price: Price, period: ChargePeriod, quantities: Mapping[str, int] = NONE_CHOSEN
) -> OfferTerms | None:
    """A period at its smallest quantities; None when the plan is only sold on request."""
    choice = Choice(price=price, period=period, quantities=quantities)
    try:
        return terms_of(sold.plan, sold.product, sold.version, choice, sold.features)
    except Invalid:
        return None


async def options(
    work: UnitOfWork, terms: Terms, selection: Selection, rule: PriceRule | None
) -> tuple[PlanOption, ...]:
    """What may be chosen at this moment; what is not on sale any more is left out."""
    found = []
    for identifier in terms.plans:
        try:
            sold = await on_sale(work, identifier)
            price = price_of(sold, terms.currency)
        except Invalid:
            continue
        amounts = dict(_amounts(sold, price, periods_of(price, terms.periods), selection, rule))
        found.append(_option(sold, price, terms, selection, amounts))
    return tuple(found)


def _option(
    sold: OnSale,
    price: Price,
    terms: Terms,
    selection: Selection,
    amounts: Mapping[ChargePeriod, Money],
) -> PlanOption:
    periods = periods_of(price, terms.periods)
    period = selection.period if selection.period in periods else next(iter(periods), None)
    return PlanOption(
        identifier=sold.plan.identifier,
        name=sold.plan.name,
        description=sold.plan.description,
        periods=periods,
        amounts=amounts,
        features=tuple(_features(sold, price, period, selection)),
    )


def _amounts(
    sold: OnSale,
    price: Price,
    periods: Iterable[ChargePeriod],
    selection: Selection,
    rule: PriceRule | None,
) -> Iterable[tuple[ChargePeriod, Money]]:
    chosen = selection.quantities if selection.plan == sold.plan.identifier else NONE_CHOSEN
    for period in periods:
        offer = _at_least(sold, price, period, chosen) or _at_least(sold, price, period)
        if offer is not None:
            yield period, localized_terms(offer, rule).amount


def _features(
    sold: OnSale, price: Price, period: ChargePeriod | None, selection: Selection
) -> Iterable[FeatureOption]:
    chosen = selection.quantities if selection.plan == sold.plan.identifier else {}
    for row in price.rows:
        charge = None if period is None else row.charge(period)
        if row.feature is None or row.payment is not PaymentType.ADVANCE_COMMITMENT or not charge:
            continue
        words = sold.features[row.feature]
        low = charge.minimum or 0
        default = 1 if charge.minimum is None else low
        yield FeatureOption(
            identifier=words.identifier,
            name=words.name,
            minimum=low,
            maximum=charge.maximum,
            quantity=chosen.get(words.identifier, default),
        )


async def require_plans(work: UnitOfWork, plans: Iterable[str]) -> tuple[OnSale, ...]:
    """The plans of a new session, all of one product. Raises UnknownPlan."""
    sold = tuple([await on_sale(work, identifier) for identifier in plans])
    strangers = [each.plan.identifier for each in sold if each.product.id != sold[0].product.id]
    if strangers:
        raise UnknownPlan(f"{', '.join(strangers)}: all plans must be of one product.")
    return sold
