"""Cases that belong to several rules at once (43, 51, 71, 73)."""

from uuid import uuid4

from aggregates.customer.state import Details
from aggregates.refund.decide import Wish
from aggregates.refund.state import REFUND
from commands.customers.create_customer import CreateCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.organizations.change_settings import ChangeSettings
from commands.refunds.create_refund import CreateRefund
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.interval import Period
from kernel.money import Money
from kernel.postal import Address
from kernel.settings import ProrationBehavior, TaxRate
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.oracle.price_list import seats_feature


APRIL, MID_APRIL = at(2025, 4, 1), at(2025, 4, 16)
IN_GERMANY = Details(billing_address=Address(country="DE"))


def rates(percent):
    return (TaxRate(country="DE", percent=percent),)


def coupon(world, off):
    new = NewDiscount(name="Save", off=off, duration=Duration.FOREVER, cycles=None)
    world.do(CreateDiscount(seed=uuid4(), code="SAVE", new=new, applies_to=()))


def test_case_43_a_fixed_discount_is_prorated_with_the_prices_it_reduces():
    world = World(APRIL)
    world.monthly("20.00", "small")
    world.monthly("30.00", "large")
    coupon(world, PriceOff(amount=Money(500, "USD")))
    world.customer(card="works")
    number = world.subscribe("small", discount_code="SAVE")
    world.to(MID_APRIL)
    now = ProrationBehavior.IMMEDIATE_CHARGE
    world.do(UpdateSubscription(subscription_id=number, plan="large", behavior=now))
    invoice = world.invoices()[-1]
    assert [line.amount.units for line in invoice.lines] == [-750, 1250]
    assert invoice.totals.total.units == invoice.balance.due.units == 500


def test_case_51_what_is_left_before_a_period_begins_is_all_of_it():
    period = Period(APRIL, at(2025, 5, 1))
    assert period.remaining(at(2025, 3, 20)) == 1
    assert period.remaining(at(2025, 5, 2)) == 0


def test_case_73_seats_change_under_100_percent_off():
    world = World(APRIL)
    seats = catalog.row(catalog.charge("12.00"), feature=catalog.SEATS.id)
    world.plan("team", catalog.price(catalog.row(catalog.charge("20.00")), seats))
    world.put(catalog.SEATS.id, seats_feature())
    coupon(world, PriceOff(percentage=100))
    world.customer()
    number = world.subscribe("team", quantities={"seats": 5}, discount_code="SAVE")
    world.to(MID_APRIL)
    world.do(UpdateSubscription(subscription_id=number, quantities={"seats": 8}))
    assert len(world.invoices()) == 1
    assert world.subscription(number).contract.amount.units == 11600


def test_case_71_a_refund_has_the_rate_of_its_invoice():
    world = World(APRIL, settings={"tax_rates": rates("20")})
    world.monthly("100.00")
    world.do(CreateCustomer(customer_id="ada", details=IN_GERMANY))
    world.card()
    world.subscribe()
    (invoice,) = world.invoices()
    world.do(ChangeSettings(changes={"tax_rates": rates("25")}, fees={}))
    number = uuid4()
    order = invoice.order_id
    world.do(CreateRefund(refund_id=number, order_id=order, units=6000, wish=Wish()))
    shares = world.state(REFUND, number).created.shares
    assert (shares.amount.units, shares.net.units, shares.tax.units) == (6000, 5000, 1000)
