"""What a customer may do in the portal, with what is the customer's own and nothing else."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from aggregates.customer.decide import CustomerNotFound
from aggregates.customer.state import CUSTOMER, Details
from aggregates.payment_method.decide import DefaultMethodStays, PaymentMethodNotFound
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import payment_methods_of
from aggregates.plan.events import PlanDraftOpened, PlanDraftPriced, PlanVersionPublished
from aggregates.portal_session.refusals import NotSignedIn
from aggregates.portal_session.token import digest_of
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import Initiator, Status
from aggregates.subscription.retention import Choice
from commands.customers.archive_customer import ArchiveCustomer
from commands.customers.change_customer import ChangeCustomer
from commands.customers.create_customer import CreateCustomer
from commands.organizations.change_retention import ChangeRetention
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.payment_methods.change_payment_method import ChangePaymentMethod
from commands.payment_methods.remove_payment_method import RemovePaymentMethod
from commands.portal.act_as_customer import ActAsCustomer, FormAlreadySent, NotForCustomers
from commands.portal.issue_portal_session import IssuePortalSession
from commands.portal.signing_in import EndPortalSession, ExchangePortalToken
from commands.subscriptions.accept_retention_offer import AcceptRetentionOffer
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.migrate_subscription import AlreadyLatest, MigrateSubscription
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from commands.subscriptions.preview_migration import PreviewMigration
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.ids import natural_id
from kernel.ports.payments import Instrument, SavedInstrument
from kernel.preview_token import PreviewOutdated
from kernel.retention import Feedback, OfferType, RetentionOffer
from tests import catalog_builders as catalog
from tests.billing_world import World, at


COOKIE = digest_of("cookie")
BY_CUSTOMER = Cancellation(initiator=Initiator.CUSTOMER, feedback=Feedback.UNUSED, comment="Bye")
PAUSE = RetentionOffer(feedback=Feedback.UNUSED, type=OfferType.PAUSE, durations=(1, 3))
OFF = RetentionOffer(
    feedback=Feedback.TOO_EXPENSIVE, type=OfferType.DISCOUNT, percentage_off=20, billing_cycles=2
)
VISA = Instrument(type="card", brand="visa", last4="4444", country="US")
SAVED = SavedInstrument(reference="works", instrument=VISA)


class Portal(World):
    """Two customers with a subscription each; ada is signed in."""

    def __init__(self):
        super().__init__(at(2026, 3, 1))
        self.monthly("20.00")
        self.monthly("50.00", "max")
        self.ada, self.adas = self.sold_to("ada")
        self.eve, self.eves = self.sold_to("eve")
        self.session = self.sign_in("ada")

    def sold_to(self, name):
        details = Details(name=name, email=f"{name}@example.com")
        self.do(CreateCustomer(customer_id=name, details=details))
        self.card("works", name)
        return natural_id(self.tenant.secret, "customer", name), self.subscribe(customer_id=name)

    def sign_in(self, name):
        session = uuid4()
        digest = digest_of("token")
        self.do(IssuePortalSession(session_id=session, customer_id=name, digest=digest))
        self.do(ExchangePortalToken(session_id=session, token=digest, cookie=COOKIE))
        return session

    def act(self, command, form=None):
        return self.do(ActAsCustomer(session_id=self.session, command=command, form=form))

    def look(self, command):
        acting = ActAsCustomer(session_id=self.session, command=command)
        return self.run(self.bus.preview(acting, self.context()))

    def offer(self, *offers):
        self.do(ChangeRetention(changes={"enabled": True, "offers": offers}, policy={}))

    def methods(self, customer):
        return self.state(PAYMENT_METHODS, payment_methods_of(customer))


def commands(portal, subscription, name):
    """Everything a customer may do, with a subscription and a method of somebody."""
    customer = natural_id(portal.tenant.secret, "customer", name)
    method = portal.methods(customer).default_id
    update = UpdateSubscription(subscription_id=subscription, plan="max")
    migration = MigrateSubscription(
        subscription_id=subscription, update_features=True, update_pricing=True
    )
    return [
        CancelSubscription(subscription_id=subscription, wish=BY_CUSTOMER),
        ReactivateSubscription(subscription_id=subscription),
        ResumeSubscription(subscription_id=subscription),
        AcceptRetentionOffer(
            subscription_id=subscription,
            choice=Choice(feedback=Feedback.UNUSED, offer=OfferType.PAUSE, pause_months=1),
            discount_id=uuid4(),
        ),
        update,
        PreviewUpdate(update=update),
        migration,
        PreviewMigration(migration=migration),
        AddPaymentMethod(customer_id=name, method_id=uuid4(), provider="scripted", saved=SAVED),
        ChangePaymentMethod(customer=customer, method_id=method, make_default=True, card={}),
        RemovePaymentMethod(customer=customer, method_id=method, by_customer=True),
        ChangeCustomer(customer_id=name, changes={"name": "Eve"}),
    ]


def test_nothing_of_another_customer_is_touched():
    portal = Portal()
    portal.offer(PAUSE)
    before = len(portal.store.log)
    strange = (SubscriptionNotFound, PaymentMethodNotFound, CustomerNotFound)
    for command in commands(portal, portal.eves, "eve"):
        with pytest.raises(strange):
            portal.act(command)
    for command in commands(portal, uuid4(), "nobody"):
        with pytest.raises(strange):
            portal.act(command)
    assert len(portal.store.log) == before


def test_a_method_of_another_is_not_found_among_ones_own():
    portal = Portal()
    theirs = portal.methods(portal.eve).default_id
    for command in (
        ChangePaymentMethod(customer=portal.ada, method_id=theirs, make_default=True, card={}),
        RemovePaymentMethod(customer=portal.ada, method_id=theirs, by_customer=True),
    ):
        with pytest.raises(PaymentMethodNotFound):
            portal.act(command)


def test_whoever_signed_out_can_do_nothing():
    portal = Portal()
    acting = commands(portal, portal.adas, "ada")
    portal.do(EndPortalSession(session_id=portal.session, cookie=COOKIE))
    before = len(portal.store.log)
    for command in acting:
        with pytest.raises(NotSignedIn):
            portal.act(command)
    assert len(portal.store.log) == before


def test_what_only_merchants_do_is_refused():
    portal = Portal()
    method = portal.methods(portal.ada).default_id
    before = len(portal.store.log)
    for command in (
        ArchiveCustomer(customer_id="ada"),
        PauseSubscription(subscription_id=portal.adas, months=1),
        EndPortalSession(session_id=portal.session, cookie=COOKIE),
        CancelSubscription(subscription_id=portal.adas, wish=Cancellation()),
        CancelSubscription(subscription_id=portal.adas, wish=BY_CUSTOMER, credit_unused_time=True),
        RemovePaymentMethod(customer=portal.ada, method_id=method),
        ChangePaymentMethod(
            customer=portal.ada, method_id=method, make_default=False, card={"exp_year": 2050}
        ),
        ChangeCustomer(customer_id="ada", changes={"email": "eve@example.com"}),
        ChangeCustomer(customer_id="ada", changes={"name": "Ada", "metadata": {}}),
    ):
        with pytest.raises(NotForCustomers):
            portal.act(command)
    assert len(portal.store.log) == before


def test_a_customer_leaves_and_comes_back():
    portal = Portal()
    portal.act(CancelSubscription(subscription_id=portal.adas, wish=BY_CUSTOMER))
    ending = portal.subscription(portal.adas).ending
    assert (ending.initiator, ending.feedback, ending.comment) == (
        Initiator.CUSTOMER,
        Feedback.UNUSED,
        "Bye",
    )
    portal.act(ReactivateSubscription(subscription_id=portal.adas))
    assert portal.subscription(portal.adas).ending is None
    assert portal.subscription(portal.eves).status is Status.ACTIVE


def test_an_end_that_the_merchant_set_stays():
    portal = Portal()
    portal.do(CancelSubscription(subscription_id=portal.adas, wish=Cancellation()))
    with pytest.raises(NotForCustomers):
        portal.act(ReactivateSubscription(subscription_id=portal.adas))


def test_only_a_pause_that_was_an_offer_is_the_customers_to_end():
    portal = Portal()
    portal.offer(PAUSE)
    accept, resume = (
        AcceptRetentionOffer(
            subscription_id=portal.adas,
            choice=Choice(feedback=Feedback.UNUSED, offer=OfferType.PAUSE, pause_months=3),
            discount_id=uuid4(),
        ),
        ResumeSubscription(subscription_id=portal.adas),
    )
    portal.act(accept)
    assert portal.subscription(portal.adas).status is Status.PAUSED
    portal.act(resume)
    assert portal.subscription(portal.adas).status is Status.ACTIVE
    portal.do(PauseSubscription(subscription_id=portal.adas, months=1))
    with pytest.raises(NotForCustomers):
        portal.act(resume)


def test_a_form_counts_once_however_often_it_is_sent():
    portal = Portal()
    portal.do(
        ChangeRetention(
            changes={"enabled": True, "offers": (OFF,)}, policy={"max_acceptances": None}
        )
    )
    choice = Choice(feedback=Feedback.TOO_EXPENSIVE, offer=OfferType.DISCOUNT)

    def accept(form):
        command = AcceptRetentionOffer(
            subscription_id=portal.adas, choice=choice, discount_id=uuid4()
        )
        return ActAsCustomer(session_id=portal.session, command=command, form=form)

    async def twice(form):
        sent = (portal.bus.dispatch(accept(form), portal.context()) for _ in range(2))
        return await asyncio.gather(*sent, return_exceptions=True)

    answers = portal.run(twice(uuid4()))
    assert sorted(type(each).__name__ for each in answers) == ["FormAlreadySent", "Outcome"]
    form = uuid4()
    portal.do(accept(form))
    with pytest.raises(FormAlreadySent):
        portal.do(accept(form))
    assert len(portal.subscription(portal.adas).acceptances) == 2


def test_a_refused_form_may_be_sent_again():
    portal = Portal()
    form = uuid4()
    reactivate = ReactivateSubscription(subscription_id=portal.eves)
    with pytest.raises(SubscriptionNotFound):
        portal.act(reactivate, form)
    portal.act(ChangeCustomer(customer_id="ada", changes={"name": "Ada L."}), form)
    assert portal.state(CUSTOMER, portal.ada).details.name == "Ada L."


def test_a_change_costs_what_was_shown_or_is_refused():
    portal = Portal()
    portal.to(at(2026, 3, 16, 12))
    portal.session = portal.sign_in("ada")
    update = UpdateSubscription(subscription_id=portal.adas, plan="max")
    shown = portal.look(PreviewUpdate(update=update))
    bound = UpdateSubscription(subscription_id=portal.adas, plan="max", preview_id=shown.preview_id)
    before = portal.money_taken()
    portal.act(bound)
    assert portal.money_taken() - before == shown.immediately.units == 1500
    with pytest.raises(PreviewOutdated):
        portal.act(bound)


def test_what_is_the_newest_version_already_is_not_migrated():
    portal = Portal()
    migration = MigrateSubscription(
        subscription_id=portal.adas, update_features=True, update_pricing=True
    )
    with pytest.raises(AlreadyLatest):
        portal.look(PreviewMigration(migration=migration))
    with pytest.raises(AlreadyLatest):
        portal.act(migration)


def test_the_default_method_stays_until_another_is_the_default():
    portal = Portal()
    first = portal.methods(portal.ada).default_id
    with pytest.raises(DefaultMethodStays):
        portal.act(RemovePaymentMethod(customer=portal.ada, method_id=first, by_customer=True))
    second = uuid4()
    portal.act(
        AddPaymentMethod(
            customer_id="ada",
            method_id=second,
            provider="scripted",
            saved=SAVED,
            make_default=True,
        )
    )
    portal.act(RemovePaymentMethod(customer=portal.ada, method_id=first, by_customer=True))
    assert [method.id for method in portal.methods(portal.ada).methods] == [second]


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda _: ChangeCustomer(customer_id="ada", changes={"email": "new@example.com"}),
        lambda portal: EndPortalSession(session_id=portal.session, cookie=COOKIE),
    ],
)
def test_a_session_that_ends_meanwhile_decides_nothing_more(monkeypatch, meanwhile):
    portal = Portal()
    append = portal.store.append

    async def interrupted(command):
        monkeypatch.setattr(portal.store, "append", append)
        await portal.bus.dispatch(meanwhile(portal), portal.context())
        return await append(command)

    monkeypatch.setattr(portal.store, "append", interrupted)
    with pytest.raises(NotSignedIn):
        portal.act(CancelSubscription(subscription_id=portal.adas, wish=BY_CUSTOMER))
    assert portal.subscription(portal.adas).ending is None


def test_a_migration_costs_what_was_shown_or_is_refused():
    portal = Portal()
    stream = natural_id(portal.tenant.secret, "plan", "pro")
    portal.put_more(
        stream,
        PlanDraftOpened(plan_id=stream, version=2, occurred_at=at(2026, 3, 1)),
        PlanDraftPriced(
            plan_id=stream,
            version=2,
            prices=(catalog.price(catalog.row(catalog.charge("30.00"))),),
            features=tuple(catalog.FEATURES.values()),
            occurred_at=at(2026, 3, 1),
        ),
        PlanVersionPublished(
            plan_id=stream,
            version=2,
            update_features=False,
            update_pricing=False,
            occurred_at=at(2026, 3, 1),
        ),
    )
    portal.bus.cache = type(portal.bus.cache)()
    wanted = MigrateSubscription(
        subscription_id=portal.adas, update_features=True, update_pricing=True
    )
    shown = portal.look(PreviewMigration(migration=wanted))
    assert shown.recurring.units == 3000
    bound = replace(wanted, preview_id=shown.preview_id)
    before = portal.money_taken()
    portal.card("works", "ada")
    with pytest.raises(PreviewOutdated):
        portal.act(bound)
    fresh = replace(wanted, preview_id=portal.look(PreviewMigration(migration=wanted)).preview_id)
    portal.act(fresh)
    assert portal.money_taken() - before == shown.immediately.units
    assert portal.subscription(portal.adas).contract.amount.units == 3000
