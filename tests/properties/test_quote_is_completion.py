"""What a checkout page shows is what is charged, whatever is sold to whom (design 7)."""

from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.checkout.events import CheckoutCompleted
from commands.customers.adjust_balance import AdjustBalance
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from kernel.discount import Duration, PriceOff
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.postal import Address
from kernel.price import TaxBehavior
from kernel.settings import TaxRate
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.checkouts import Buyer


OFFS = st.one_of(
    st.none(),
    st.integers(1, 100).map(lambda percent: PriceOff(percentage=percent)),
    st.integers(1, 9_000).map(lambda units: PriceOff(amount=Money(units, "USD"))),
)
PERIODS = st.sampled_from([ChargePeriod.MONTHLY, ChargePeriod.YEARLY, ChargePeriod.ONE_TIME])


def selling(behavior):
    rates = (TaxRate(country="DE", percent="19"), TaxRate(country="CH", percent="8.1"))
    world = World(at(2025, 1, 31), settings={"tax_rates": rates})
    world.seats()
    base = [catalog.charge("9.99", period=period) for period in ChargePeriod]
    seats = [catalog.charge("3.33", period=period) for period in ChargePeriod]
    rows = (catalog.row(*base), catalog.row(*seats, feature=catalog.SEATS.id))
    world.plan("pro", catalog.price(*rows, tax_behavior=behavior))
    return world


@settings(max_examples=60, deadline=None)
@given(
    off=OFFS,
    period=PERIODS,
    seats=st.integers(0, 30),
    balance=st.integers(-20_000, 9_000),
    country=st.sampled_from(["DE", "CH", "US"]),
    behavior=st.sampled_from([TaxBehavior.INCLUSIVE, TaxBehavior.EXCLUSIVE]),
    trial_days=st.sampled_from([None, 5]),
)
def test_the_quote_is_charged(off, period, seats, balance, country, behavior, trial_days):
    world = selling(behavior)
    world.customer()
    if balance:
        amount = Money(balance, "USD")
        world.do(AdjustBalance(customer_id="ada", amount=amount, reason="before"))
    if off is not None:
        new = NewDiscount(name="Off", off=off, duration=Duration.ONCE, cycles=None)
        world.do(CreateDiscount(seed=uuid4(), code="OFF", new=new))
    buyer = Buyer(world, trial_days=trial_days)
    changes = {
        "period": period,
        "quantities": {"seats": seats},
        "billing_address": Address(country=country),
        "discount_code": off and "OFF",
    }
    shown = buyer.quote(**changes)
    assert not shown.problems
    assert shown.totals.subtotal.units == sum(line.amount.units for line in shown.lines)
    before = len(world.store.log)
    assert buyer.quote(**changes) == shown
    assert len(world.store.log) == before
    buyer.enters(**changes)
    buyer.pays("card" if shown.needs_card else None, quote=shown.token)
    assert world.money_taken() == shown.due.units
    (completed,) = world.facts(CheckoutCompleted)
    if shown.trial_ends_at is None:
        assert completed.totals == shown.totals
    else:
        assert (shown.due.units, completed.totals.total.units) == (0, 0)
        world.to(shown.trial_ends_at)
        assert world.invoices()[0].totals == shown.totals
