"""Money given back: never more than was paid, each share to where it came from (design 7, 13)."""

import asyncio
import functools
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.order import refunding
from aggregates.order.events import OrderCreated, OrderRefunded, OrderRefundFailed
from aggregates.order.events import Status as OrderStatus
from aggregates.order.refunding import (
    AlreadyRefunded,
    MoreThanRefundable,
    NothingToRefund,
    OrderNotPaid,
)
from aggregates.order.state import ORDER
from aggregates.refund.decide import Wish
from aggregates.refund.events import RefundCreated, RefundFailed, RefundPending, RefundSucceeded
from aggregates.refund.events import Status as RefundStatus
from aggregates.refund.state import REFUND
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from aggregates.transaction.events import TransactionFailed, TransactionRefunded
from commands.organizations.change_settings import ChangeSettings
from commands.refunds.create_refund import CreateRefund, OrderNotFound
from commands.refunds.record_refund_outcome import RecordRefundFailed, RecordRefundSucceeded
from commands.subscriptions.cancel_subscription import CancelSubscription
from kernel.errors import Conflict, InvalidFields
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import Declined, Succeeded, Unknown
from kernel.sale import Totals
from subscribers.give_refunds import GiveRefunds
from subscribers.reacting import Reactor
from tests import catalog_builders as catalog
from tests.billing_world import Tenants, World, at
from tests.commands.test_crashes import Mortal
from tests.commands.test_taxes import rates, shop


REFUSED = Declined(code="refund_failed", message="The refund failed.")


def sold(amount="100.00", credit=0, currency="USD", **settings_):
    """A world with one paid order; ``credit`` units of it paid by the balance."""
    world = World(at(2025, 1, 31), settings=settings_)
    row = catalog.row(catalog.charge(amount, currency=currency))
    world.plan("pro", catalog.price(row, currency=currency))
    customer = world.customer(card="works")
    if credit:
        world.begin_balance(customer, -credit, currency)
    world.subscribe()
    return world, world.invoices()[0].order_id


def refund(world, order_id, units=None, **fields):
    """Ask for a refund; its state when all has followed."""
    number = uuid4()
    wish = fields.pop("wish", Wish())
    world.do(CreateRefund(refund_id=number, order_id=order_id, units=units, wish=wish, **fields))
    return world.state(REFUND, number)


def order(world, order_id):
    return world.state(ORDER, order_id)


def refunded_total(world):
    return world.facts(OrderRefunded)[-1].total.units


def test_case_83_refunds_add_up_to_what_was_paid():
    world, order_id = sold("100.00")
    for _ in range(3):
        assert refund(world, order_id, 3000).status is RefundStatus.SUCCEEDED
    assert order(world, order_id).status is OrderStatus.PARTIAL_REFUND
    with pytest.raises(MoreThanRefundable, match=r"10\.00 USD"):
        refund(world, order_id, 2000)
    rest = refund(world, order_id)
    assert rest.created.shares.amount == Money(1000, "USD")
    assert refunded_total(world) == 10_000
    assert order(world, order_id).status is OrderStatus.REFUNDED
    with pytest.raises(AlreadyRefunded):
        refund(world, order_id)
    given_back = sum(each.amount.units for each in world.provider.refunded.values())
    assert given_back == 10_000 == world.money_taken()


@functools.cache
def some_order():
    return sold()[0].facts(OrderCreated)[0]


def taxed(total, tax):
    """A paid order of this gross total, the tax within it, as decisions see it."""
    sums = {"subtotal": total - tax, "discount": 0, "tax": tax, "total": total}
    totals = Totals(**{name: Money(units, "USD") for name, units in sums.items()})
    return ORDER.of([replace(some_order(), status=OrderStatus.COMPLETE, totals=totals)])


def test_case_85_refund_amounts_are_gross():
    shares = refunding.shares(
        taxed(12_000, 2_000), Money(6000, "USD"), charged=Money(12_000, "USD")
    )
    assert (shares.net.units, shares.tax.units) == (5000, 1000)


