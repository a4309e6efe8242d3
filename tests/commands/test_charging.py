"""One-time charges: paid by the first attempt or never (design 8)."""

import asyncio
from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.invoice.events import InvoiceWithdrawn
from aggregates.order.events import OrderCompleted, OrderFailed
from aggregates.order.events import Status as OrderStatus
from aggregates.order.state import ORDER
from aggregates.subscription.events import Status
from commands.billing.selling import AlreadySubscribed
from commands.charges.create_charge import ChargedOnce, CreateCharge, NoPaymentMethod
from kernel.errors import InvalidFields
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import Succeeded, Unknown
from kernel.price import TaxBehavior
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED, Tenants, World, at
from tests.commands.test_crashes import Mortal


@pytest.fixture
def world():
    return selling()


def selling(**settings):
    world = World(at(2025, 1, 31), settings=settings)
    once = catalog.charge("49.00", period=ChargePeriod.ONE_TIME)
    monthly = catalog.charge("20.00")
    world.plan("boost", catalog.price(catalog.row(once, monthly)), name="Boost")
    return world


def charge(world, **fields):
    number = uuid4()
    known = {"customer_id": "ada", "plan": "boost", "period": ChargePeriod.ONE_TIME}
    world.do(CreateCharge(subscription_id=number, **known | fields))
    return world.subscription(number)


def test_a_charge_that_is_paid_gives_access(world):
    world.customer(card="works")
    state = charge(world)
    assert (state.status, state.period) == (Status.ACTIVE, None)
    assert len(world.facts(OrderCompleted)) == 1
    assert world.money_taken() == 4900


@pytest.mark.parametrize("card", ["declined", "stolen", "authenticate"])
def test_a_charge_that_fails_never_came_about(world, card):
    world.customer(card=card)
    state = charge(world)
    assert state.status is Status.INCOMPLETE_EXPIRED
    assert len(world.facts(OrderFailed)) == len(world.facts(InvoiceWithdrawn)) == 1
    world.card("works")
    world.to(at(2025, 6, 1))
    assert world.money_taken() == 0
    assert not world.invoice(world.invoices()[0].invoice_id).is_open


def test_a_charge_that_fails_gives_the_balance_back_what_it_took(world):
    customer = world.customer(card="declined")
    world.begin_balance(customer, -900)
    charge(world)
    assert world.invoices()[0].balance.due == Money(4000, "USD")
    assert world.balance(customer) == -900
    assert world.facts(BalanceChanged)[-1].reason is BalanceReason.INVOICE_WITHDRAWN


def test_nothing_is_recorded_without_a_method(world):
    world.customer()
    before = len(world.store.log)
    with pytest.raises(NoPaymentMethod):
        charge(world)
    with pytest.raises(ChargedOnce):
        charge(world, period=ChargePeriod.MONTHLY)
    assert len(world.store.log) == before


@pytest.mark.parametrize(
    ("amount", "currency", "error"), [("1.005", "USD", "decimal places"), ("0.001", "USD", "2")]
)
def test_a_custom_amount_has_the_decimals_of_its_currency(world, amount, currency, error):
    world.customer(card="works")
    with pytest.raises(InvalidFields, match=error):
        charge(world, custom_amount=Decimal(amount), currency=currency)


def test_a_custom_amount_is_the_whole_price(world):
    world.customer(card="works")
    state = charge(world, custom_amount=Decimal("12.34"), currency="USD")
    assert state.contract.is_custom_pricing
    assert state.contract.terms.tax_behavior is TaxBehavior.EXCLUSIVE
    assert state.contract.amount == Money(1234, "USD")
    assert world.money_taken() == 1234


def test_a_charge_may_stand_beside_a_subscription_to_the_same_product():
    world = selling(one_subscription_per_product=True)
    world.customer(card="works")
    world.subscribe("boost")
    with pytest.raises(AlreadySubscribed):
        world.subscribe("boost")
    assert charge(world).status is Status.ACTIVE


@pytest.mark.parametrize(
    ("late", "status"),
    [(Succeeded(reference="p"), Status.ACTIVE), (DECLINED, Status.INCOMPLETE_EXPIRED)],
)
def test_an_unknown_outcome_waits_for_what_became_of_it(world, late, status):
    world.provider.say("slow", Unknown(), late)
    world.customer(card="slow")
    waiting = charge(world)
    assert waiting.status is Status.INCOMPLETE
    pending = next(r for r in world.store.log if r.name == "invoice.payment_pending.v1")
    asking = ReconcilePayments(Reactor("r", world.bus, Tenants(world.tenant)), world.provider)
    asyncio.run(asking.look(pending))
    world.react()
    assert world.subscription(waiting.id).status is status
    order = world.state(ORDER, world.invoices()[0].order_id)
    assert order.status is (OrderStatus.COMPLETE if status is Status.ACTIVE else OrderStatus.FAILED)


@pytest.mark.parametrize("card", ["works", "declined", "authenticate"])
def test_killed_between_any_two_steps_a_charge_ends_as_if_it_had_not_been(card):
    expected, statements = charged_while_killed(card, lives=())
    for life in range(1, statements + 1):
        assert charged_while_killed(card, lives={life})[0] == expected, life


def charged_while_killed(card, lives):
    """What became of a charge whose every step was killed at these statements and repeated."""
    world = selling()
    world.customer(card=card)
    mortal = Mortal(world, lives)
    number = UUID(int=9)
    command = CreateCharge(
        subscription_id=number,
        customer_id="ada",
        plan="boost",
        period=ChargePeriod.ONE_TIME,
    )
    began = len(world.store.log)

    def ask():
        if number not in world.subscriptions():
            world.do(command, react=False)

    mortal.works(ask)
    mortal.works(world.react)
    return (world.names(began), world.money_taken()), mortal.statements
