"""Changes of plan, period and quantity, to the unit (cases 23 to 48, traps B)."""

import pytest

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.order.events import OrderCreated
from aggregates.plan.pricing import CurrencyNotPriced, PeriodNotOffered
from aggregates.subscription.changes import SubscriptionPlanChanged
from aggregates.subscription.changing import OneTimePurchase, SubscriptionIncomplete, TrialIsOver
from aggregates.subscription.ending import Cancellation, SubscriptionAlreadyEnded
from aggregates.subscription.events import CancellationType, Status
from commands.plan_terms import UnknownPlan
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.settings import ProrationBehavior
from tests import catalog_builders as catalog
from tests.billing_world import World, at


NOW = ProrationBehavior.IMMEDIATE_CHARGE
NEXT = ProrationBehavior.PRORATE_NEXT_INVOICE
NOTHING = ProrationBehavior.NO_PRORATION
APRIL, MID_APRIL, MAY = at(2025, 4, 1), at(2025, 4, 16), at(2025, 5, 1)


def sells(world, *amounts, period=ChargePeriod.MONTHLY, currency="USD"):
    for amount in amounts:
        charge = catalog.charge(amount, period, currency)
        price = catalog.price(catalog.row(charge), currency=currency)
        world.plan(f"plan-{amount}", price, name=f"Plan {amount}")


def subscribed(first, *others, now=APRIL, card="works", currency="USD", **fields):
    world = World(now, **fields)
    sells(world, first, *others, currency=currency)
    world.ada = world.customer(card=card)
    world.number = world.subscribe(f"plan-{first}", currency=currency)
    return world


def change(world, to=None, behavior=NOW, **fields):
    plan = None if to is None else f"plan-{to}"
    command = UpdateSubscription(
        subscription_id=world.number, plan=plan, behavior=behavior, **fields
    )
    return world.do(command)


def lines(invoice):
    return [line.amount.units for line in invoice.lines]


def test_case_23_half_a_period_up():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    change(world, "20.00")
    invoice = world.invoices()[-1]
    assert (lines(invoice), invoice.totals.total.units) == ([-500, 1000], 500)
    assert [line.description for line in invoice.lines] == [
        "Unused time, 16 Apr 2025 to 30 Apr 2025",
        "Remaining time, 16 Apr 2025 to 30 Apr 2025",
    ]
    assert world.invoice(invoice.invoice_id).status is InvoiceStatus.PAID
    world.to(MAY)
    assert world.invoices()[-1].totals.total.units == 2000


@pytest.mark.parametrize(
    ("old", "new", "start", "when", "expected"),
    [
        ("5.00", "20.00", at(2025, 4, 1), at(2025, 4, 2), [-483, 1933]),
        ("10.00", "20.00", at(2025, 3, 1), at(2025, 3, 15), [-548, 1097]),
        ("10.00", "20.00", APRIL, APRIL, [-1000, 2000]),
    ],
    ids=["case 24", "case 26", "case 37"],
)
def test_lines_are_rounded_once_each(old, new, start, when, expected):
    world = subscribed(old, new, now=start)
    world.to(when)
    change(world, new)
    assert lines(world.invoices()[-1]) == expected


def test_case_25_down_is_credit_that_later_invoices_use():
    world = subscribed("20.00", "5.00")
    world.to(at(2025, 4, 2))
    change(world, "5.00")
    note = world.invoices()[-1]
    assert (lines(note), note.status, note.order_id) == ([-1933, 483], InvoiceStatus.PAID, None)
    assert note.balance.due.units == 0
    assert world.balance(world.ada) == -1450
    dues = []
    for month in (5, 6, 7, 8):
        world.to(at(2025, month, 1))
        dues.append(world.invoices()[-1].balance.due.units)
    assert dues == [0, 0, 50, 500]