def test_case_71_and_85_a_refund_has_the_rate_of_the_invoice():
    world, _ = shop("100.00")
    world.subscribe()
    world.do(ChangeSettings(changes={"tax_rates": rates("10")}, fees={}))
    order_id = world.invoices()[0].order_id
    shares = [refund(world, order_id, units).created.shares for units in (6000, 1, None)]
    assert [(s.net.units, s.tax.units) for s in shares] == [(5000, 1000), (1, 0), (4999, 1000)]
    booked = [fact.payment.tax.units for fact in world.facts(TransactionRefunded)]
    assert booked == [-1000, 0, -1000]


@pytest.mark.parametrize(("refunded", "credited"), [(None, 0), (1500, -750), (1, -1500)])
def test_what_was_refunded_is_not_credited_again(refunded, credited):
    world, order_id = sold("30.00")
    (number,) = world.subscriptions()
    refund(world, order_id, refunded)
    period = world.subscription(number).period
    world.to(period.start + (period.end - period.start) / 2)
    now = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=number, wish=now, credit_unused_time=True))
    assert world.balance(world.invoices()[0].sale.customer) == credited


def test_case_87_each_share_goes_back_to_where_it_came_from():
    world, order_id = sold("100.00", credit=3000)
    customer = world.invoices()[0].sale.customer
    assert world.balance(customer) == 0
    done = refund(world, order_id)
    assert done.status is RefundStatus.SUCCEEDED
    (given_back,) = world.provider.refunded.values()
    assert given_back.amount == Money(7000, "USD")
    assert world.balance(customer) == -3000
    entry = world.facts(BalanceChanged)[-1]
    assert entry.reason is BalanceReason.REFUND
    assert entry.invoice_id == world.invoices()[0].invoice_id


def test_the_card_gets_its_money_first():
    world, order_id = sold("100.00", credit=3000)
    shares = [refund(world, order_id, units).created.shares for units in (6000, 3000, 1000)]
    assert [s.method.units for s in shares] == [6000, 1000, 0]
    assert [s.balance.units for s in shares] == [0, 2000, 1000]
    assert len(world.provider.refunded) == 2
    assert order(world, order_id).status is OrderStatus.REFUNDED


def test_what_the_balance_paid_alone_asks_no_provider():
    world, order_id = sold("20.00", credit=2000)
    done = refund(world, order_id)
    assert done.status is RefundStatus.SUCCEEDED
    assert world.provider.refunded == {}
    assert world.facts(TransactionRefunded) == []
    assert world.balance(world.invoices()[0].sale.customer) == -2000


def test_the_transaction_of_a_refund_is_negative_and_keeps_the_fee():
    world, order_id = sold("100.00")
    refund(world, order_id, 4000)
    (booked,) = world.facts(TransactionRefunded)
    assert booked.payment.amount == booked.net == Money(-4000, "USD")
    assert booked.payment.type == "REFUND"
    assert booked.available_on == booked.occurred_at.date()


def test_a_refused_refund_frees_its_amount():
    world, order_id = sold("100.00", credit=3000)
    world.provider.say("refund", REFUSED, Succeeded(reference="back"))
    failed = refund(world, order_id)
    assert (failed.status, failed.failure.message) == (RefundStatus.FAILED, "The refund failed.")
    assert order(world, order_id).status is OrderStatus.COMPLETE
    assert len(world.facts(OrderRefundFailed, RefundFailed)) == 2
    assert world.facts(TransactionFailed)[0].payment.amount.units == -7000
    assert world.balance(failed.created.sale.customer) == 0
    assert refund(world, order_id).status is RefundStatus.SUCCEEDED


