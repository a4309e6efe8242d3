"""The whole billing core in memory: commands, timers, reactions and a scripted provider.

``world.to(instant)`` moves the clock and runs every timer on the way, each followed by the
reactions to what it caused, as the scheduler and the runners do.
"""

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.balance.state import BALANCE, balance_id
from aggregates.checkout.decide import abandoned_at, is_charging
from aggregates.checkout.state import CHECKOUT
from aggregates.customer.state import Details
from aggregates.feature.events import FeatureCreated, FeatureWording
from aggregates.invoice.events import InvoiceCreated, InvoicePaid, InvoicePaymentStarted
from aggregates.invoice.state import INVOICE
from aggregates.organization.events import OrganizationCreated, OrganizationSettingsChanged
from aggregates.plan.events import (
    PlanCreated,
    PlanDraftPriced,
    PlanVersionPublished,
    PlanWording,
)
from aggregates.product.events import ProductCreated, ProductWording, TaxCode
from aggregates.subscription.decide import REMIND_BEFORE
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION
from aggregates.transaction.events import TransactionFailed, TransactionSucceeded
from commands.bus import Bus
from commands.checkout.expire_checkout import AbandonCheckout, ExpireCheckout
from commands.context import Context
from commands.customers.create_customer import CreateCustomer
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.subscriptions.create_subscription import CreateSubscription
from commands.subscriptions.end_subscription import EndSubscription
from commands.subscriptions.end_trial import EndTrial
from commands.subscriptions.expire_incomplete_subscription import ExpireIncompleteSubscription
from commands.subscriptions.pause_subscription import EndPause
from commands.subscriptions.remind_of_trial_end import RemindOfTrialEnd
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.retry_payments import GiveUpCollection, RetryPayments
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.event_store import Append, NewFact
from kernel.ports.payments import (
    Declined,
    Instrument,
    NeedsAuthentication,
    SavedInstrument,
    Succeeded,
    Unknown,
)
from kernel.settings import Settings
from kernel.tenant import Environment, Tenant
from subscribers.assess_fees import AssessFees
from subscribers.authorize_cards import AuthorizeCards
from subscribers.collect_payments import CollectPayments
from subscribers.collect_with_new_methods import CollectWithNewMethods
from subscribers.give_refunds import GiveRefunds
from subscribers.reacting import Reactor
from tests import catalog_builders as catalog
from tests.memory_store import MemoryStore


ORGANIZATION = UUID(int=100)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
DECLINED = Declined(code="card_declined", message="The card was declined.")
STOLEN = Declined(code="stolen_card", message="The card was reported stolen.", hard=True)


