"""The engine in memory, driven by steps, and what its books say."""

from datetime import timedelta
from functools import reduce
from uuid import UUID, uuid4

from aggregates.balance.state import BALANCE, balance_id
from aggregates.customer.state import Details
from aggregates.invoice.events import InvoiceCreated
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from aggregates.transaction.events import TransactionSucceeded
from commands.customers.create_customer import CreateCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.state_cache import StateCache
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.create_subscription import CreateSubscription
from commands.subscriptions.end_subscription import EndSubscription
from commands.subscriptions.end_trial import EndTrial
from commands.subscriptions.expire_incomplete_subscription import ExpireIncompleteSubscription
from commands.subscriptions.pause_subscription import (
    EndPause,
    PauseSubscription,
    ResumeSubscription,
)
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from commands.subscriptions.remind_of_trial_end import RemindOfTrialEnd
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.retry_payments import GiveUpCollection, RetryPayments
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.errors import Refused
from kernel.ids import natural_id
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import Instrument, NeedsAuthentication, SavedInstrument, Succeeded
from kernel.postal import Address
from kernel.settings import ProrationBehavior, TaxRate
from tests.billing_world import DECLINED, STOLEN, World
from tests.catalog_builders import SEATS
from tests.oracle.price_list import prices, seats_feature
from tests.oracle.rules import COUNTRIES
from tests.oracle.steps import (
    Cancel,
    Card,
    Crash,
    Jump,
    Pause,
    Reactivate,
    Resume,
    Subscribe,
    Until,
    Update,
)


PAYS = Succeeded(reference="paid")
ABROAD = Succeeded(reference="paid", international=True)
SCRIPTS = {
    "works": [PAYS],
    "works-de": [ABROAD],
    "sepa": [ABROAD],
    "declined": [DECLINED],
    "stolen": [STOLEN],
    "authenticate": [NeedsAuthentication()],
}


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


class KilledError(Exception):
    """The process died here."""


def script(behavior):
    """The answers of the provider to one method."""
    if behavior in SCRIPTS:
        return SCRIPTS[behavior]
    kind, _, number = behavior.partition("-")
    return (
        [DECLINED] * int(number) + [PAYS]
        if kind == "recovers"
        else ([PAYS] * int(number) + [DECLINED])
    )