@pytest.mark.parametrize(("behavior", "net"), [(NOW, 19000), (NEXT, 19000), (NOTHING, 20000)])
def test_case_29_another_interval_begins_now_whatever_is_asked(behavior, net):
    world = World(APRIL)
    monthly, yearly = catalog.charge("20.00"), catalog.charge("200.00", ChargePeriod.YEARLY)
    world.plan("pro", catalog.price(catalog.row(monthly, yearly)))
    world.customer(card="works")
    world.number = world.subscribe()
    world.to(MID_APRIL)
    change(world, period=ChargePeriod.YEARLY, behavior=behavior)
    state = world.subscription(world.number)
    assert world.invoices()[-1].totals.total.units == net
    assert (state.anchor, state.period.end) == (MID_APRIL, at(2026, 4, 16))
    assert state.deferred == ()


def test_case_30_yearly_to_monthly():
    world = World(at(2025, 1, 1))
    yearly, monthly = catalog.charge("240.00", ChargePeriod.YEARLY), catalog.charge("25.00")
    world.plan("pro", catalog.price(catalog.row(yearly, monthly)))
    ada = world.customer(card="works")
    world.number = world.subscribe(period=ChargePeriod.YEARLY)
    world.to(at(2025, 4, 1))
    change(world, period=ChargePeriod.MONTHLY)
    assert lines(world.invoices()[-1]) == [-18082, 2500]
    assert world.balance(ada) == -15582
    dues = []
    for month in range(5, 12):
        world.to(at(2025, month, 1))
        dues.append(world.invoices()[-1].balance.due.units)
    assert dues == [0, 0, 0, 0, 0, 0, 1918]


def test_case_32_there_and_back_at_one_instant():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    change(world, "20.00")
    change(world, "10.00")
    totals = [invoice.totals.total.units for invoice in world.invoices()]
    assert totals == [1000, 500, -500]
    world.to(MAY)
    renewal = world.invoices()[-1]
    assert (renewal.totals.total.units, renewal.balance.due.units) == (1000, 500)


def test_case_33_what_was_deferred_is_settled_once():
    world = subscribed("10.00", "20.00", "40.00", "80.00")
    world.to(MID_APRIL)
    for plan in ("20.00", "40.00", "20.00"):
        change(world, plan, NEXT)
    assert len(world.invoices()) == 1
    change(world, "80.00")
    invoice = world.invoices()[-1]
    assert lines(invoice) == [-500, 1000, -1000, 2000, -2000, 1000, -1000, 4000]
    world.to(MAY)
    assert lines(world.invoices()[-1]) == [8000]
    assert world.money_taken() == 1000 + 3500 + 8000


def test_case_34_more_seats():
    world = World(APRIL)
    seats = catalog.row(catalog.charge("12.00"), feature=catalog.SEATS.id)
    price = catalog.price(catalog.row(catalog.charge("20.00")), seats)
    world.seats()
    world.plan("pro", price)
    world.customer(card="works")
    world.number = world.subscribe(quantities={"seats": 5})
    world.to(at(2025, 4, 21))
    change(world, quantities={"seats": 8})
    invoice = world.invoices()[-1]
    assert (lines(invoice), invoice.totals.total.units) == ([-2000, 3200], 1200)
    assert invoice.lines[1].description.startswith("Remaining time of 8 units, 21 Apr 2025")
    granted = world.subscription(world.number).contract.terms.entitlements
    assert [entitlement.value for entitlement in granted] == [8]


def test_case_36_no_proration_up_and_down_bills_nothing():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    change(world, "20.00", NOTHING)
    change(world, "10.00", NOTHING)
    world.to(MAY)
    assert [invoice.totals.total.units for invoice in world.invoices()] == [1000, 1000]


def test_what_was_never_billed_is_not_credited():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    change(world, "20.00", NOTHING)
    change(world, "10.00", NOW)
    assert len(world.invoices()) == 1
    assert world.balance(world.ada) == 0


def test_case_39_nothing_that_rounds_to_a_unit_is_invoiced():
    world = subscribed("100.00", "200.00")
    world.to(MAY.replace(month=4, day=30, hour=23, minute=59, second=59))
    facts = change(world, "200.00")
    assert [type(fact) for fact in facts] == [SubscriptionPlanChanged]
    world.to(MAY)
    assert world.invoices()[-1].totals.total.units == 20000


