"""The engine in memory, driven by steps, and what its books say."""

from functools import partial, reduce

from aggregates.customer.state import Details
from aggregates.invoice.events import InvoicePaymentPending
from aggregates.plan.events import PlanDraftOpened, PlanDraftPriced, PlanVersionPublished
from commands.customers.create_customer import CreateCustomer
from commands.organizations.change_retention import ChangeRetention
from commands.state_cache import StateCache
from commands.subscriptions.end_subscription import EndSubscription
from commands.subscriptions.end_trial import EndTrial
from commands.subscriptions.expire_incomplete_subscription import ExpireIncompleteSubscription
from commands.subscriptions.pause_subscription import EndPause
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.remind_of_trial_end import RemindOfTrialEnd
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.retry_payments import GiveUpCollection, RetryPayments
from kernel.errors import Refused
from kernel.ids import natural_id
from kernel.ports.payments import Declined, Succeeded, Unknown
from kernel.postal import Address
from kernel.retention import Feedback, OfferType, RetentionOffer
from kernel.settings import TaxRate
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from tests.billing_world import LONG_AGO, Provider, Tenants, World
from tests.catalog_builders import FEATURES, SEATS
from tests.oracle import steps
from tests.oracle.memory_books import Books
from tests.oracle.memory_steps import FOR_GOOD, LATE, Steps
from tests.oracle.offers import (
    ACCEPTANCES,
    CYCLES_TO_STAY,
    DURATIONS,
    PERCENT_TO_STAY,
    TOLD,
    VERSIONS,
    WITHIN_MONTHS,
)
from tests.oracle.price_list import prices, seats_feature
from tests.oracle.rules import COUNTRIES


AT_ONE_INSTANT = (
    RemindOfTrialEnd,
    EndPause,
    EndSubscription,
    GiveUpCollection,
    RetryPayments,
    ExpireIncompleteSubscription,
    EndTrial,
    RenewSubscription,
)


def in_order(timer):
    """As the engine orders its timers."""
    due, command = timer
    return due, AT_ONE_INSTANT.index(type(command))


RETENTION = {
    "enabled": True,
    "support_url": "https://help.example.com/",
    "offers": (
        RetentionOffer(
            feedback=Feedback(TOLD["DISCOUNT"]),
            type=OfferType.DISCOUNT,
            percentage_off=PERCENT_TO_STAY,
            billing_cycles=CYCLES_TO_STAY,
        ),
        RetentionOffer(feedback=Feedback(TOLD["PAUSE"]), type=OfferType.PAUSE, durations=DURATIONS),
        RetentionOffer(feedback=Feedback(TOLD["SUPPORT"]), type=OfferType.SUPPORT),
    ),
}
POLICY = {"max_acceptances": ACCEPTANCES, "within_months": WITHIN_MONTHS}


class KilledError(Exception):
    """The process died here."""


