"""The price list of all lives as the engine in memory takes it."""

from decimal import Decimal
from functools import partial
from uuid import UUID

from aggregates.feature.events import FeatureCreated, FeatureWording
from kernel.interval import ChargePeriod
from kernel.price import Charge, Price, PriceRow, PriceType, TaxBehavior, parse_rate
from tests.billing_world import LONG_AGO
from tests.catalog_builders import SEATS
from tests.oracle.offers import OFFERS, VERSIONS


def prices(plan, version=1):
    """The price list of a plan as the engine takes it."""
    offers = [offer for offer in OFFERS if offer.plan == plan] or VERSIONS[version - 1]
    for number, currency in enumerate(dict.fromkeys(offer.currency for offer in offers)):
        of = [offer for offer in offers if offer.currency == currency]
        charge = partial(_charges, currency=currency)
        rows = [PriceRow(charges=charge((o.period, o.base) for o in of))]
        if of[0].seat is not None:
            rows.append(PriceRow(feature=SEATS.id, charges=charge((o.period, o.seat) for o in of)))
        yield Price(
            id=UUID(int=number + 1),
            type=PriceType.FREE if plan == "free" else PriceType.PAID,
            currency=currency,
            free_trial=bool(of[0].trial_days),
            trial_days=of[0].trial_days or 7,
            tax_behavior=TaxBehavior.INCLUSIVE if of[0].inclusive else TaxBehavior.EXCLUSIVE,
            rows=tuple(rows),
        )


def _charges(amounts, currency):
    return tuple(
        Charge(period=ChargePeriod(period), rate=parse_rate(Decimal(amount), currency))
        for period, amount in amounts
    )


def seats_feature():
    return FeatureCreated(
        feature_id=SEATS.id,
        identifier="seats",
        type=SEATS.type,
        meter=SEATS.meter,
        wording=FeatureWording(name="Seats"),
        occurred_at=LONG_AGO,
    )
