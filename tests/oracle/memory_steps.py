"""The steps of a life as commands of the engine in memory."""

from datetime import timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from aggregates.invoice.events import InvoiceCreated
from aggregates.refund.decide import Wish
from aggregates.refund.events import Status as RefundStatus
from aggregates.refund.state import REFUND
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status
from aggregates.subscription.retention import Choice
from commands.charges.create_charge import CreateCharge
from commands.customers.adjust_balance import AdjustBalance
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.refunds.create_refund import CreateRefund
from commands.subscriptions.accept_retention_offer import AcceptRetentionOffer
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.create_subscription import CreateSubscription
from commands.subscriptions.migrate_subscription import MigrateSubscription
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.ports.payments import (
    Instrument,
    NeedsAuthentication,
    SavedInstrument,
    Succeeded,
)
from kernel.price import TaxBehavior
from kernel.retention import Feedback, OfferType
from kernel.settings import ProrationBehavior
from tests.billing_world import DECLINED, STOLEN
from tests.oracle.offers import TOLD


FOR_GOOD = "for good"
"""A payment that cannot be given back."""
PAYS = Succeeded(reference="paid")
ABROAD = Succeeded(reference="paid", international=True)
LATE = {"silent_charged": PAYS, "silent_declined": DECLINED}
"""What has happened where the provider does not answer."""
SCRIPTS = {
    "silent_charged": [],
    "silent_declined": [],
    "silent_lost": [PAYS],
    "works": [PAYS],
    "works-de": [ABROAD],
    "no-refunds": [Succeeded(reference=FOR_GOOD)],
    "sepa": [ABROAD],
    "declined": [DECLINED],
    "stolen": [STOLEN],
    "authenticate": [NeedsAuthentication()],
}


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


class Steps:
    """What a customer and a merchant do; False where the provider had the last word."""

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
            custom_amount=step.custom and Decimal(step.custom),
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
        trial_end = self.world.clock.at + timedelta(days=step.trial or 0)
        command = UpdateSubscription(
            subscription_id=self.subs[step.number],
            plan=step.plan,
            period=ChargePeriod(step.period),
            quantities={} if step.seats is None else {"seats": step.seats},
            behavior=ProrationBehavior(step.behavior),
            trial_ends_at=trial_end if step.trial else None,
            ends_trial=step.trial == 0,
            activate_on_payment=step.waits,
        )
        shown = self.world.preview(command)
        before = len(self.world.store.log)
        self._command(command)
        new = [recorded.fact for recorded in self.world.store.log[before:]]
        issued = [fact for fact in new if isinstance(fact, InvoiceCreated)]
        assert sum(fact.balance.due.units for fact in issued) == shown.immediately.units

    def _pause(self, step):
        number = self.subs[step.number]
        self._command(PauseSubscription(subscription_id=number, months=step.months))

    def _resume(self, step):
        self._command(ResumeSubscription(subscription_id=self.subs[step.number]))

    def _refund(self, step):
        bill, number = self.bills()[step.bill], uuid4()
        order = self.world.invoice(bill.invoice_id).created.order_id
        self._command(CreateRefund(refund_id=number, order_id=order, units=step.units, wish=Wish()))
        return self.world.state(REFUND, number).status is RefundStatus.SUCCEEDED

    def _adjust(self, step):
        amount = Money(step.units, step.currency)
        self._command(AdjustBalance(customer_id="ada", amount=amount, reason="by hand"))

    def _charge_once(self, step):
        number = uuid4()
        behavior = {None: None, True: TaxBehavior.INCLUSIVE, False: TaxBehavior.EXCLUSIVE}
        command = CreateCharge(
            subscription_id=number,
            customer_id="ada",
            plan="once",
            period=ChargePeriod.ONE_TIME,
            currency="USD",
            custom_amount=step.amount and Decimal(step.amount),
            tax_behavior=behavior[step.inclusive],
        )
        self._command(command)
        if self.world.subscription(number).status is not Status.ACTIVE:
            return False
        self.subs.append(number)
        return True

    def _accept(self, step):
        choice = Choice(
            feedback=Feedback(TOLD[step.offer]),
            offer=OfferType(step.offer),
            pause_months=step.months,
        )
        number = self.subs[step.number]
        command = AcceptRetentionOffer(subscription_id=number, choice=choice, discount_id=uuid4())
        self._command(command)

    def _migrate(self, step):
        command = MigrateSubscription(
            subscription_id=self.subs[step.number],
            update_features=step.features,
            update_pricing=step.pricing,
        )
        self._command(command)
