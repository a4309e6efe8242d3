"""Subscription facts with every field defaulted, so that a test states what it is about."""

from datetime import UTC, datetime
from uuid import UUID

from aggregates.subscription import events
from aggregates.subscription.contract import Contract
from aggregates.subscription.events import CancellationType, Initiator, Status
from kernel.interval import ChargePeriod, Period
from kernel.money import Money
from kernel.offer import OfferTerms, PlanWords
from kernel.price import PriceType, TaxBehavior
from tests.catalog_builders import PRODUCT


SUB = UUID(int=50)
CUSTOMER = UUID(int=51)
INVOICE = UUID(int=52)
MARCH_1 = datetime(2025, 3, 1, tzinfo=UTC)
MARCH_8 = datetime(2025, 3, 8, tzinfo=UTC)
MARCH_15 = datetime(2025, 3, 15, tzinfo=UTC)
APRIL_1 = datetime(2025, 4, 1, tzinfo=UTC)
APRIL_2 = datetime(2025, 4, 2, tzinfo=UTC)
MAY_1 = datetime(2025, 5, 1, tzinfo=UTC)
MARCH = Period(MARCH_1, APRIL_1)
APRIL = Period(APRIL_1, MAY_1)


def contract(units=2000, period=ChargePeriod.MONTHLY, currency="USD"):
    terms = OfferTerms(
        plan=PlanWords(id=UUID(int=1), identifier="pro", name="Pro", version=1),
        product=PRODUCT,
        currency=currency,
        period=period,
        price_type=PriceType.PAID,
        tax_behavior=TaxBehavior.EXCLUSIVE,
        base=Money(units, currency),
    )
    return Contract(terms=terms, amount=terms.amount, feature_version=1)


def created(**fields):
    """A running monthly subscription."""
    chosen = {
        "subscription_id": SUB,
        "customer": CUSTOMER,
        "contract": contract(),
        "status": Status.ACTIVE,
        "started_at": MARCH_1,
        "anchor": MARCH_1,
        "period": MARCH,
        "occurred_at": MARCH_1,
    }
    return events.SubscriptionCreated(**(chosen | fields))


def trialing(until=MARCH_8):
    trial = Period(MARCH_1, until)
    return created(status=Status.TRIALING, anchor=until, period=trial, trial=trial)


def incomplete():
    return created(status=Status.INCOMPLETE, expires_at=MARCH_8)


def one_time():
    once = contract(period=ChargePeriod.ONE_TIME)
    return created(contract=once, period=None)


def past_due(**fields):
    chosen = {
        "subscription_id": SUB,
        "invoice_id": INVOICE,
        "next_retry_at": MARCH_15,
        "cancel_at": None,
        "occurred_at": MARCH_8,
    }
    return events.SubscriptionBecamePastDue(**(chosen | fields))


def ending(ends_at=APRIL_1, kind=CancellationType.CURRENT_PERIOD_ENDS, at=MARCH_8):
    return events.SubscriptionCancellationScheduled(
        subscription_id=SUB,
        type=kind,
        ends_at=ends_at,
        initiator=Initiator.MERCHANT,
        feedback=None,
        occurred_at=at,
    )


def withdrawn(at=MARCH_15):
    return events.SubscriptionCancellationWithdrawn(subscription_id=SUB, occurred_at=at)


def canceled(at=MARCH_15, *, ended_at=None, requested_at=None, initiator=Initiator.MERCHANT):
    return events.SubscriptionCanceled(
        subscription_id=SUB,
        ended_at=ended_at or at,
        requested_at=requested_at or at,
        initiator=initiator,
        feedback=None,
        occurred_at=at,
    )


def recovered(at=MARCH_15):
    return events.SubscriptionRecovered(subscription_id=SUB, occurred_at=at)


def renewed(number=1, period=APRIL, at=APRIL_1):
    return events.SubscriptionRenewed(
        subscription_id=SUB, number=number, period=period, invoice_id=INVOICE, occurred_at=at
    )
