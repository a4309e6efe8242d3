"""A buyer at a checkout: sold once or not at all, and told in the right order (wire 16, 27.4)."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest

from aggregates.checkout import decide
from aggregates.checkout.decide import (
    ChangedTooOften,
    CheckoutBusy,
    CheckoutClosed,
    CheckoutNotFound,
    DiscountsNotAllowed,
    SelectionFixed,
    TriedTooOften,
)
from aggregates.checkout.events import (
    CheckoutAbandoned,
    CheckoutCompleted,
    CheckoutPaymentFailed,
    Origin,
    Status,
)
from aggregates.customer.state import CUSTOMER
from aggregates.discount.redeem import DiscountIsUsedUp, UnknownDiscountCode
from aggregates.invoice.events import InvoiceCreated, InvoiceWithdrawn
from aggregates.order.events import OrderCreated, OrderFailed
from aggregates.payment_method.events import PaymentMethodAdded
from aggregates.plan.pricing import SoldOnRequest
from aggregates.subscription.ending import Cancellation, NothingToCancel
from aggregates.subscription.events import (
    CancellationType,
    SubscriptionActivated,
    SubscriptionCreated,
)
from aggregates.subscription.events import Status as SubscriptionStatus
from commands.billing.selling import AlreadySubscribed, CustomerIsArchived
from commands.checkout.complete_checkout import CardRequired, PriceChanged
from commands.checkout.expire_checkout import ExpireCheckout
from commands.customers.archive_customer import ArchiveCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.invoices.pay_invoice import EnteredCard, PayInvoice
from commands.subscriptions.cancel_subscription import CancelSubscription
from kernel.discount import Duration, PriceOff
from kernel.errors import InvalidFields
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import Succeeded, Unknown
from kernel.postal import Address
from kernel.price import PriceType, TaxBehavior
from kernel.settings import TaxRate
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED, Tenants, World, at
from tests.checkouts import Buyer


NOW = at(2025, 3, 1, 12)


@pytest.fixture
def world():
    return selling()


def selling(**settings):
    world = World(NOW, settings=settings)
    monthly, yearly = (
        catalog.charge("20.00"),
        catalog.charge("200.00", period=ChargePeriod.YEARLY),
    )
    world.plan("pro", catalog.price(catalog.row(monthly, yearly)))
    return world


def discount(world, code="SAVE", percentage=50, **fields):
    off = PriceOff(percentage=percentage)
    new = NewDiscount(name="Save", off=off, duration=Duration.ONCE, cycles=None, **fields)
    world.do(CreateDiscount(seed=uuid4(), code=code, new=new))


def customer(world, customer_id="ada"):
    return world.state(CUSTOMER, natural_id(world.tenant.secret, "customer", customer_id))


def only(found):
    (one,) = found
    return one


# Being paid


def test_a_paid_session_makes_one_subscription_and_tells_it_in_order(world):
    buyer = Buyer(world)
    assert not world.facts(SubscriptionCreated)
    buyer.pays()
    assert buyer.session.status is Status.SUCCESS
    subscription = world.subscription(only(world.subscriptions()))
    assert subscription.status is SubscriptionStatus.ACTIVE
    assert world.money_taken() == 2000
    kinds = [type(fact) for fact in world.facts()]
    assert kinds.index(CheckoutCompleted) < kinds.index(SubscriptionActivated)
    method = only(world.facts(PaymentMethodAdded))
    assert method.is_default
    assert subscription.payment_method == method.method_id
    completed = only(world.facts(CheckoutCompleted))
    assert completed.totals.total == Money(2000, "USD")
    assert completed.order_number == only(world.facts(OrderCreated)).number


def test_the_next_period_is_charged_to_the_card_of_the_checkout(world):
    Buyer(world).pays("gold")
    world.to(at(2025, 4, 2))
    assert [attempt.reference for attempt in world.attempts()] == ["gold", "gold"]


def test_a_declined_card_leaves_the_session_open_and_nothing_behind(world):
    buyer = Buyer(world)
    buyer.pays("declined")
    assert buyer.session.status is Status.OPEN
    assert buyer.session.failure.code == "card_declined"
    assert len(world.facts(OrderFailed)) == len(world.facts(InvoiceWithdrawn)) == 1
    assert not world.facts(PaymentMethodAdded)
    assert world.money_taken() == 0
    buyer.pays("works")
    assert buyer.session.status is Status.SUCCESS
    states = [world.subscription(number).status for number in world.subscriptions()]
    assert states == [SubscriptionStatus.INCOMPLETE_EXPIRED, SubscriptionStatus.ACTIVE]
    assert world.money_taken() == 2000


@pytest.mark.parametrize("card", ["works", "declined", "authenticate", "silent"])
def test_pressing_twice_sells_once(world, card):
    buyer = Buyer(world)
    twice = buyer.command(card)
    world.do(twice)
    before = len(world.store.log)
    world.do(twice)
    assert len(world.store.log) == before


def test_two_tabs_that_race_sell_once(world):
    buyer = Buyer(world)
    tabs = [buyer.command("works"), buyer.command("other")]

    async def race():
        contexts = [world.context(), world.context()]
        return await asyncio.gather(
            *(world.bus.dispatch(tab, c) for tab, c in zip(tabs, contexts, strict=True))
        )

    world.run(race())
    world.react()
    assert len(world.facts(InvoiceCreated)) == len(world.facts(SubscriptionCreated)) == 1
    assert world.money_taken() == 2000


def test_facts_that_are_delivered_twice_change_nothing(world):
    world.deliver_twice = True
    buyer = Buyer(world)
    buyer.pays()
    assert len(world.facts(CheckoutCompleted)) == 1
    assert world.money_taken() == 2000


def test_a_payment_that_the_bank_asks_about_goes_on_when_confirmed(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    assert (buyer.session.status, buyer.session.awaits_authentication) == (Status.PROCESSING, True)
    buyer.confirms()
    assert buyer.session.status is Status.SUCCESS
    assert len(world.facts(InvoiceCreated)) == 1
    assert world.money_taken() == 2000


def test_a_refused_authentication_opens_the_session_again(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    buyer.confirms(approved=False)
    assert buyer.session.status is Status.OPEN
    assert only(world.facts(CheckoutPaymentFailed)).code == "authentication_failed"
    assert len(world.facts(OrderFailed)) == 1
    buyer.pays()
    assert buyer.session.status is Status.SUCCESS


def test_a_saved_card_of_another_sale_does_not_pay_what_waits_for_the_bank(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    world.card("works")
    assert world.money_taken() == 0
    assert buyer.session.awaits_authentication


def test_a_silent_provider_is_asked_and_its_money_is_not_lost_when_the_time_is_up(world):
    buyer = Buyer(world)
    buyer.pays("silent")
    assert (buyer.session.status, buyer.session.is_pending) == (Status.PROCESSING, True)
    with pytest.raises(CheckoutBusy):
        buyer.enters(name="Ada")
    world.to(NOW + timedelta(days=3))
    assert buyer.session.status is Status.PROCESSING
    key = only(world.attempts()).provider_key
    world.provider.answers[key] = Succeeded(reference="late")
    reactor = Reactor("reconcile_payments", world.bus, Tenants(world.tenant))
    reconcile = ReconcilePayments(reactor, world.provider)
    pending = only([r for r in world.store.log if r.name == "invoice.payment_pending.v1"])
    world.run(reconcile.look(pending))
    world.react()
    assert buyer.session.status is Status.SUCCESS


def test_a_refusal_that_is_known_too_late_ends_the_session(world):
    buyer = Buyer(world)
    buyer.pays("silent")
    world.to(NOW + timedelta(days=3))
    world.provider.answers[only(world.attempts()).provider_key] = DECLINED
    reactor = Reactor("reconcile_payments", world.bus, Tenants(world.tenant))
    pending = only([r for r in world.store.log if r.name == "invoice.payment_pending.v1"])
    world.run(ReconcilePayments(reactor, world.provider).look(pending))
    assert buyer.session.status is Status.EXPIRED
    with pytest.raises(CheckoutClosed):
        buyer.pays()


# Paying nothing


def test_a_free_plan_needs_no_card(world):
    world.plan("gratis", catalog.free(), name="Gratis")
    buyer = Buyer(world, plan="gratis", period=ChargePeriod.ONE_TIME)
    assert not buyer.quote().needs_card
    buyer.pays(None)
    assert buyer.session.status is Status.SUCCESS
    kinds = [type(fact) for fact in world.facts()]
    assert kinds.index(CheckoutCompleted) < kinds.index(SubscriptionCreated)


def test_a_discount_of_all_of_it_needs_no_card(world):
    discount(world, percentage=100)
    buyer = Buyer(world, discount_code="SAVE")
    buyer.pays(None)
    assert only(world.facts(CheckoutCompleted)).totals.total.units == 0
    assert world.money_taken() == 0


def test_a_trial_authorizes_the_card_and_charges_it_at_its_end(world):
    buyer = Buyer(world, trial_days=10)
    with pytest.raises(CardRequired):
        buyer.pays(None)
    buyer.pays("gold")
    subscription = world.subscription(only(world.subscriptions()))
    assert subscription.status is SubscriptionStatus.TRIALING
    assert subscription.trial.end == NOW + timedelta(days=10)
    assert (len(world.provider.authorized), world.money_taken()) == (1, 0)
    assert only(world.facts(PaymentMethodAdded)).reference == "gold"
    assert only(world.facts(OrderCreated)).is_trial
    world.to(NOW + timedelta(days=11))
    assert world.money_taken() == 2000


def test_a_trial_does_not_begin_with_a_card_that_is_refused(world):
    buyer = Buyer(world, trial_days=10)
    buyer.pays("declined")
    assert (buyer.session.status, buyer.session.failure.code) == (Status.OPEN, "card_declined")
    assert not world.subscriptions()
    buyer.pays("authenticate")
    assert buyer.session.awaits_authentication
    buyer.confirms()
    assert buyer.session.status is Status.SUCCESS
    assert len(world.facts(SubscriptionCreated)) == 1


def test_a_saved_method_pays(world):
    world.customer()
    saved = world.card("gold")
    Buyer(world).pays(None, saved_method=saved)
    assert only(world.attempts()).reference == "gold"
    assert len(world.facts(PaymentMethodAdded)) == 1


# What is offered


def test_what_is_shown_is_what_is_charged(world):
    discount(world)
    buyer = Buyer(world)
    quote = buyer.quote(period=ChargePeriod.YEARLY, discount_code="save")
    assert (quote.totals.subtotal.units, quote.due.units) == (20000, 10000)
    assert buyer.session.selection.period is ChargePeriod.MONTHLY
    buyer.enters(period=ChargePeriod.YEARLY, discount_code="save")
    assert buyer.quote().token == quote.token
    buyer.pays(quote=quote.token)
    assert world.money_taken() == quote.due.units


def test_another_price_than_the_shown_one_is_not_charged(world):
    buyer = Buyer(world)
    quote = buyer.quote()
    buyer.enters(period=ChargePeriod.YEARLY)
    with pytest.raises(PriceChanged):
        buyer.pays(quote=quote.token)
    assert buyer.session.status is Status.OPEN


def test_a_quote_leaves_nothing_behind_and_says_what_is_wrong(world):
    buyer = Buyer(world)
    before = len(world.store.log)
    quote = buyer.quote(discount_code="NOPE", tax_id="DE1", name="Ada")
    assert set(quote.problems) == {"discountCode", "taxId"}
    assert quote.totals.total.units == 2000
    assert len(world.store.log) == before


def test_only_what_the_session_allows_can_be_chosen(world):
    world.monthly("90.00", "max")
    buyer = Buyer(world, periods=(ChargePeriod.MONTHLY,))
    with pytest.raises(InvalidFields, match="chargePeriod"):
        buyer.enters(period=ChargePeriod.YEARLY)
    with pytest.raises(InvalidFields, match="planIdentifier"):
        buyer.enters(plan="max")
    with pytest.raises(InvalidFields, match="chargePeriod"):
        Buyer(world, period=ChargePeriod.YEARLY, periods=(ChargePeriod.MONTHLY,))
    both = Buyer(world, plans=("pro", "max"))
    assert [option.identifier for option in both.quote().options] == ["pro", "max"]
    both.enters(plan="max")
    both.pays()
    assert world.money_taken() == 9000


def test_quantities_are_priced_and_kept_within_bounds(world):
    seats = catalog.charge("5.00", minimum=2, maximum=9)
    world.plan("team", catalog.price(catalog.row(seats, feature=catalog.SEATS.id)))
    world.seats()
    buyer = Buyer(world, plan="team")
    assert (buyer.quote().quantities, buyer.quote().due.units) == ({"seats": 2}, 1000)
    assert buyer.quote(quantities={"seats": 10}).problems
    buyer.enters(quantities={"seats": 4})
    buyer.pays()
    assert world.money_taken() == 2000


def test_another_plan_takes_of_the_form_what_it_sells(world):
    """A form sends all that stands in it: also the period and the quantities of the plan before."""
    seats = catalog.charge("5.00", minimum=2, maximum=9)
    world.plan("team", catalog.price(catalog.row(seats, feature=catalog.SEATS.id)))
    world.seats()
    yearly = catalog.charge("90.00", period=ChargePeriod.YEARLY)
    world.plan("solo", catalog.price(catalog.row(yearly)))
    buyer = Buyer(world, plan="team", plans=("team", "solo", "pro"))
    form = {"period": ChargePeriod.MONTHLY, "quantities": {"seats": 4}}
    quote = buyer.quote(plan="solo", **form)
    assert (quote.problems, quote.period, quote.due.units) == ({}, ChargePeriod.YEARLY, 9000)
    buyer.enters(plan="pro", **form)
    assert (buyer.quote().period, buyer.quote().quantities) == (ChargePeriod.MONTHLY, {})
    buyer.enters(plan="team", **form)
    assert buyer.quote().quantities == {"seats": 4}


def test_a_custom_amount_fixes_the_selection(world):
    buyer = Buyer(
        world, currency="USD", custom_amount=Decimal("12.34"), tax_behavior=TaxBehavior.INCLUSIVE
    )
    with pytest.raises(SelectionFixed):
        buyer.enters(period=ChargePeriod.YEARLY)
    buyer.pays()
    assert world.money_taken() == 1234
    assert world.subscription(only(world.subscriptions())).contract.is_custom_pricing


def test_a_plan_sold_on_request_is_sold_at_the_amount_agreed_on(world):
    world.plan("tailored", catalog.price(kind=PriceType.CUSTOM), name="Tailored")
    with pytest.raises(SoldOnRequest):
        Buyer(world, plan="tailored")
    buyer = Buyer(world, plan="tailored", currency="USD", custom_amount=Decimal("70.00"))
    assert buyer.quote().due.units == 7000
    buyer.pays()
    assert world.money_taken() == 7000


def test_the_price_is_in_the_currency_of_the_buyers_country():
    world = World(NOW)
    row = catalog.row(catalog.charge("18.00", currency="EUR"))
    world.plan("pro", catalog.price(), catalog.price(row, currency="EUR", number=2))
    assert Buyer(world, country="DE").quote().currency == "EUR"
    assert Buyer(world, country="JP").quote().currency == "USD"
    assert Buyer(world, country="DE", default_country="US").quote().currency == "USD"


def test_the_buyer_is_taxed_by_the_address_that_is_entered():
    rates = (TaxRate(country="DE", percent="19"), TaxRate(country="FR", percent="20"))
    world = selling(tax_rates=rates)
    buyer = Buyer(world)
    with pytest.raises(InvalidFields, match="billingAddress"):
        buyer.pays()
    guessed = Buyer(world, customer_id="bob", country="DE")
    assert guessed.quote().totals.tax.units == 380
    buyer.enters(billing_address=Address(country="FR", city="Paris"))
    assert buyer.quote().totals.total.units == 2400
    buyer.pays()
    assert world.money_taken() == 2400
    assert customer(world).details.billing_address.city == "Paris"


# Discounts


def test_case_80_of_two_checkouts_at_once_one_gets_the_last_redemption(world):
    discount(world, max_redemptions=1)
    ada = Buyer(world, discount_code="SAVE")
    bob = Buyer(world, customer_id="bob", discount_code="SAVE")
    ada.pays("silent")
    with pytest.raises(DiscountIsUsedUp):
        bob.pays()
    assert "discountCode" in bob.quote().problems
    bob.enters(discount_code=None)
    bob.pays()
    assert world.money_taken() == 2000


def test_a_declined_payment_gives_the_redemption_back(world):
    discount(world, max_redemptions=1)
    Buyer(world, discount_code="SAVE").pays("declined")
    bob = Buyer(world, customer_id="bob", discount_code="SAVE")
    bob.pays()
    assert world.money_taken() == 1000


def test_a_code_is_kept_as_the_merchant_writes_it(world):
    discount(world, code="Save")
    assert Buyer(world, discount_code=" sAVE ").session.selection.discount_code == "Save"
    buyer = Buyer(world)
    buyer.enters(discount_code="SAVE")
    assert buyer.session.selection.discount_code == "Save"
    assert not buyer.enters(discount_code="save")


def test_codes_can_be_refused(world):
    discount(world)
    with pytest.raises(UnknownDiscountCode):
        Buyer(world, discount_code="NOPE")
    buyer = Buyer(world, discounts_enabled=False)
    with pytest.raises(DiscountsNotAllowed):
        buyer.enters(discount_code="SAVE")
    given = Buyer(world, customer_id="bob", discounts_enabled=False, discount_code="SAVE")
    assert given.quote().due.units == 1000


# Who buys


def test_an_unknown_customer_is_created_with_the_session(world):
    buyer = Buyer(world, customer_id="new", email="new@example.com")
    assert customer(world, "new").details.email == "new@example.com"
    buyer.enters(email="other@example.com", name="New")
    buyer.pays()
    assert customer(world, "new").details.email == "other@example.com"
    assert customer(world, "new").details.name == "New"


def test_a_locked_email_cannot_be_changed(world):
    buyer = Buyer(world, lock_email=True)
    with pytest.raises(InvalidFields, match="email"):
        buyer.enters(email="other@example.com")
    with pytest.raises(InvalidFields, match="lockEmail"):
        Buyer(world, customer_id="nobody", email=None, lock_email=True)


def test_a_public_link_shows_and_changes_nothing_of_a_known_customer(world):
    world.customer("victim", card="gold")
    saved = only(world.facts(PaymentMethodAdded)).method_id
    buyer = Buyer(world, customer_id="victim", origin=Origin.LINK, email=None)
    assert buyer.session.details.email is None
    buyer.enters(email="thief@example.com")
    with pytest.raises(CardRequired):
        buyer.pays(None, saved_method=saved)
    buyer.pays()
    assert customer(world, "victim").details.email is None


def test_an_archived_customer_cannot_buy(world):
    world.customer()
    world.do(ArchiveCustomer(customer_id="ada"))
    with pytest.raises(CustomerIsArchived):
        Buyer(world)


def test_one_subscription_per_product_holds_at_the_checkout():
    world = selling(one_subscription_per_product=True)
    first, second = Buyer(world), Buyer(world)
    first.pays("silent")
    with pytest.raises(AlreadySubscribed):
        second.pays()
    with pytest.raises(AlreadySubscribed):
        Buyer(world)


# Time


def test_a_session_expires_and_cannot_be_paid_any_more(world):
    buyer = Buyer(world)
    world.to(NOW + timedelta(hours=24))
    assert buyer.session.status is Status.EXPIRED
    with pytest.raises(CheckoutClosed):
        buyer.pays()
    assert world.money_taken() == 0


def test_the_time_is_a_setting():
    world = selling(checkout_expiry_hours=2)
    buyer = Buyer(world)
    assert buyer.session.expires_at == NOW + timedelta(hours=2)


def test_a_session_that_waits_for_the_bank_expires_with_what_it_began(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    world.to(NOW + timedelta(hours=24))
    assert buyer.session.status is Status.EXPIRED
    assert len(world.facts(OrderFailed)) == len(world.facts(InvoiceWithdrawn)) == 1
    buyer.confirms()
    assert world.money_taken() == 0


def test_an_untouched_session_is_said_to_be_abandoned_once(world):
    buyer = Buyer(world)
    world.to(NOW + timedelta(minutes=50))
    buyer.enters(name="Ada")
    world.to(NOW + timedelta(minutes=79))
    assert not world.facts(CheckoutAbandoned)
    world.to(NOW + timedelta(hours=20))
    assert only(world.facts(CheckoutAbandoned)).occurred_at == NOW + timedelta(minutes=80)
    buyer.pays()
    assert buyer.session.status is Status.SUCCESS


def test_an_unknown_session_is_not_found(world):
    buyer = Buyer(world)
    buyer.session_id = "cs_nothing"
    with pytest.raises(CheckoutNotFound):
        buyer.quote()


def test_an_authorization_of_unknown_outcome_is_asked_after(world):
    buyer = Buyer(world, trial_days=10)
    world.provider.say("slow", Unknown())
    buyer.pays("slow")
    assert (buyer.session.status, buyer.session.is_pending) == (Status.PROCESSING, True)
    pending = only([r for r in world.store.log if r.name == "checkout.payment_pending.v1"])
    world.provider.say("slow", Succeeded(reference="late"))
    cards = next(r for r in world.reactions if r.reaction.name == "authorize_cards")
    world.run(cards.look(pending))
    world.react()
    assert buyer.session.status is Status.SUCCESS
    assert world.money_taken() == 0


def test_its_invoice_can_be_paid_by_the_link_while_the_bank_is_waited_for(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    invoice = only(world.invoices())
    card = EnteredCard("works", only(world.attempts()).method)
    world.do(PayInvoice(invoice_id=invoice.invoice_id, attempt=2, card=card))
    assert buyer.session.status is Status.SUCCESS
    buyer.confirms()
    assert world.money_taken() == 2000
    assert not world.facts(PaymentMethodAdded)


def test_an_attempt_by_the_link_is_waited_for_before_a_session_expires(world):
    buyer = Buyer(world)
    buyer.pays("authenticate")
    invoice = only(world.invoices())
    card = EnteredCard("silent", only(world.attempts()).method)
    world.do(PayInvoice(invoice_id=invoice.invoice_id, attempt=2, card=card))
    world.clock.at = NOW + timedelta(days=2)
    world.do(ExpireCheckout(session=buyer.stream))
    buyer.confirms(approved=False)
    assert buyer.session.status is Status.PROCESSING
    key = world.attempts()[-1].provider_key
    world.provider.answers[key] = Succeeded(reference="late")
    reactor = Reactor("reconcile_payments", world.bus, Tenants(world.tenant))
    pending = only([r for r in world.store.log if r.name == "invoice.payment_pending.v1"])
    world.run(ReconcilePayments(reactor, world.provider).look(pending))
    assert buyer.session.status is Status.SUCCESS


def test_what_is_not_complete_cannot_be_canceled(world):
    buyer = Buyer(world)
    buyer.pays("silent")
    number = only(world.subscriptions())
    wish = Cancellation(type=CancellationType.IMMEDIATE)
    with pytest.raises(NothingToCancel):
        world.do(CancelSubscription(subscription_id=number, wish=wish))


def test_no_more_than_twenty_cards_are_tried(world):
    buyer = Buyer(world)
    for _ in range(20):
        buyer.pays("declined")
    with pytest.raises(TriedTooOften):
        buyer.pays("works")


def test_a_session_takes_no_endless_changes(world, monkeypatch):
    monkeypatch.setattr(decide, "MOST_CHANGES", 3)
    buyer = Buyer(world)
    for name in ("A", "B", "C"):
        buyer.enters(name=name)
    with pytest.raises(ChangedTooOften):
        buyer.enters(name="D")
    buyer.enters(name="C")
    buyer.pays()
    assert buyer.session.status is Status.SUCCESS
