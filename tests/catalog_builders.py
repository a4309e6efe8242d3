"""Catalog facts and values with every field defaulted, so that a test states what it is about."""

from datetime import UTC, datetime
from uuid import UUID

from aggregates.plan.events import (
    PlanCreated,
    PlanDraftOpened,
    PlanDraftPriced,
    PlanEntitlementsAdded,
    PlanVersionPublished,
    PlanWording,
)
from kernel.entitlement import Entitlement, FeatureType, FeatureWords, MeterKind, MeterWords
from kernel.interval import ChargePeriod
from kernel.offer import ProductWords
from kernel.price import Charge, Price, PriceRow, PriceType, Rate, parse_rate


MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)
MARCH_2 = datetime(2026, 3, 2, tzinfo=UTC)
PLAN_ID = UUID(int=1)
PRODUCT = ProductWords(id=UUID(int=2), identifier="orbit", name="Orbit", tax_code="saas")
SEATS = FeatureWords(
    id=UUID(int=3),
    identifier="seats",
    name="Seats",
    type=FeatureType.METER,
    meter=MeterWords(kind=MeterKind.PRE_AGGREGATED_USAGE, singular="seat", plural="seats"),
    modified_on=MARCH_1,
)
SSO = FeatureWords(
    id=UUID(int=4),
    identifier="sso",
    name="Single sign-on",
    type=FeatureType.BOOLEAN,
    modified_on=MARCH_1,
)
PROJECTS = FeatureWords(
    id=UUID(int=5),
    identifier="projects",
    name="Projects",
    type=FeatureType.CUSTOMIZABLE,
    modified_on=MARCH_1,
)
FEATURES = {feature.id: feature for feature in (SEATS, SSO, PROJECTS)}
YES = True
NAMED_PRO = PlanWording(name="Pro")


def charge(amount="20.00", period=ChargePeriod.MONTHLY, currency="USD", **fields):
    return Charge(period=period, rate=parse_rate(amount, currency), **fields)


def row(*charges, **fields):
    return PriceRow(charges=charges or (charge(),), **fields)


def price(*rows, currency="USD", kind=PriceType.PAID, number=1, **fields):
    return Price(id=UUID(int=number), type=kind, currency=currency, rows=rows or (row(),), **fields)


def free(currency="USD"):
    charge_of_nothing = Charge(period=ChargePeriod.ONE_TIME, rate=Rate(0))
    return price(row(charge_of_nothing), currency=currency, kind=PriceType.FREE)


def granted(feature=SSO, value=YES, **fields):
    return Entitlement(feature=feature, value=value, **fields)


def created(**fields):
    chosen = {"plan_id": PLAN_ID, "identifier": "pro", "product": PRODUCT, "wording": NAMED_PRO}
    return PlanCreated(**(chosen | {"occurred_at": MARCH_1} | fields))


def priced(*prices, version=1, at=MARCH_1):
    return PlanDraftPriced(
        plan_id=PLAN_ID,
        version=version,
        prices=prices or (price(),),
        features=tuple(FEATURES.values()),
        occurred_at=at,
    )


def entitled(*entitlements, version=1, at=MARCH_1):
    return PlanEntitlementsAdded(
        plan_id=PLAN_ID,
        version=version,
        entitlements=entitlements or (granted(),),
        occurred_at=at,
    )


def published(version=1, at=MARCH_1, **flags):
    chosen = {"update_features": False, "update_pricing": False} | flags
    return PlanVersionPublished(plan_id=PLAN_ID, version=version, occurred_at=at, **chosen)


def draft_opened(version=2, at=MARCH_2):
    return PlanDraftOpened(plan_id=PLAN_ID, version=version, occurred_at=at)


ON_SALE = (created(), priced(), entitled(), published())
