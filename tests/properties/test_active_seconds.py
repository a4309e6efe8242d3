"""Whatever is paused, resumed and canceled: paid seconds are active seconds, to the microsecond."""

from datetime import timedelta
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status, SubscriptionCanceled
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from kernel.errors import Refused
from kernel.interval import ChargePeriod, Period
from tests import catalog_builders as catalog
from tests.billing_world import World, at


NOTHING = timedelta()
PRICE = 1_000_003
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["pause", "resume", "pause", "resume", "nothing", "cancel", "cancel on"]),
        st.integers(0, 24 * 45),
        st.integers(1, 24 * 80),
    ),
    min_size=1,
    max_size=9,
)


def sold(start, period):
    world = World(start)
    world.plan("pro", catalog.price(catalog.row(catalog.charge("10000.03", period))))
    world.customer(card="works")
    return world, world.subscribe(period=period)


def act(world, number, step, hours):
    """Do it, if that is allowed now."""
    now = world.clock.at
    later = now + timedelta(hours=hours)
    wishes = {
        "cancel": Cancellation(),
        "cancel on": Cancellation(type=CancellationType.SPECIFIC_DATE, on=later.date()),
        "cancel now": Cancellation(type=CancellationType.IMMEDIATE),
    }
    commands = {
        "pause": PauseSubscription(subscription_id=number, resumes_at=later),
        "resume": ResumeSubscription(subscription_id=number),
        "nothing": None,
    }
    if step in wishes:
        wish = wishes[step]
        commands[step] = CancelSubscription(
            subscription_id=number, wish=wish, credit_unused_time=True
        )
    if commands[step] is None:
        return
    before = len(world.store.log)
    try:
        world.do(commands[step])
    except Refused:
        assert len(world.store.log) == before


def pauses(world, until):
    """Told by the facts alone."""
    over = [fact.paused for fact in world.facts(SubscriptionResumed)]
    begun = [fact.occurred_at for fact in world.facts(SubscriptionPaused)]
    open_ones = sorted(set(begun) - {pause.start for pause in over})
    return [*over, *(Period(since, max(until, since)) for since in open_ones)]


@given(
    st.sampled_from([ChargePeriod.WEEKLY, ChargePeriod.MONTHLY, ChargePeriod.THREE_MONTHS]),
    st.integers(0, 59),
    STEPS,
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_paid_time_is_active_time_and_what_is_left(period, day, steps, cancels_now):
    start = at(2025) + timedelta(days=day, microseconds=day * 7)
    world, number = sold(start, period)
    for step, wait, hours in steps:
        world.to(world.clock.at + timedelta(hours=wait))
        act(world, number, step, hours)
    if cancels_now:
        act(world, number, "cancel now", 0)
    ended = world.facts(SubscriptionCanceled)
    until = ended[0].ended_at if ended else world.clock.at
    whole = [i for i in world.invoices() if i.order_id is not None]
    assert len({invoice.period.start for invoice in whole}) == len(whole)
    paid = sum((i.period.end - i.period.start for i in whole), NOTHING)
    active = until - start - sum((p.end - p.start for p in pauses(world, until)), NOTHING)
    state = world.subscription(number)
    used = min([until, *(p.start for p in pauses(world, until) if p.end >= until)])
    length = state.period.counted(state.pauses)
    rest = state.period.remaining(used, state.pauses)
    assert paid == active + Period(used, max(used, state.period.end)).counted(state.pauses)
    notes = [i for i in world.invoices() if i.order_id is None]
    if notes:
        (line,) = notes[0].lines
        assert Fraction(line.numerator, line.denominator) == -PRICE * rest
        assert state.status is Status.CANCELED
    assert length == whole[-1].period.end - whole[-1].period.start
    assert sum(i.totals.total.units for i in whole) == PRICE * len(whole)