def test_a_silent_provider_keeps_the_amount_set_aside_until_it_is_known():
    world, order_id = sold("100.00")
    world.provider.say("refund", Unknown(), Succeeded(reference="back"))
    waiting = refund(world, order_id, 6000)
    assert (waiting.status, waiting.is_pending) == (RefundStatus.PROCESSING, True)
    with pytest.raises(MoreThanRefundable):
        refund(world, order_id, 5000)
    pending = next(r for r in world.store.log if isinstance(r.fact, RefundPending))
    asking = GiveRefunds(Reactor("g", world.bus, Tenants(world.tenant)), world.provider)
    for _ in range(2):
        asyncio.run(asking.look(pending))
    assert len(world.provider.refunded) == 1
    assert set(world.provider.refunded) == {waiting.created.provider_key}
    assert refunded_total(world) == 6000


def test_a_refund_that_never_arrived_is_not_sent_after_twelve_hours():
    world, order_id = sold("100.00")
    world.provider.say("refund", Unknown())
    refund(world, order_id)
    pending = next(r for r in world.store.log if isinstance(r.fact, RefundPending))
    world.clock.at = pending.recorded_at + timedelta(hours=13)
    asking = GiveRefunds(Reactor("g", world.bus, Tenants(world.tenant)), world.provider)
    asyncio.run(asking.look(pending))
    assert world.facts(RefundFailed)[0].code == "refund_lost"
    assert world.provider.refunded == {}


@pytest.mark.parametrize(
    ("currency", "amount", "units"),
    [("USD", "12.34", 1234), ("JPY", "500", 500), ("KWD", "1.005", 1005)],
)
def test_major_units(currency, amount, units):
    world, order_id = sold("1000", currency=currency)
    done = refund(world, order_id, amount=Decimal(amount))
    assert done.created.shares.amount == Money(units, currency)


@pytest.mark.parametrize(("currency", "amount"), [("USD", "1.005"), ("JPY", "1.5")])
def test_too_many_decimals_are_a_field_error(currency, amount):
    world, order_id = sold("1000", currency=currency)
    with pytest.raises(InvalidFields, match="decimal places"):
        refund(world, order_id, amount=Decimal(amount))


def test_minor_units_win():
    world, order_id = sold("100.00")
    done = refund(world, order_id, 100, amount=Decimal(50))
    assert done.created.shares.amount.units == 100


def test_a_trial_has_nothing_to_refund():
    world = World(at(2025, 1, 31))
    world.monthly("20.00", free_trial=True)
    world.customer(card="works")
    world.subscribe()
    trial = next(r.stream for r in world.store.log if r.name == "order.created.v1")
    with pytest.raises(NothingToRefund):
        refund(world, trial)


def test_an_unpaid_order_is_not_refunded():
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    world.customer(card="declined")
    world.subscribe()
    with pytest.raises(OrderNotPaid):
        refund(world, world.invoices()[0].order_id)
    with pytest.raises(OrderNotFound):
        refund(world, uuid4())


def test_a_full_refund_of_a_one_time_sale_ends_its_access():
    world = World(at(2025, 1, 31))
    once = catalog.charge("50.00", period=ChargePeriod.ONE_TIME)
    world.plan("pro", catalog.price(catalog.row(once)))
    world.customer(card="works")
    number = world.subscribe(period=ChargePeriod.ONE_TIME)
    order_id = world.invoices()[0].order_id
    refund(world, order_id, 4999)
    assert world.facts(OrderRefunded)[-1].revokes is None
    refund(world, order_id)
    assert world.facts(OrderRefunded)[-1].revokes == number


def test_a_full_refund_leaves_a_subscription_alone():
    world, order_id = sold("100.00")
    refund(world, order_id)
    assert world.facts(OrderRefunded)[-1].revokes is None
    (number,) = world.subscriptions()
    assert world.subscription(number).status == "active"


def test_fifty_refunds_at_once_never_give_back_more_than_was_paid():
    world, order_id = sold("100.00")

    async def race():
        asked = [
            world.bus.dispatch(
                CreateRefund(refund_id=uuid4(), order_id=order_id, units=700, wish=Wish()),
                world.context(),
            )
            for _ in range(50)
        ]
        return await asyncio.gather(*asked, return_exceptions=True)

    outcomes = asyncio.run(race())
    world.react()
    won = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert all(isinstance(each, MoreThanRefundable | Conflict) for each in lost)
    assert 1 <= len(won) <= 14
    given_back = sum(each.amount.units for each in world.provider.refunded.values())
    assert given_back == 700 * len(won) <= 10_000
    assert given_back == refunded_total(world)


