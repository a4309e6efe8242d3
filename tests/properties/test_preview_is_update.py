"""Preview = update, to the unit, over random plans, quantities, behaviors, instants, currencies."""

from datetime import timedelta
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.customer.state import Details
from aggregates.invoice.events import InvoiceCreated
from commands.customers.create_customer import CreateCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.organizations.change_settings import ChangeSettings
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money, decimal_string
from kernel.postal import Address
from kernel.price import TaxBehavior
from kernel.settings import ProrationBehavior, TaxRate
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.commands.test_previewing_an_update import preview
from tests.oracle.price_list import seats_feature


PERIODS = [ChargePeriod.MONTHLY, ChargePeriod.YEARLY, ChargePeriod.WEEKLY]
BEHAVIORS = list(ProrationBehavior)


PRICE = st.tuples(st.integers(100, 100_000), st.integers(0, 3_000))
"""Of a period, and of a seat in it."""
OFFS = st.none() | st.integers(1, 100) | st.integers(1, 50_000).map(float)
"""No discount, a percentage, or (as a float) a fixed number of units."""


def buyer(world, currency, off, duration, percent):
    """A taxed customer with a card, and the code of a discount."""
    rates = (TaxRate(country="DE", percent=percent),)
    world.do(ChangeSettings(changes={"tax_rates": rates}, fees={}))
    details = Details(billing_address=Address(country="DE"))
    world.do(CreateCustomer(customer_id="ada", details=details))
    world.card("works")
    if off is None:
        return None
    amount = Money(int(off), currency) if isinstance(off, float) else None
    less = PriceOff(percentage=None if amount else off, amount=amount)
    cycles = 2 if duration is Duration.REPEATING else None
    new = NewDiscount(name="", off=less, duration=duration, cycles=cycles)
    world.do(CreateDiscount(seed=UUID(int=9), code="SAVE", new=new))
    return "SAVE"


def plan(world, name, units, period, currency, behavior):
    """A plan with a price of its own and one per seat."""
    base, seat = (
        catalog.charge(decimal_string(each, currency), period, currency) for each in units
    )
    rows = catalog.row(base), catalog.row(seat, feature=catalog.SEATS.id)
    world.plan(name, catalog.price(*rows, currency=currency, tax_behavior=behavior))


@settings(max_examples=40, deadline=None)
@given(
    prices=st.tuples(PRICE, PRICE),
    seats=st.tuples(*[st.integers(1, 50)] * 3),
    periods=st.tuples(st.sampled_from(PERIODS), st.sampled_from(PERIODS)),
    currency=st.sampled_from(["USD", "JPY", "KWD"]),
    behavior=st.sampled_from(BEHAVIORS),
    seconds=st.integers(0, 40 * 86_400),
    balance=st.integers(0, 2),
    off=OFFS,
    duration=st.sampled_from(Duration),
    percent=st.sampled_from(["0", "7.7", "20"]),
    tax=st.tuples(st.sampled_from(TaxBehavior), st.sampled_from(TaxBehavior)),
)
def test_an_update_costs_what_its_preview_shows(
    prices, seats, periods, currency, behavior, seconds, balance, off, duration, percent, tax
):
    world = World(at(2025, 1, 31))
    world.put(catalog.SEATS.id, seats_feature())
    plan(world, "old", prices[0], periods[0], currency, tax[0])
    plan(world, "new", prices[1], periods[1], currency, tax[1])
    code = buyer(world, currency, off, duration, percent)
    world.number = world.subscribe(
        "old",
        period=periods[0],
        currency=currency,
        discount_code=code,
        quantities={"seats": seats[0]},
    )
    world.to(at(2025, 1, 31) + timedelta(seconds=seconds))
    for _ in range(balance):
        change(world, "old" if balance == 2 else "new", periods[balance % 2], behavior, seats[1])
    update = UpdateSubscription(
        subscription_id=world.number,
        plan="new",
        period=periods[1],
        quantities={"seats": seats[2]},
        behavior=behavior,
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
    ada = natural_id(world.tenant.secret, "customer", "ada")
    assert world.balance(ada, currency) == renewal.balance.ending.units


def change(world, name, period, behavior, seats):
    command = UpdateSubscription(
        subscription_id=world.number,
        plan=name,
        period=period,
        quantities={"seats": seats},
        behavior=behavior,
    )
    world.do(command)