def at_once(work):
    """Run what never waits for anything, without a loop."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("it waits")


class CachedWorld(World):
    """Folds each stream once per version: its books are read after every step."""

    run = staticmethod(at_once)

    def __init__(self, *given, **fields):
        self.folded = {}
        super().__init__(*given, **fields)

    def state(self, fold, stream):
        facts = self.store.facts_of(stream)
        known, state = self.folded.get((fold.kind, stream), (0, None))
        if known != len(facts) or not known:
            state = fold.of(facts) if not known else reduce(fold.evolve, facts[known:], state)
            self.folded[fold.kind, stream] = len(facts), state
        return state


class InMemory:
    """One customer in a world of its own; ``crash`` kills it before a later append."""

    def __init__(self, now, *, twice=False, tax=0):
        rates = tuple(TaxRate(country=land, percent=str(n)) for n, land in COUNTRIES.items() if n)
        self.world = CachedWorld(now, settings={"tax_rates": rates})
        self.world.deliver_twice = twice
        self.sold = set()
        self.world.put(SEATS.id, seats_feature())
        address = Address(country=COUNTRIES[tax])
        self.world.do(CreateCustomer(customer_id="ada", details=Details(billing_address=address)))
        self.customer = natural_id(self.world.tenant.secret, "customer", "ada")
        self.subs, self.cards = [], 0
        self.dies_in = None
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
            Card: self._card,
            Subscribe: self._subscribe,
            Cancel: self._cancel,
            Reactivate: self._reactivate,
            Until: self._until,
            Jump: self._jump,
            Crash: self._crash,
            Update: self._update,
            Pause: self._pause,
            Resume: self._resume,
        }
        self._sell(getattr(step, "plan", None))
        before = len(self.world.store.log)
        try:
            acts[type(step)](step)
        except Refused:
            assert len(self.world.store.log) == before
            return False
        if not isinstance(step, Crash):
            self._until(Until(self.world.clock.at))
        return True

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

    # Steps

    def _crash(self, step):
        self.dies_in = step.appends

    def _card(self, step):
        self.cards += 1
        reference = f"{step.behavior}#{self.cards}"
        self.world.provider.say(reference, *script(step.behavior))
        kind = "sepa_debit" if step.behavior.startswith(("debit", "sepa")) else "card"
        instrument = Instrument(type=kind, brand="visa", last4="4242", country="US")
        method = AddPaymentMethod(
            customer_id="ada",
            method_id=UUID(int=1000 + self.cards),
            provider="scripted",
            saved=SavedInstrument(reference=reference, instrument=instrument),
            make_default=True,
        )
        self._command(method)

    def _sell(self, plan):
        """A plan is in the catalog from the moment somebody asks for it."""
        if plan and plan not in self.sold:
            self.sold.add(plan)
            dies_in, self.dies_in = self.dies_in, None
            self.world.plan(plan, *prices(plan), name=plan.title())
            self.dies_in = dies_in

    def _subscribe(self, step):
        now, number = self.world.clock.at, UUID(int=2000 + len(self.subs))
        trial = None if not step.trial_days else now + timedelta(days=step.trial_days)
        command = CreateSubscription(
            subscription_id=number,
            customer_id="ada",
            plan=step.plan,
            period=ChargePeriod(step.period),
            currency=step.currency,
            quantities={} if step.seats is None else {"seats": step.seats},
            started_at=now - timedelta(days=step.days_ago) if step.days_ago else None,
            bill_past_periods=step.bill_past,
            trial_ends_at=trial,
            no_trial=step.trial_days == 0,
            discount_code=self._coupon(step) if step.discount else None,
        )
        self._command(command)
        self.subs.append(number)

    def _coupon(self, step):
        off, cycles, code = step.discount, step.discount.cycles, f"CODE{len(self.world.store.log)}"
        amount = None if off.percent else Money(off.units, step.currency)
        lasts = Duration.FOREVER if cycles is None else Duration.REPEATING
        new = NewDiscount(
            name=code,
            off=PriceOff(percentage=off.percent, amount=amount),
            duration=Duration.ONCE if cycles == 1 else lasts,
            cycles=cycles if cycles and cycles > 1 else None,
        )
        self._command(CreateDiscount(seed=uuid4(), code=code, new=new, applies_to=()))
        return code

    def _cancel(self, step):
        wish = Cancellation(type=CancellationType(step.type), on=step.on)
        command = CancelSubscription(
            subscription_id=self.subs[step.number], wish=wish, credit_unused_time=step.credit
        )
        self._command(command)

    def _reactivate(self, step):
        self._command(ReactivateSubscription(subscription_id=self.subs[step.number]))

    def _update(self, step):
        command = UpdateSubscription(
            subscription_id=self.subs[step.number],
            plan=step.plan,
            period=ChargePeriod(step.period),
            quantities={} if step.seats is None else {"seats": step.seats},
            behavior=ProrationBehavior(step.behavior),
        )
        self._command(command)

    def _pause(self, step):
        number = self.subs[step.number]
        self._command(PauseSubscription(subscription_id=number, months=step.months))

    def _resume(self, step):
        self._command(ResumeSubscription(subscription_id=self.subs[step.number]))

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

    # What came of it

    @staticmethod
    def tie(number, kind):
        """The older subscription comes first."""
        del kind
        return number

    @staticmethod
    def seen(books):
        """Nothing is hidden here."""
        return books

    def books(self):
        """The same words as ``views.books_of`` gives for a ledger."""
        facts = [recorded.fact for recorded in self.world.store.log]
        created = [fact for fact in facts if isinstance(fact, InvoiceCreated)]
        paid = [fact for fact in facts if isinstance(fact, TransactionSucceeded)]
        currencies = {fact.totals.total.currency for fact in created}
        return {
            "subscriptions": [self._sub(number) for number in self.subs],
            "bills": [self._bill(fact) for fact in created],
            "payments": [self._payment(fact) for fact in paid],
            "balances": {currency: self._balance(currency) for currency in currencies},
        }

    def _sub(self, number):
        state = self.world.subscription(number)
        live = state.status.value not in {"canceled", "incomplete_expired", "incomplete", "paused"}
        period = state.period if live else None
        return {
            "status": state.status.value,
            "period": (period.start, period.end) if period else None,
            "ends": state.ending.ends_at if state.ending else None,
            "retry": state.dunning.next_retry_at if state.dunning else None,
            "give_up": state.dunning.cancel_at if state.dunning else None,
        }

    def _bill(self, fact):
        state = self.world.invoice(fact.invoice_id)
        totals, use = fact.totals, fact.balance
        return {
            "of": self.subs.index(fact.sale.subscription.id),
            "lines": sorted(line.amount.units for line in fact.lines),
            "totals": [m.units for m in (totals.subtotal, totals.discount, totals.tax)],
            "total": totals.total.units,
            "balance": [m.units for m in (use.starting, use.applied, use.due, use.ending)],
            "status": state.status.value,
            "attempts": state.attempts,
        }

    def _payment(self, fact):
        return {
            "gross": fact.payment.amount.units,
            "currency": fact.payment.amount.currency,
            "fee": {p.name.value: p.amount.units for p in fact.components if p.amount.units},
            "tax": fact.payment.tax.units,
            "net": fact.net.units,
        }

    def _balance(self, currency):
        return self.world.state(BALANCE, balance_id(self.customer, currency)).units