def test_case_40_less_than_a_card_can_be_charged():
    world = subscribed("10.00", "15.00")
    world.to(at(2025, 4, 30))
    change(world, "15.00")
    invoice = world.invoices()[-1]
    assert (invoice.totals.total.units, invoice.status) == (17, InvoiceStatus.PAID)
    assert world.balance(world.ada) == 17


def test_case_41_a_credit_against_what_is_unpaid_is_not_paid_out():
    late = {"dunning_schedule": (20,)}
    world = subscribed("100.00", "50.00", now=at(2025, 3, 1), settings=late)
    world.card("declined")
    world.to(MID_APRIL)
    assert world.subscription(world.number).status is Status.PAST_DUE
    change(world, "50.00")
    unpaid = world.invoice(world.subscription(world.number).invoice_id)
    assert unpaid.created.balance.due.units == 7500
    assert world.balance(world.ada) == 0
    use = unpaid.created.balance
    assert use.starting + use.applied == use.ending
    world.card("works")
    assert world.subscription(world.number).status is Status.ACTIVE
    assert world.money_taken() == 10000 + 7500


def test_credit_that_waited_takes_off_what_is_owed_when_it_exceeds_the_next_period():
    late = {"dunning_schedule": (20,)}
    world = subscribed("100.00", "130.00", "1.00", settings=late)
    world.to(MID_APRIL)
    world.card("declined")
    change(world, "130.00")
    unpaid = world.invoices()[-1]
    assert world.subscription(world.number).status is Status.PAST_DUE
    change(world, "1.00", NEXT)
    world.to(MAY)
    assert lines(world.invoices()[-1]) == [-6500, 50, 100]
    assert world.invoice(unpaid.invoice_id).status is InvoiceStatus.PAID
    assert world.subscription(world.number).status is Status.ACTIVE
    assert world.balance(world.ada) == -6350 + 1500


def test_case_48_from_free_to_paid_the_period_starts_now():
    world = World(APRIL)
    world.plan("free", catalog.free(), name="Free")
    sells(world, "30.00")
    world.customer(card="works")
    world.number = world.subscribe("free", period=ChargePeriod.ONE_TIME)
    world.to(MID_APRIL)
    change(world, "30.00", period=ChargePeriod.MONTHLY)
    state = world.subscription(world.number)
    assert lines(world.invoices()[-1]) == [3000]
    assert (state.period.start, state.period.end) == (MID_APRIL, at(2025, 5, 16))
    world.to(at(2025, 5, 16))
    assert world.invoices()[-1].totals.total.units == 3000


def test_from_paid_to_free_gives_the_rest_back():
    world = subscribed("30.00")
    world.plan("plan-free", catalog.free(), name="Free")
    world.to(MID_APRIL)
    change(world, "free", period=ChargePeriod.ONE_TIME)
    assert world.balance(world.ada) == -1500
    assert world.subscription(world.number).period is None
    assert list(world.timers()) == []


@pytest.mark.parametrize(
    ("currency", "amounts", "expected"),
    [
        ("JPY", ("1000", "2000"), [-323, 645]),
        ("KWD", ("10.000", "20.000"), [-3226, 6452]),
    ],
)
def test_case_53_other_currencies(currency, amounts, expected):
    world = subscribed(*amounts, now=at(2025, 3, 1), currency=currency)
    world.to(at(2025, 3, 22))
    change(world, amounts[1])
    assert lines(world.invoices()[-1]) == expected


def test_case_18_the_trial_ends_now():
    world = World(APRIL)
    world.monthly("30.00", free_trial=True, trial_days=14)
    world.customer(card="works")
    world.number = world.subscribe()
    world.to(at(2025, 4, 4))
    change(world, ends_trial=True)
    state = world.subscription(world.number)
    assert (state.status, state.anchor) == (Status.ACTIVE, at(2025, 4, 4))
    assert lines(world.invoices()[-1]) == [3000]
    world.to(at(2025, 5, 4))
    assert len(world.invoices()) == 2


