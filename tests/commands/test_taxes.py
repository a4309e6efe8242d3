"""Tax through the life of a subscription: today's rate for sales, the old one for credits."""

from datetime import timedelta

import pytest

from adapters.tax_ids import StandardTaxIds
from aggregates.customer.state import Details
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from commands.customers.create_customer import CreateCustomer
from commands.organizations.change_settings import ChangeSettings
from commands.subscriptions.cancel_subscription import CancelSubscription
from kernel.ids import natural_id
from kernel.postal import Address
from kernel.price import TaxBehavior
from kernel.settings import TaxRate
from tests.billing_world import World, at


def rates(percent, country="DE"):
    return (TaxRate(country=country, percent=percent),)


def shop(amount="20.00", percent="20", *, country="DE", **fields):
    world = World(settings={"tax_rates": rates(percent)})
    world.monthly(amount, **fields)
    details = Details(billing_address=Address(country=country))
    world.do(CreateCustomer(customer_id="ada", details=details))
    world.card()
    return world, natural_id(world.tenant.secret, "customer", "ada")


def sums(invoice):
    totals = invoice.totals
    return tuple(m.units for m in (totals.subtotal, totals.tax, totals.total))


def test_every_period_is_taxed_and_the_tax_is_charged():
    world, _ = shop("9.99")
    world.subscribe()
    world.to(at(2025, 2, 2))
    assert [sums(invoice) for invoice in world.invoices()] == [(999, 200, 1199)] * 2
    assert world.money_taken() == 2398
    assert [paid.payment.tax.units for paid in world.transactions()] == [200, 200]


def test_a_new_rate_holds_from_the_next_invoice():
    world, _ = shop("10.00")
    world.subscribe()
    world.do(ChangeSettings(changes={"tax_rates": rates("10")}, fees={}))
    world.to(at(2025, 2, 2))
    assert [sums(invoice) for invoice in world.invoices()] == [(1000, 200, 1200), (1000, 100, 1100)]


@pytest.mark.parametrize("inclusive", [False, True])
def test_case_69_and_71_a_credit_has_the_rate_of_the_invoice_it_credits(inclusive):
    behavior = TaxBehavior.INCLUSIVE if inclusive else TaxBehavior.EXCLUSIVE
    world, customer = shop("100.00", tax_behavior=behavior)
    number = world.subscribe()
    world.do(ChangeSettings(changes={"tax_rates": rates("10")}, fees={}))
    period = world.subscription(number).period
    world.to(period.start + (period.end - period.start) / 2)
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=number, wish=now, credit_unused_time=True))
    _, note = world.invoices()
    expected = (-5000, -833, -5000) if inclusive else (-5000, -1000, -6000)
    assert sums(note) == expected
    assert [tax.amount.units for tax in note.taxes] == [expected[1]]
    assert world.balance(customer) == expected[2]


@pytest.mark.parametrize(
    ("currency", "amount", "expected"),
    [
        ("JPY", "10.00", (1000, 80, 1080)),
        ("USD", "9.99", (999, 80, 1079)),
        ("KWD", "100.05", (10005, 800, 10805)),
    ],
)
def test_tax_in_currencies_with_0_2_and_3_decimals(currency, amount, expected):
    """The builder writes amounts in hundreds of minor units, whatever the currency."""
    world, _ = shop(amount, "8", currency=currency)
    world.subscribe()
    assert [sums(invoice) for invoice in world.invoices()] == [expected]


def test_nothing_is_taxed_where_no_rate_is_known():
    for country in ("US", None):
        world, _ = shop("10.00", country=country)
        world.subscribe()
        (invoice,) = world.invoices()
        assert (sums(invoice), invoice.taxes) == ((1000, 0, 1000), ())


def test_a_gap_of_any_length_bills_every_period_with_tax():
    world, _ = shop("10.00")
    world.subscribe()
    world.clock.at += timedelta(days=100)
    world.to(world.clock.at)
    assert [sums(invoice) for invoice in world.invoices()] == [(1000, 200, 1200)] * 4


@pytest.mark.parametrize(
    ("country", "tax_id", "valid"),
    [
        ("DE", "DE136695976", True),
        ("DE", "136695976", True),
        ("DE", "DE 136 695 976", True),
        ("DE", "DE136695977", False),
        ("FR", "DE136695976", False),
        ("GR", "EL094259216", True),
        ("GR", "GR094259216", True),
        ("GR", "094259216", True),
        ("GB", "GB980780684", True),
        ("NO", "NO 995 525 828 MVA", True),
        ("US", "123456789", False),
        ("", "DE136695976", False),
        ("DE", "", False),
        ("DE", "\u00e9\u00e9", False),
        ("X/", "1", False),
    ],
)
def test_tax_ids_are_checked_by_form_and_digits(country, tax_id, valid):
    assert StandardTaxIds().is_valid(country, tax_id) is valid