def at(year, month=1, day=1, hour=0, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


class Clock:
    def __init__(self, now):
        self.at = now

    def now(self):
        return self.at


class Provider:
    """Answers by the method's reference; a key that was answered gets the same answer again."""

    def __init__(self):
        self.script = {}
        self.answers = {}
        self.calls = []
        self.charged = {}
        self.authorized = {}
        self.refunded = {}

    def say(self, reference, *results):
        """The results of the next charges of a method; the last one stays."""
        self.script[reference] = list(results)

    async def charge(self, charge):
        self.calls.append(charge.key)
        if charge.key not in self.answers:
            left = self.script.get(charge.method) or [self._usual(charge)]
            result = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(result, Unknown):
                return result
            self.answers[charge.key] = result
            if isinstance(result, Succeeded):
                self.charged[charge.key] = charge.amount
        return self.answers[charge.key]

    async def authorize(self, charge):
        """As a charge, but nothing is taken."""
        result = await self.charge(charge)
        self.authorized[charge.key] = self.charged.pop(charge.key, None)
        return result

    async def lookup(self, key):
        return self.answers.get(key)

    async def refund(self, refund):
        self.calls.append(refund.key)
        if refund.key not in self.answers:
            left = self.script.get("refund") or [Succeeded(reference=f"back-{refund.key[:8]}")]
            result = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(result, Unknown):
                return result
            self.answers[refund.key] = result
            if isinstance(result, Succeeded):
                self.refunded[refund.key] = refund
        return self.answers[refund.key]

    def _usual(self, charge):
        asks = NeedsAuthentication()
        usual = {
            "declined": DECLINED,
            "stolen": STOLEN,
            "authenticate": Succeeded(reference="confirmed") if charge.continues else asks,
            "silent": Unknown(),
        }
        return usual.get(charge.method, Succeeded(reference=f"pay-{charge.key[:8]}"))


class Tenants:
    def __init__(self, tenant):
        self.tenant = tenant

    async def get(self, organization):
        assert organization == self.tenant.organization
        return self.tenant


class World:
    run = staticmethod(asyncio.run)

    def __init__(
        self,
        now=None,
        *,
        merchant_of_record=True,
        settings=None,
        environment=None,
        provider=None,
    ):
        self.clock = Clock(now or at(2025))
        self.store = MemoryStore(now=self.clock.now)
        self.bus = Bus(self.store, self.clock)
        kind = environment or Environment.SANDBOX
        self.tenant = Tenant(ORGANIZATION, "default", b"secret", kind)
        self.provider = provider or Provider()
        tenants = Tenants(self.tenant)
        self.reactions = [
            CollectPayments(Reactor("collect_payments", self.bus, tenants), self.provider),
            CollectWithNewMethods(Reactor("collect_with_new_methods", self.bus, tenants)),
            AuthorizeCards(Reactor("authorize_cards", self.bus, tenants), self.provider),
            AssessFees(Reactor("assess_fees", self.bus, tenants)),
            GiveRefunds(Reactor("give_refunds", self.bus, tenants), self.provider),
        ]
        self.handled = 0
        self.deliver_twice = False
        self._organization(merchant_of_record, settings)

    # What is there

    def _organization(self, merchant_of_record, settings):
        begun = OrganizationCreated(
            slug="default",
            merchant_of_record=merchant_of_record,
            secret_id=UUID(int=7),
            occurred_at=LONG_AGO,
        )
        facts = [begun]
        if settings:
            facts.append(
                OrganizationSettingsChanged(settings=Settings(**settings), occurred_at=LONG_AGO)
            )
        self.put(ORGANIZATION, *facts)
        wording = ProductWording(name="Orbit", description="", tax_code=TaxCode.SAAS)
        self.put(
            catalog.PRODUCT.id,
            ProductCreated(
                product_id=catalog.PRODUCT.id,
                identifier="orbit",
                wording=wording,
                created_by="test",
                occurred_at=LONG_AGO,
            ),
        )

    def put(self, stream, *facts):
        """Facts of others, straight into the log."""
        self.put_more(stream, *facts, after=0)

    def put_more(self, stream, *facts, after=None):
        """Facts of others behind those that a stream has."""
        if after is None:
            after = self.run(self.store.load(stream)).version
        self._append(*(NewFact(stream, after, ORGANIZATION, fact) for fact in facts))

    def put_owned(self, stream, customer, *facts):
        """Facts about what a customer owns, and what follows from them."""
        after = self.run(self.store.load(stream)).version
        self._append(*(NewFact(stream, after, customer, fact) for fact in facts))
        self.bus.cache = type(self.bus.cache)()
        self.react()

    def _append(self, *new):
        number = uuid4()
        append = Append(
            organization=ORGANIZATION,
            command_id=number,
            correlation_id=number,
            actor="test",
            facts=new,
        )
        self.run(self.store.append(append))

    def seats(self):
        """The feature that prices by the seat are for."""
        known = catalog.SEATS
        self.put(
            known.id,
            FeatureCreated(
                feature_id=known.id,
                identifier=known.identifier,
                type=known.type,
                meter=known.meter,
                wording=FeatureWording(name=known.name),
                occurred_at=LONG_AGO,
            ),
        )

    def begin_balance(self, customer, units, currency="USD"):
        """What a customer begins with; below zero it is credit."""
        amount = Money(units, currency)
        fact = BalanceChanged(
            customer=customer,
            amount=amount,
            balance=amount,
            reason=BalanceReason.ADJUSTMENT,
            invoice_id=None,
            occurred_at=at(2025, 1, 1),
        )
        self.put(balance_id(customer, currency), fact)

    def plan(self, identifier="pro", *prices, name="Pro", product=catalog.PRODUCT, **wording):
        """A published plan; its stream is that of its identifier."""
        stream = natural_id(self.tenant.secret, "plan", identifier)
        self.put(
            stream,
            PlanCreated(
                plan_id=stream,
                identifier=identifier,
                product=product,
                wording=PlanWording(name=name, **wording),
                occurred_at=LONG_AGO,
            ),
            PlanDraftPriced(
                plan_id=stream,
                version=1,
                prices=prices or (catalog.price(),),
                features=tuple(catalog.FEATURES.values()),
                occurred_at=LONG_AGO,
            ),
            PlanVersionPublished(
                plan_id=stream,
                version=1,
                update_features=False,
                update_pricing=False,
                occurred_at=LONG_AGO,
            ),
        )
        return identifier

    def monthly(self, amount="20.00", identifier="pro", **fields):
        """A monthly plan at a price."""
        return self.plan(identifier, catalog.price(catalog.row(catalog.charge(amount)), **fields))

    def customer(self, customer_id="ada", card=None, **fields):
        stream = natural_id(self.tenant.secret, "customer", customer_id)
        self.do(CreateCustomer(customer_id=customer_id, details=Details(), **fields))
        if card:
            self.card(card, customer_id)
        return stream

    def card(self, reference="works", customer_id="ada", kind="card", **fields):
        instrument = Instrument(type=kind, brand="visa", last4="4242", country="US")
        number = uuid4()
        self.do(
            AddPaymentMethod(
                customer_id=customer_id,
                method_id=number,
                provider="scripted",
                saved=SavedInstrument(reference=reference, instrument=instrument),
                make_default=True,
                **fields,
            )
        )
        return number

    def subscribe(self, plan="pro", customer_id="ada", period=ChargePeriod.MONTHLY, **fields):
        number = uuid4()
        command = CreateSubscription(
            subscription_id=number, customer_id=customer_id, plan=plan, period=period, **fields
        )
        self.do(command)
        return number

    # What happens

    def context(self, **fields):
        number = uuid4()
        return Context(
            tenant=self.tenant, actor="test", command_id=number, correlation_id=number, **fields
        )

    def do(self, command, *, react=True, **fields):
        outcome = self.run(self.bus.dispatch(command, self.context(**fields)))
        if react:
            self.react()
        return [new.fact for new in outcome.facts]

    def react(self):
        """Deliver every fact to every reaction that wants it, until nothing new follows."""
        reactions = [shell.reaction for shell in self.reactions]
        while self.handled < len(self.store.log):
            recorded = self.store.log[self.handled]
            for reaction in reactions:
                if type(recorded.fact) in reaction.wants:
                    for _ in range(2 if self.deliver_twice else 1):
                        self.run(reaction.handle(recorded))
            self.handled += 1

    def to(self, instant):
        """Move the clock there; every due timer fires on its way, at its time."""
        while True:
            due, command = min(self.timers(), key=lambda timer: timer[0], default=(None, None))
            if due is None or due > instant:
                break
            self.clock.at = max(self.clock.at, due)
            before = len(self.store.log)
            self.do(command)
            assert len(self.store.log) > before, f"{command} changed nothing at {due}"
        self.clock.at = max(self.clock.at, instant)

    def timers(self):
        """Everything that is due some day, as the view of timers keeps it."""
        mine = [timer for number in self.subscriptions() for timer in self._timers_of(number)]
        return mine + [timer for session in self.checkouts() for timer in self._ends_of(session)]

    def _ends_of(self, session):
        state = self.state(CHECKOUT, session)
        if state.is_live and not is_charging(state):
            yield state.expires_at, ExpireCheckout(session=session)
        if state.is_live and not state.is_abandoned:
            yield abandoned_at(state), AbandonCheckout(session=session)

    def _timers_of(self, number):
        state = self.subscription(number)
        yield from self._stops_of(number, state)
        if state.status is Status.TRIALING:
            if not state.was_reminded and state.trial.end - state.trial.start > REMIND_BEFORE:
                yield state.trial.end - REMIND_BEFORE, RemindOfTrialEnd(subscription_id=number)
            yield state.trial.end, EndTrial(subscription_id=number)
        if state.status is Status.INCOMPLETE and state.expires_at:
            yield state.expires_at, ExpireIncompleteSubscription(subscription_id=number)
        if state.pending:
            yield state.pending.expires_at, ExpireIncompleteSubscription(subscription_id=number)
        if state.dunning and state.dunning.next_retry_at:
            yield state.dunning.next_retry_at, RetryPayments(subscription_id=number)
        if state.dunning and state.dunning.cancel_at:
            yield state.dunning.cancel_at, GiveUpCollection(subscription_id=number)
        if state.status in {Status.ACTIVE, Status.PAST_DUE} and state.period:
            end = state.period.end
            yield end, RenewSubscription(subscription_id=number, period_start=end)

    def _stops_of(self, number, state):
        if state.pause:
            yield state.pause.resumes_at, EndPause(subscription_id=number)
        if state.ending:
            yield state.ending.ends_at, EndSubscription(subscription_id=number)

    # What came of it

    def state(self, fold, stream):
        return fold.of(self.run(self.store.load(stream)).facts)

    def subscription(self, number):
        return self.state(SUBSCRIPTION, number)

    def invoice(self, number):
        return self.state(INVOICE, number)

    def balance(self, customer, currency="USD"):
        return self.state(BALANCE, balance_id(customer, currency)).units

    def facts(self, *types):
        return [r.fact for r in self.store.log if not types or isinstance(r.fact, types)]

    def names(self, since=0):
        return [recorded.name.removesuffix(".v1") for recorded in self.store.log[since:]]

    def subscriptions(self):
        created = [r.stream for r in self.store.log if r.name == "subscription.created.v1"]
        return dict.fromkeys(created)

    def checkouts(self):
        return [r.stream for r in self.store.log if r.name == "checkout.session_created.v1"]

    def invoices(self):
        return self.facts(InvoiceCreated)

    def attempts(self):
        return self.facts(InvoicePaymentStarted)

    def paid(self):
        return self.facts(InvoicePaid)

    def transactions(self):
        return self.facts(TransactionSucceeded, TransactionFailed)

    def money_taken(self, currency="USD"):
        return sum((m.units for m in self.provider.charged.values()), Money(0, currency).units)