def at_once(work):
    """Run what never waits for anything, without a loop."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("it waits")


class ProviderWithLimits(Provider):
    """Gives nothing back of some payments, and answers some requests too late."""

    def __init__(self):
        super().__init__()
        self.lost = set()

    async def charge(self, charge):
        kind = charge.method.partition("#")[0]
        if kind == "silent_lost" and charge.key not in self.lost:
            self.lost.add(charge.key)
            return Unknown()
        if kind not in LATE or charge.key in self.answers:
            return await super().charge(charge)
        self.calls.append(charge.key)
        self.answers[charge.key] = LATE[kind]
        if isinstance(LATE[kind], Succeeded):
            self.charged[charge.key] = charge.amount
        return Unknown()

    async def refund(self, refund):
        if refund.payment == FOR_GOOD:
            return Declined(code="refund_failed", message="The refund failed.")
        return await super().refund(refund)


class CachedWorld(World):
    """Folds each stream once per version: its books are read after every step."""

    run = staticmethod(at_once)

    def __init__(self, *given, **fields):
        self.folded = {}
        super().__init__(*given, provider=ProviderWithLimits(), **fields)

    def ask(self, pending):
        """Ask the provider what became of a payment."""
        reactor = Reactor("reconcile_payments", self.bus, Tenants(self.tenant))
        self.run(ReconcilePayments(reactor, self.provider).look(pending))

    def preview(self, update):
        """What an update would cost."""
        return self.run(self.bus.preview(PreviewUpdate(update=update), self.context()))

    def state(self, fold, stream):
        facts = self.store.facts_of(stream)
        known, state = self.folded.get((fold.kind, stream), (0, None))
        if known != len(facts) or not known:
            state = fold.of(facts) if not known else reduce(fold.evolve, facts[known:], state)
            self.folded[fold.kind, stream] = len(facts), state
        return state


class InMemory(Steps, Books):
    """One customer in a world of its own; ``crash`` kills it before a later append."""

    def __init__(self, now, *, twice=False, tax=0):
        rates = tuple(TaxRate(country=land, percent=str(n)) for n, land in COUNTRIES.items() if n)
        self.world = CachedWorld(now, settings={"tax_rates": rates})
        self.world.deliver_twice = twice
        self.sold, self.version = set(), 1
        self.world.do(ChangeRetention(changes=RETENTION, policy=POLICY))
        self.world.put(SEATS.id, seats_feature())
        address = Address(country=COUNTRIES[tax])
        self.world.do(CreateCustomer(customer_id="ada", details=Details(billing_address=address)))
        self.customer = natural_id(self.world.tenant.secret, "customer", "ada")
        self.subs, self.cards = [], 0
        self.dies_in, self.asked = None, 0
        self._append = self.world.store.append
        self.world.store.append = self._mortal_append

    async def _mortal_append(self, command):
        if self.dies_in is not None:
            self.dies_in -= 1
            if self.dies_in < 0:
                self.dies_in = None
                raise KilledError
        return await self._append(command)

    def do(self, step):
        """False when the engine refuses; then it has written nothing."""
        acts = {
            steps.Card: self._card,
            steps.Subscribe: self._subscribe,
            steps.Cancel: self._cancel,
            steps.Reactivate: self._reactivate,
            steps.Until: self._until,
            steps.Jump: self._jump,
            steps.Crash: self._crash,
            steps.Update: self._update,
            steps.Pause: self._pause,
            steps.Resume: self._resume,
            steps.Refund: self._refund,
            steps.Charge: self._charge_once,
            steps.Adjust: self._adjust,
            steps.Accept: self._accept,
            steps.Publish: self._publish,
            steps.Migrate: self._migrate,
        }
        self._sell("once" if isinstance(step, steps.Charge) else getattr(step, "plan", None))
        before = len(self.world.store.log)
        try:
            accepted = acts[type(step)](step) is not False
        except Refused:
            assert len(self.world.store.log) == before
            return False
        if not isinstance(step, steps.Crash):
            self._until(steps.Until(self.world.clock.at))
        return accepted

    def _sell(self, plan):
        """A plan is in the catalog from the moment somebody asks for it."""
        if plan and plan not in self.sold:
            self.sold.add(plan)
            dies_in, self.dies_in = self.dies_in, None
            self.world.plan(plan, *prices(plan), name=plan.title())
            if plan == "aged":
                for version in range(2, self.version + 1):
                    self._publish_version(version)
            self.dies_in = dies_in

    def _publish(self, step):
        """A plan that nobody asked for yet is published when it is."""
        del step
        self.version = min(self.version + 1, len(VERSIONS))
        if "aged" in self.sold:
            self._publish_version(self.version)

    def _publish_version(self, version):
        plan = natural_id(self.world.tenant.secret, "plan", "aged")
        facts = (
            PlanDraftOpened(plan_id=plan, version=version, occurred_at=LONG_AGO),
            PlanDraftPriced(
                plan_id=plan,
                version=version,
                prices=tuple(prices("aged", version)),
                features=tuple(FEATURES.values()),
                occurred_at=LONG_AGO,
            ),
            PlanVersionPublished(
                plan_id=plan,
                version=version,
                update_features=False,
                update_pricing=False,
                occurred_at=LONG_AGO,
            ),
        )
        dies_in, self.dies_in = self.dies_in, None
        self.world.put_more(plan, *facts)
        self.dies_in = dies_in

    def _works(self, act):
        """What dies is done again, by a process that knows nothing but the log."""
        while True:
            try:
                return act()
            except KilledError:
                self.world.bus.cache = StateCache()

    def _command(self, command):
        self._works(lambda: self.world.do(command, react=False))
        self._works(self.world.react)
        while self.asked < len(self.world.store.log):
            recorded = self.world.store.log[self.asked]
            self.asked += 1
            if isinstance(recorded.fact, InvoicePaymentPending):
                self._works(partial(self.world.ask, recorded))
                self._works(self.world.react)

    # Time

    def _crash(self, step):
        self.dies_in = step.appends

    def _until(self, step):
        world, missed = self.world, []
        while True:
            timers = [timer for timer in world.timers() if timer not in missed]
            due, command = min(timers, key=in_order, default=(None, None))
            if due is None or due > step.instant:
                break
            world.clock.at = max(world.clock.at, due)
            before = len(world.store.log)
            self._command(command)
            if len(world.store.log) == before:
                assert world.clock.at > due, f"{command} changed nothing at {due}"
                missed.append((due, command))
        world.clock.at = max(world.clock.at, step.instant)

    def _jump(self, step):
        self.world.clock.at = max(self.world.clock.at, step.instant)
        self._until(step)