def test_everything_delivered_twice_changes_nothing():
    world, order_id = sold("100.00", credit=3000)
    world.deliver_twice = True
    refund(world, order_id)
    assert len(world.provider.refunded) == 1
    assert len(world.facts(RefundSucceeded)) == len(world.facts(OrderRefunded)) == 1
    again = world.facts(RefundCreated)[0]
    late = {"refund_id": again.refund_id, "caused_at": again.occurred_at}
    assert world.do(RecordRefundFailed(**late, code="late", message="late")) == []
    assert world.do(RecordRefundSucceeded(**late, reference="other")) == []


@pytest.mark.parametrize("answers", [(Succeeded(reference="b"),), (Unknown(), REFUSED), (REFUSED,)])
def test_killed_between_any_two_steps_it_ends_as_if_it_had_not_been(answers):
    expected, statements = refunded_while_killed(answers, lives=())
    for life in range(1, statements + 1):
        assert refunded_while_killed(answers, lives={life})[0] == expected, life


def refunded_while_killed(answers, lives):
    """What became of a refund whose every step was killed at these statements and repeated."""
    world, order_id = sold("100.00", credit=3000)
    world.provider.say("refund", *answers)
    mortal = Mortal(world, lives)
    mortal._wrap(world.provider, "refund")
    number = UUID(int=9)
    command = CreateRefund(refund_id=number, order_id=order_id, wish=Wish())
    began = len(world.store.log)

    def ask():
        if not any(fact.refund_id == number for fact in world.facts(RefundCreated)):
            world.do(command, react=False)

    mortal.works(ask)
    mortal.works(world.react)
    pending = [r for r in world.store.log if isinstance(r.fact, RefundPending)]
    asking = GiveRefunds(Reactor("g", world.bus, Tenants(world.tenant)), world.provider)
    for each in pending:
        mortal.works(lambda each=each: asyncio.run(asking.look(each)))
    moved = sum(each.amount.units for each in world.provider.refunded.values())
    balance = world.balance(world.invoices()[0].sale.customer)
    lasting = [name for name in world.names(began) if not name.endswith(".pending")]
    return (lasting, moved, balance), mortal.statements


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_refunds_of_any_order_stay_within_what_was_paid(data):
    total = data.draw(st.integers(1, 100_000))
    tax = data.draw(st.integers(0, total // 2))
    charged = Money(data.draw(st.integers(0, total)), "USD")
    state = taxed(total, tax)
    at_ = at(2025)
    for step in range(data.draw(st.integers(1, 12))):
        if state.in_flight and data.draw(st.booleans()):
            number = data.draw(st.sampled_from(sorted(state.in_flight)))
            end = data.draw(st.sampled_from(["finish", "release"]))
            facts = (
                refunding.finish(state, number, at=at_)
                if end == "finish"
                else refunding.release(state, number, message="no", at=at_)
            )
        else:
            wanted = data.draw(st.none() | st.integers(1, total))
            money = None if wanted is None else Money(wanted, "USD")
            try:
                shares = refunding.shares(state, money, charged=charged)
            except (AlreadyRefunded, MoreThanRefundable):
                continue
            assert shares.net + shares.tax == shares.amount == shares.method + shares.balance
            assert min(shares.net.units, shares.tax.units, shares.method.units) >= 0
            assert shares.balance.units >= 0
            facts = refunding.start(state, UUID(int=step), shares, at=at_)
        for fact in facts:
            state = ORDER.evolve(state, fact)
        given_back = state.refunds.values()
        assert sum(s.amount.units for s in given_back) <= total
        assert sum(s.tax.units for s in given_back) <= tax
        assert sum(s.method.units for s in given_back) <= charged.units
        if state.status is OrderStatus.REFUNDED:
            assert sum(s.amount.units for s in given_back) == total
            assert sum(s.method.units for s in given_back) == charged.units
