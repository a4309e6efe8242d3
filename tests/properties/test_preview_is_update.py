"""Preview = update, to the unit, over random plans, behaviors, instants and currencies."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.invoice.events import InvoiceCreated
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.money import decimal_string
from kernel.settings import ProrationBehavior
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.commands.test_previewing_an_update import preview


PERIODS = [ChargePeriod.MONTHLY, ChargePeriod.YEARLY, ChargePeriod.WEEKLY]
BEHAVIORS = list(ProrationBehavior)


def plan(world, name, units, period, currency):
    charge = catalog.charge(decimal_string(units, currency), period, currency)
    world.plan(name, catalog.price(catalog.row(charge), currency=currency))


@settings(max_examples=40, deadline=None)
@given(
    prices=st.tuples(st.integers(100, 100_000), st.integers(100, 100_000)),
    periods=st.tuples(st.sampled_from(PERIODS), st.sampled_from(PERIODS)),
    currency=st.sampled_from(["USD", "JPY", "KWD"]),
    behavior=st.sampled_from(BEHAVIORS),
    seconds=st.integers(0, 40 * 86_400),
    balance=st.integers(0, 2),
)
def test_an_update_costs_what_its_preview_shows(
    prices, periods, currency, behavior, seconds, balance
):
    world = World(at(2025, 1, 31))
    plan(world, "old", prices[0], periods[0], currency)
    plan(world, "new", prices[1], periods[1], currency)
    ada = world.customer(card="works")
    world.number = world.subscribe("old", period=periods[0], currency=currency)
    world.to(at(2025, 1, 31) + timedelta(seconds=seconds))
    for _ in range(balance):
        change(world, "old" if balance == 2 else "new", periods[balance % 2], behavior)
    update = UpdateSubscription(
        subscription_id=world.number, plan="new", period=periods[1], behavior=behavior
    )
    shown = preview(world, update)
    facts = world.do(update)
    issued = [fact for fact in facts if isinstance(fact, InvoiceCreated)]
    assert sum(fact.balance.due.units for fact in issued) == shown.immediately.units
    state = world.subscription(world.number)
    assert state.contract.amount == shown.recurring
    world.to(state.period.end)
    renewal = world.invoices()[-1]
    assert renewal.lines == shown.next_invoice.lines
    assert renewal.totals == shown.next_invoice.totals
    assert renewal.balance.due == shown.next_invoice.balance.due
    assert world.balance(ada, currency) == renewal.balance.ending.units


def change(world, name, period, behavior):
    world.do(
        UpdateSubscription(
            subscription_id=world.number, plan=name, period=period, behavior=behavior
        )
    )
