"""Creating subscriptions: what is owed, what is paid, who gets access (design 8, 13)."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.order.events import OrderCreated
from aggregates.order.events import Status as OrderStatus
from aggregates.subscription.decide import NothingToTry, StartsInTheFuture, TrialEndsTooEarly
from aggregates.subscription.events import Status, SubscriptionTrialEndingSoon
from commands.billing.selling import AlreadySubscribed, CustomerIsArchived, UnknownCustomer
from commands.customers.archive_customer import ArchiveCustomer
from commands.plan_terms import UnknownPlan
from commands.subscriptions.create_subscription import ChargingNeedsCheckout, CreateSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.ids import document_number
from kernel.interval import ChargePeriod, Period
from kernel.ports.payments import NO_PROVIDER, PaymentProviderMissing
from kernel.tenant import Tenant
from tests import catalog_builders as catalog
from tests.billing_world import World, at


NOON = at(2025, 1, 31, 12)


@pytest.fixture
def world():
    world = World(NOON)
    world.monthly("20.00")
    return world


def test_a_saved_card_pays_at_once(world):
    world.customer(card="works")
    start = len(world.store.log)
    number = world.subscribe()
    assert world.names(start) == [
        "subscription.created",
        "invoice.created",
        "order.created",
        "invoice.payment_started",
        "portfolio.subscription_opened",
        "invoice.paid",
        "order.completed",
        "subscription.activated",
        "transaction.succeeded",
    ]
    state = world.subscription(number)
    assert state.status is Status.ACTIVE
    assert state.period == Period(NOON, at(2025, 2, 28, 12))
    assert world.money_taken() == 2000


def test_without_a_method_it_waits_a_day_and_expires(world):
    world.customer()
    number = world.subscribe()
    assert world.subscription(number).status is Status.INCOMPLETE
    assert world.invoices()[0].status is InvoiceStatus.OPEN
    assert world.attempts() == []
    world.to(NOON + timedelta(hours=23))
    assert world.subscription(number).status is Status.INCOMPLETE
    world.to(NOON + timedelta(hours=24))
    assert world.subscription(number).status is Status.INCOMPLETE_EXPIRED
    assert world.names()[-3:] == [
        "subscription.incomplete_expired",
        "portfolio.subscription_closed",
        "order.failed",
    ]


@pytest.mark.parametrize(
    ("card", "status"),
    [
        ("declined", InvoiceStatus.PAYMENT_FAILED),
        ("stolen", InvoiceStatus.PAYMENT_FAILED),
        ("authenticate", InvoiceStatus.OPEN),
    ],
)
def test_a_refused_card_leaves_it_incomplete_never_past_due(world, card, status):
    world.customer(card=card)
    number = world.subscribe()
    assert world.subscription(number).status is Status.INCOMPLETE
    assert world.invoice(world.invoices()[0].invoice_id).status is status
    assert "subscription.became_past_due" not in world.names()


def test_a_card_within_a_day_activates_it_from_the_payment(world):
    world.customer()
    number = world.subscribe()
    world.to(NOON + timedelta(hours=5))
    world.card("works")
    state = world.subscription(number)
    assert state.status is Status.ACTIVE
    assert state.anchor == NOON + timedelta(hours=5)
    assert state.period.start == NOON + timedelta(hours=5)
    assert world.money_taken() == 2000


def test_a_trial_needs_no_method_and_makes_an_order_alone(world):
    world.monthly("20.00", "trial", free_trial=True, trial_days=7)
    world.customer()
    start = len(world.store.log)
    number = world.subscribe("trial")
    assert world.names(start) == [
        "subscription.created",
        "order.created",
        "portfolio.subscription_opened",
    ]
    state = world.subscription(number)
    assert state.status is Status.TRIALING
    assert state.trial == state.period == Period(NOON, NOON + timedelta(hours=168))
    (order,) = world.facts(OrderCreated)
    assert (order.is_trial, order.status, order.totals.total.units) == (
        True,
        OrderStatus.COMPLETE,
        0,
    )
    assert order.invoice_id is None


def test_case_18_trial_end_now_charges_the_full_period(world):
    world.monthly("20.00", "trial", free_trial=True, trial_days=7)
    world.customer(card="works")
    number = world.subscribe("trial", no_trial=True)
    state = world.subscription(number)
    assert (state.status, state.anchor) == (Status.ACTIVE, NOON)
    assert world.money_taken() == 2000


@pytest.mark.parametrize(("days", "reminders"), [(1, 1), (3, 1), (4, 0)])
def test_case_20_a_short_trial_is_reminded_of_at_once(world, days, reminders):
    world.customer()
    world.subscribe(trial_ends_at=NOON + timedelta(days=days))
    assert len(world.facts(SubscriptionTrialEndingSoon)) == reminders


def test_case_20_a_trial_below_a_day_is_never_reminded_of(world):
    world.customer(card="works")
    world.subscribe(trial_ends_at=NOON + timedelta(hours=20))
    world.to(NOON + timedelta(days=2))
    assert world.facts(SubscriptionTrialEndingSoon) == []


def test_case_20_a_trial_that_was_ended_early_is_not_reminded_of(world):
    world.customer(card="works")
    number = world.subscribe(trial_ends_at=NOON + timedelta(days=14))
    world.to(NOON + timedelta(days=2))
    world.do(UpdateSubscription(subscription_id=number, ends_trial=True))
    world.to(NOON + timedelta(days=20))
    assert world.facts(SubscriptionTrialEndingSoon) == []
    assert world.money_taken() == 2000


def test_case_20_a_trial_that_was_moved_below_a_day_is_never_reminded_of(world):
    world.customer(card="works")
    number = world.subscribe(trial_ends_at=NOON + timedelta(days=14))
    ends = NOON + timedelta(hours=20)
    world.do(UpdateSubscription(subscription_id=number, trial_ends_at=ends))
    world.to(NOON + timedelta(days=2))
    assert world.facts(SubscriptionTrialEndingSoon) == []


def test_a_free_plan_is_a_one_time_record_of_nothing(world):
    world.plan("free", catalog.free())
    world.customer()
    number = world.subscribe("free", period=ChargePeriod.ONE_TIME)
    state = world.subscription(number)
    assert (state.status, state.period) == (Status.ACTIVE, None)
    assert world.invoices()[0].status is InvoiceStatus.PAID
    assert world.attempts() == world.transactions() == []
    world.do(ArchiveCustomer(customer_id="ada"))


def test_a_one_time_plan_is_paid_once(world):
    price = catalog.price(catalog.row(catalog.charge("99.00", ChargePeriod.ONE_TIME)))
    world.plan("once", price)
    world.customer(card="works")
    number = world.subscribe("once", period=ChargePeriod.ONE_TIME)
    assert world.subscription(number).status is Status.ACTIVE
    world.to(at(2026))
    assert world.money_taken() == 9900
    world.do(ArchiveCustomer(customer_id="ada"))


def test_seats_are_base_plus_rate_times_quantity(world):
    """wire 30.1: 20 + 12 x 8 = 116."""
    seats = catalog.row(catalog.charge("12.00"), feature=catalog.SEATS.id)
    base = catalog.row(catalog.charge("20.00"))
    world.plan("team", catalog.price(base, seats))
    world.seats()
    world.customer(card="works")
    world.subscribe("team", quantities={"seats": 8})
    (invoice,) = world.invoices()
    assert [(line.quantity, line.unit_price) for line in invoice.lines] == [
        (1, "20.00"),
        (8, "12.00"),
    ]
    assert invoice.totals.total.units == 11600
    assert invoice.lines[0].description == "Monthly, 31 Jan 2025 to 28 Feb 2025"


def test_case_107_a_start_in_the_past_bills_what_has_passed(world):
    world.clock.at = at(2025, 3, 15)
    world.customer(card="works")
    number = world.subscribe(started_at=at(2025, 1, 1))
    assert [invoice.period.start for invoice in world.invoices()] == [
        at(2025, 1, 1),
        at(2025, 2, 1),
        at(2025, 3, 1),
    ]
    assert world.subscription(number).period == Period(at(2025, 3, 1), at(2025, 4, 1))
    assert world.money_taken() == 6000


def test_case_107_or_leaves_it_alone(world):
    world.clock.at = at(2025, 3, 15)
    world.customer(card="works")
    number = world.subscribe(started_at=at(2025, 1, 1), bill_past_periods=False)
    assert world.subscription(number).status is Status.ACTIVE
    assert world.invoices() == []
    world.to(at(2025, 4, 1))
    assert [invoice.period.start for invoice in world.invoices()] == [at(2025, 4, 1)]


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"plan": "none"}, UnknownPlan),
        ({"customer_id": "nobody"}, UnknownCustomer),
        ({"started_at": NOON + timedelta(days=1)}, StartsInTheFuture),
        ({"trial_ends_at": NOON}, TrialEndsTooEarly),
    ],
)
def test_what_cannot_be_sold_leaves_no_trace(world, fields, refusal):
    world.customer(card="works")
    before = len(world.store.log)
    with pytest.raises(refusal):
        world.subscribe(**fields)
    assert len(world.store.log) == before


def test_a_one_time_purchase_has_no_trial(world):
    world.plan("free", catalog.free())
    world.customer()
    with pytest.raises(NothingToTry):
        world.subscribe(
            "free", period=ChargePeriod.ONE_TIME, trial_ends_at=NOON + timedelta(days=3)
        )


def test_an_archived_customer_cannot_buy(world):
    world.customer()
    world.do(ArchiveCustomer(customer_id="ada"))
    with pytest.raises(CustomerIsArchived):
        world.subscribe()


def test_an_organization_may_insist_on_checkout():
    world = World(NOON, settings={"off_session_charging": False})
    world.monthly()
    world.customer(card="works")
    with pytest.raises(ChargingNeedsCheckout):
        world.subscribe()


def test_production_without_a_provider_sells_nothing_that_costs(world):
    world.customer()
    tenant = world.tenant
    world.tenant = Tenant(
        tenant.organization, tenant.slug, tenant.secret, tenant.environment, NO_PROVIDER
    )
    with pytest.raises(PaymentProviderMissing):
        world.subscribe()
    world.plan("free", catalog.free())
    world.subscribe("free", period=ChargePeriod.ONE_TIME)


def test_case_109_a_second_subscription_is_allowed_unless_turned_off(world):
    world.customer(card="works")
    world.subscribe()
    world.subscribe()
    strict = World(NOON, settings={"one_subscription_per_product": True})
    strict.monthly()
    strict.customer(card="works")
    strict.subscribe()
    with pytest.raises(AlreadySubscribed):
        strict.subscribe()


def test_case_109_of_two_requests_that_race_one_gets_it(monkeypatch):
    world = World(NOON, settings={"one_subscription_per_product": True})
    world.monthly()
    world.customer(card="works")
    append, looked, both_looked = world.store.append, [], asyncio.Event()

    async def when_both_have_looked(command):
        looked.append(command)
        if len(looked) > 1:
            both_looked.set()
        await both_looked.wait()
        return await append(command)

    monkeypatch.setattr(world.store, "append", when_both_have_looked)

    async def both():
        wanted = (
            CreateSubscription(
                subscription_id=uuid4(), customer_id="ada", plan="pro", period=ChargePeriod.MONTHLY
            )
            for _ in range(2)
        )
        tries = (world.bus.dispatch(each, world.context()) for each in wanted)
        return await asyncio.gather(*tries, return_exceptions=True)

    came = asyncio.run(both())
    assert sorted(type(each).__name__ for each in came) == ["AlreadySubscribed", "Outcome"]
    world.react()
    assert len(world.invoices()) == 1


def test_a_number_that_is_taken_is_passed_over(world, monkeypatch):
    """design 7: a clash of numbers takes the next attempt, it never fails a sale."""

    def crowded(prefix, at, of, attempt=0):
        return document_number(prefix, at, world.tenant.organization, attempt)

    monkeypatch.setattr("commands.billing.invoicing.document_number", crowded)
    world.customer(card="works")
    world.subscribe()
    world.subscribe()
    first, second = world.invoices()
    assert first.number != second.number