def test_a_trial_is_moved_and_billed_at_its_new_end():
    world = World(APRIL)
    world.monthly("30.00", free_trial=True, trial_days=14)
    world.customer(card="works")
    world.number = world.subscribe()
    change(world, trial_ends_at=at(2025, 4, 25))
    world.to(at(2025, 4, 24))
    assert world.invoices() == []
    world.to(at(2025, 4, 25))
    assert lines(world.invoices()[-1]) == [3000]
    with pytest.raises(TrialIsOver):
        change(world, trial_ends_at=at(2025, 6, 1))


def test_a_change_on_trial_bills_nothing_before_its_end():
    world = World(APRIL)
    world.monthly("30.00", free_trial=True, trial_days=14)
    sells(world, "50.00")
    world.customer(card="works")
    world.number = world.subscribe()
    change(world, "50.00")
    assert world.invoices() == []
    world.to(at(2025, 4, 15))
    assert lines(world.invoices()[-1]) == [5000]


def test_case_70_the_currency_stays():
    world = subscribed("10.00")
    sells(world, "20.00", currency="EUR")
    before = len(world.store.log)
    with pytest.raises(CurrencyNotPriced):
        change(world, "20.00")
    assert len(world.store.log) == before


def test_what_is_not_on_offer_is_refused():
    world = subscribed("10.00", "20.00")
    with pytest.raises(UnknownPlan):
        change(world, "none")
    with pytest.raises(PeriodNotOffered):
        change(world, "20.00", period=ChargePeriod.YEARLY)


def test_what_does_not_run_is_refused():
    world = subscribed("10.00", "20.00", card=None)
    with pytest.raises(SubscriptionIncomplete):
        change(world, "20.00")
    world.card("works")
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=world.number, wish=now))
    with pytest.raises(SubscriptionAlreadyEnded):
        change(world, "20.00")


def test_a_one_time_purchase_stays_as_it_is():
    world = World(APRIL)
    sells(world, "99.00", period=ChargePeriod.ONE_TIME)
    sells(world, "10.00")
    world.customer(card="works")
    world.number = world.subscribe("plan-99.00", period=ChargePeriod.ONE_TIME)
    with pytest.raises(OneTimePurchase):
        change(world, "10.00", period=ChargePeriod.MONTHLY)


def test_the_same_again_changes_nothing():
    world = subscribed("10.00", "20.00")
    assert change(world, "10.00") == []
    assert len(change(world, "20.00")) > 0
    assert change(world, "20.00") == []


def test_a_failed_charge_makes_it_past_due_and_the_change_stands():
    world = subscribed("10.00", "20.00")
    world.card("declined")
    world.to(MID_APRIL)
    change(world, "20.00")
    state = world.subscription(world.number)
    assert state.status is Status.PAST_DUE
    assert state.contract.amount.units == 2000


def test_a_scheduled_end_stays():
    world = subscribed("10.00", "20.00")
    world.do(CancelSubscription(subscription_id=world.number, wish=Cancellation()))
    world.to(MID_APRIL)
    change(world, "20.00")
    world.to(MAY)
    assert world.subscription(world.number).status is Status.CANCELED
    assert len(world.invoices()) == 2


def test_what_is_deferred_is_settled_when_it_ends():
    world = subscribed("10.00", "30.00")
    world.to(MID_APRIL)
    change(world, "30.00", NEXT)
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=world.number, wish=now))
    last = world.invoices()[-1]
    assert (lines(last), last.totals.total.units) == ([-500, 1500], 1000)
    assert world.invoice(last.invoice_id).status is InvoiceStatus.PAID


def test_a_deferred_credit_goes_to_the_balance_at_the_end():
    world = subscribed("30.00", "10.00")
    world.to(MID_APRIL)
    change(world, "10.00", NEXT)
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=world.number, wish=now))
    assert world.balance(world.ada) == -1000
    assert world.money_taken() == 3000


def test_facts_stand_in_the_order_of_the_story():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    since = len(world.store.log)
    change(world, "20.00")
    assert world.names(since)[:4] == [
        "subscription.plan_changed",
        "invoice.created",
        "order.created",
        "invoice.payment_started",
    ]
    assert not world.facts(OrderCreated)[-1].is_renewal
