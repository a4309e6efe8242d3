"""Billing facts with every field defaulted, and histories of them in the order of commands."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.customer.events import CustomerCreated, CustomerDetailsChanged
from aggregates.invoice import events as invoice
from aggregates.order import events as order
from aggregates.refund import events as refund
from aggregates.subscription import events as subscription
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.transaction import events as transaction
from kernel import lines
from kernel.ids import derived_id, natural_id
from kernel.interval import INTERVALS, ChargePeriod, Period, nth_period
from kernel.money import Money
from kernel.offer import Link, OfferTerms, PlanWords
from kernel.ports.event_store import Append, NewFact
from kernel.price import PriceType, TaxBehavior
from kernel.refund import RefundReason, RefundShares
from kernel.retention import Feedback
from kernel.sale import BillingType, MethodWords, Sale, SoldPlan, SoldSubscription, Totals
from tests.catalog_builders import PRODUCT, PROJECTS, SEATS, SSO, granted
from tests.engines import ORGANIZATION, TENANT


JAN_31 = datetime(2026, 1, 31, 10, 30, 15, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
VISA = MethodWords(id=UUID(int=77), type="card", name="visa", last4="4242", country="US")
PLAN_WORDS = PlanWords(
    id=UUID(int=1),
    identifier="pro",
    name="Pro",
    version=3,
    description="For teams",
    links=(Link("Manual", "https://example.com/manual"),),
)
SOLD_PLAN = SoldPlan(
    id=UUID(int=1), identifier="pro", name="Pro", version=3, description="For teams"
)
GRANTS = (
    granted(SSO),
    granted(SEATS, 5, hard_limit=True),
    granted(PROJECTS, 3),
)


def usd(units):
    return Money(units, "USD")


def customer_stream(customer_id):
    return natural_id(TENANT.secret, "customer", customer_id)


class Histories:
    """Commands in order, with the versions of all streams."""

    def __init__(self):
        self.commands: list[Append] = []
        self._versions: dict[UUID, int] = {}

    def __call__(self, owner, *facts):
        """One command: pairs of stream and fact."""
        new = []
        for stream, fact in facts:
            version = self._versions.get(stream, 0)
            self._versions[stream] = version + 1
            expected = next((n.expected for n in new if n.stream == stream), version)
            new.append(NewFact(stream, expected, owner, fact))
        number = derived_id(ORGANIZATION, "command", len(self.commands))
        self.commands.append(
            Append(
                organization=ORGANIZATION,
                command_id=number,
                correlation_id=number,
                actor="operator",
                facts=tuple(new),
            )
        )

    async def append_to(self, store):
        for command in self.commands:
            await store.append(command)


class Buyer:
    """A customer whose subscriptions go through life by facts."""

    def __init__(self, happened, customer_id="ada", *, at=JAN_31, clock=None):
        self.happened, self.customer_id = happened, customer_id
        self.stream, self.clock = customer_stream(customer_id), clock
        person = {"name": customer_id.title(), "email": f"{customer_id}@example.com"}
        joined = CustomerCreated(
            customer_id=customer_id, test_clock=clock, occurred_at=at, **person
        )
        happened(self.stream, (self.stream, joined))

    def renamed(self, name, *, at):
        fact = CustomerDetailsChanged(name=name, email="new@example.com", occurred_at=at)
        self.happened(self.stream, (self.stream, fact))

    def balance_moves(self, amount, balance, *, at=JAN_31, reason="adjustment", sold=None):
        currency = balance.currency
        fact = BalanceChanged(
            customer=self.stream,
            amount=amount,
            balance=balance,
            reason=BalanceReason(reason),
            invoice_id=None if sold is None else sold.invoice,
            note="A present" if sold is None else None,
            occurred_at=at,
        )
        self.happened(self.stream, (derived_id(self.stream, "balance", currency), fact))

    def subscribes(self, **options):
        return Subscribed(self, **options)


class Subscribed:
    """One subscription of a buyer, and what is sold under it."""

    def __init__(
        self,
        buyer,
        name="one",
        *,
        at=JAN_31,
        status=subscription.Status.ACTIVE,
        period=ChargePeriod.MONTHLY,
        trial_days=0,
        amount=2999,
        grants=GRANTS,
        with_order=False,
    ):
        self.buyer, self.at, self.charge_period, self.amount = buyer, at, period, usd(amount)
        self.id = derived_id(buyer.stream, "subscription", name)
        self.sales = 0
        interval = INTERVALS.get(period)
        first = None if interval is None else nth_period(at, interval, 0)
        trial = Period(at, at + timedelta(days=trial_days)) if trial_days else None
        incomplete = status is subscription.Status.INCOMPLETE
        fact = subscription.SubscriptionCreated(
            subscription_id=self.id,
            customer=buyer.stream,
            contract=self.contract(grants),
            status=status,
            started_at=at,
            anchor=at,
            period=trial or first,
            trial=trial,
            expires_at=at + timedelta(days=1) if incomplete else None,
            test_clock=buyer.clock,
            occurred_at=at,
        )
        self.waiting = ((self.id, fact),) if with_order else ()
        if not with_order:
            self.says(fact)

    def contract(self, grants):
        terms = OfferTerms(
            plan=PLAN_WORDS,
            product=PRODUCT,
            currency="USD",
            period=self.charge_period,
            price_type=PriceType.PAID,
            tax_behavior=TaxBehavior.EXCLUSIVE,
            base=self.amount,
            entitlements=grants,
        )
        return subscription.Contract(terms=terms, amount=self.amount, feature_version=2)

    def says(self, fact):
        self.buyer.happened(self.buyer.stream, (self.id, fact))

    @property
    def sale(self):
        one_time = self.charge_period is ChargePeriod.ONE_TIME
        return Sale(
            customer=self.buyer.stream,
            product=PRODUCT,
            plan=SOLD_PLAN,
            billing_type=BillingType.ONE_TIME if one_time else BillingType.SUBSCRIPTION,
            subscription=SoldSubscription(
                id=self.id, amount=self.amount, period=self.charge_period
            ),
        )

    def is_billed(self, *, at, renewal=False, due=None):
        self.sales += 1
        return Sold(self, self.sales, at=at, renewal=renewal, due=due)

    def renews(self, number, *, at, sold):
        period = nth_period(self.at, INTERVALS[self.charge_period], number)
        self.says(
            subscription.SubscriptionRenewed(
                subscription_id=self.id,
                number=number,
                period=period,
                invoice_id=sold.invoice,
                occurred_at=at,
            )
        )

    def converts(self, *, at, sold):
        period = nth_period(at, INTERVALS[self.charge_period], 0)
        self.says(
            subscription.SubscriptionTrialConverted(
                subscription_id=self.id,
                anchor=at,
                period=period,
                invoice_id=sold.invoice,
                occurred_at=at,
            )
        )

    def is_activated(self, *, at, sold):
        self.says(
            subscription.SubscriptionActivated(
                subscription_id=self.id,
                anchor=at,
                period=nth_period(at, INTERVALS[self.charge_period], 0),
                invoice_id=sold.invoice,
                occurred_at=at,
            )
        )

    def falls_behind(self, *, at, sold):
        self.says(
            subscription.SubscriptionBecamePastDue(
                subscription_id=self.id,
                invoice_id=sold.invoice,
                next_retry_at=at + timedelta(days=1),
                cancel_at=None,
                occurred_at=at,
            )
        )

    def recovers(self, *, at):
        self.says(subscription.SubscriptionRecovered(subscription_id=self.id, occurred_at=at))

    def pauses(self, until, *, at):
        period = nth_period(self.at, INTERVALS[self.charge_period], 0)
        fact = SubscriptionPaused(
            subscription_id=self.id, period=period, resumes_at=until, occurred_at=at
        )
        self.says(fact)

    def resumes(self, since, *, at):
        period = nth_period(self.at, INTERVALS[self.charge_period], 0)
        end = period.end + (at - since)
        self.says(
            SubscriptionResumed(
                subscription_id=self.id,
                paused=Period(since, at),
                period=Period(period.start, end),
                anchor=end,
                occurred_at=at,
            )
        )

    def will_end(self, ends_at, *, at):
        self.says(
            subscription.SubscriptionCancellationScheduled(
                subscription_id=self.id,
                type=subscription.CancellationType.CURRENT_PERIOD_ENDS,
                ends_at=ends_at,
                initiator=subscription.Initiator.MERCHANT,
                feedback=Feedback.UNUSED,
                comment="Too quiet",
                occurred_at=at,
            )
        )

    def stays(self, *, at):
        fact = subscription.SubscriptionCancellationWithdrawn(
            subscription_id=self.id, occurred_at=at
        )
        self.says(fact)

    def ends(self, *, at, requested_at=None):
        self.says(
            subscription.SubscriptionCanceled(
                subscription_id=self.id,
                ended_at=at,
                requested_at=requested_at or at,
                initiator=subscription.Initiator.MERCHANT,
                feedback=None,
                occurred_at=at,
            )
        )

    def expires(self, *, at):
        fact = subscription.SubscriptionIncompleteExpired(subscription_id=self.id, occurred_at=at)
        self.says(fact)


class Sold:
    """An invoice with its order: created in one command, then tried and paid in others."""

    def __init__(self, subscribed, number, *, at, renewal, due):
        self.of, self.at = subscribed, at
        self.invoice = derived_id(subscribed.id, "invoice", number)
        self.order = derived_id(subscribed.id, "order", number)
        tail = f"{at:%Y%m%d%H%M%S}-{self.invoice.hex[:5].upper()}"
        self.invoice_number, self.order_number = f"INV-{tail}", f"ORD-{tail}"
        self.amount, self.attempt = subscribed.amount, 0
        self.due = self.amount if due is None else usd(due)
        subscribed.buyer.happened(
            subscribed.buyer.stream,
            *subscribed.waiting,
            (self.invoice, self._invoice(at)),
            (self.order, self._order(at, renewal)),
        )
        subscribed.waiting = ()

    def _invoice(self, at):
        paid = self.due.units == 0
        line = lines.InvoiceLine(
            name="Pro",
            description="Pro, monthly",
            quantity=1,
            unit_price=self.amount.decimal(),
            amount=self.amount,
            numerator=self.amount.units,
            denominator=1,
            period=None,
            feature=None,
            origin=lines.LineOrigin(self.of.id, 1),
        )
        applied = self.amount - self.due
        return invoice.InvoiceCreated(
            invoice_id=self.invoice,
            number=self.invoice_number,
            status=invoice.Status.PAID if paid else invoice.Status.OPEN,
            sale=self.of.sale,
            order_id=self.order,
            order_number=self.order_number,
            lines=(line,),
            totals=self._totals(),
            balance=invoice.BalanceUse(
                starting=-applied, applied=applied, ending=usd(0), due=self.due
            ),
            period=None,
            due_at=None if paid else at,
            occurred_at=at,
        )

    def _totals(self):
        zero = usd(0)
        return Totals(subtotal=self.amount, discount=zero, tax=zero, total=self.amount)

    def _order(self, at, renewal):
        return order.OrderCreated(
            order_id=self.order,
            number=self.order_number,
            status=order.Status.PENDING if self.due.units else order.Status.COMPLETE,
            sale=self.of.sale,
            totals=self._totals(),
            invoice_id=self.invoice,
            invoice_number=self.invoice_number,
            is_trial=False,
            is_renewal=renewal,
            entitlements=GRANTS,
            occurred_at=at,
        )

    def _says(self, *facts):
        self.of.buyer.happened(self.of.buyer.stream, *facts)

    def is_lowered(self, amount, *, at):
        """The customer's credit takes something off what is owed."""
        self.due = self.due - amount
        applied = self.amount - self.due
        use = invoice.BalanceUse(starting=-applied, applied=applied, ending=usd(0), due=self.due)
        lowered = invoice.InvoiceBalanceApplied(
            invoice_id=self.invoice,
            amount=amount,
            balance=use,
            status=invoice.Status.OPEN,
            occurred_at=at,
        )
        self._says((self.invoice, lowered))

    def is_tried(self, *, at):
        self.attempt += 1
        started = invoice.InvoicePaymentStarted(
            invoice_id=self.invoice,
            invoice_number=self.invoice_number,
            attempt=self.attempt,
            customer=self.of.buyer.stream,
            method=VISA,
            reference="sim_visa",
            amount=self.due,
            provider_key=f"key-{self.invoice.hex[:8]}-{self.attempt}",
            off_session=True,
            occurred_at=at,
        )
        self._says((self.invoice, started))

    def is_declined(self, *, at):
        self.is_tried(at=at)
        failure = invoice.Failure(
            kind=invoice.FailureKind.DECLINED,
            code="card_declined",
            message="Your card was declined.",
            method_type="card",
        )
        self._says(
            (
                self.invoice,
                invoice.InvoicePaymentFailed(
                    invoice_id=self.invoice,
                    attempt=self.attempt,
                    failure=failure,
                    status=invoice.Status.PAYMENT_FAILED,
                    next_attempt_at=at + timedelta(days=1),
                    occurred_at=at,
                ),
            ),
            (
                self.order,
                order.OrderPaymentFailed(
                    order_id=self.order,
                    code=failure.code,
                    message=failure.message,
                    method=VISA,
                    occurred_at=at,
                ),
            ),
        )

    def is_paid(self, *, at):
        self.is_tried(at=at)
        paid = invoice.InvoicePaid(
            invoice_id=self.invoice,
            attempt=self.attempt,
            payment_id=f"pay-{self.invoice.hex[:8]}",
            method=VISA,
            amount=self.due,
            international=False,
            occurred_at=at,
        )
        completed = order.OrderCompleted(
            order_id=self.order, method=VISA, payment_id=paid.payment_id, occurred_at=at
        )
        self._says((self.invoice, paid), (self.order, completed))
        return paid.payment_id

    def fails(self, *, at):
        fact = order.OrderFailed(order_id=self.order, reason="expired", occurred_at=at)
        self._says((self.order, fact))

    @property
    def transaction(self):
        return derived_id(self.invoice, "transaction", self.attempt)

    def payment(self):
        return transaction.Payment(
            transaction_id=self.transaction,
            type=transaction.TransactionType.CHARGE,
            sale=self.of.sale,
            order_id=self.order,
            order_number=self.order_number,
            invoice_id=self.invoice,
            invoice_number=self.invoice_number,
            attempt=self.attempt,
            method=VISA,
            provider_key=f"key-{self.invoice.hex[:8]}-{self.attempt}",
            amount=self.due,
            tax=usd(0),
        )

    def is_settled(self, *, at, fee=160):
        fact = transaction.TransactionSucceeded(
            payment=self.payment(),
            payment_id=f"pay-{self.invoice.hex[:8]}",
            fee=usd(fee),
            components=(
                transaction.FeeComponent(
                    name=transaction.FeeName.FIXED, percentage=None, amount=usd(40)
                ),
                transaction.FeeComponent(
                    name=transaction.FeeName.BASE, percentage="2.9", amount=usd(fee - 40)
                ),
            ),
            net=self.due - usd(fee),
            volume=self.due,
            available_on=(at + timedelta(days=7)).date(),
            occurred_at=at,
        )
        self._says((self.transaction, fact))

    def transaction_waits(self, *, at):
        fact = transaction.TransactionPending(payment=self.payment(), occurred_at=at)
        self._says((self.transaction, fact))

    def transaction_fails(self, *, at):
        fact = transaction.TransactionFailed(
            payment=self.payment(), code="card_declined", message="Declined.", occurred_at=at
        )
        self._says((self.transaction, fact))


class GivenBack:
    """A refund of an order that a card paid, as its facts tell it."""

    def __init__(self, sold, units, *, at, name="refund"):
        self.sold, self.id = sold, derived_id(sold.order, name)
        self.shares = RefundShares(amount=usd(units), tax=usd(0), method=usd(units))
        created = refund.RefundCreated(
            refund_id=self.id,
            order_id=sold.order,
            order_number=sold.order_number,
            invoice_id=sold.invoice,
            invoice_number=sold.invoice_number,
            sale=sold.of.sale,
            shares=self.shares,
            reason=RefundReason.OTHER,
            method=VISA,
            payment_id=f"pay-{sold.invoice.hex[:8]}",
            provider_key=f"back-{self.id.hex[:8]}",
            internal_note="A note",
            occurred_at=at,
        )
        started = order.OrderRefundStarted(
            order_id=sold.order, refund_id=self.id, shares=self.shares, occurred_at=at
        )
        sold._says((self.id, created), (sold.order, started))

    def payment(self):
        return replace(
            self.sold.payment(),
            transaction_id=derived_id(self.id, "transaction"),
            type=transaction.TransactionType.REFUND,
            amount=-self.shares.method,
            tax=-self.shares.tax,
        )

    def waits(self, *, at):
        known = transaction.TransactionPending(payment=self.payment(), occurred_at=at)
        pending = refund.RefundPending(refund_id=self.id, occurred_at=at)
        self.sold._says((self.id, pending), (known.payment.transaction_id, known))

    def succeeds(self, total, *, at):
        full = total == self.sold.amount.units
        refunded = order.OrderRefunded(
            order_id=self.sold.order,
            refund_id=self.id,
            amount=self.shares.amount,
            total=usd(total),
            status=order.Status.REFUNDED if full else order.Status.PARTIAL_REFUND,
            revokes=None,
            occurred_at=at,
        )
        done = refund.RefundSucceeded(refund_id=self.id, reference="back", occurred_at=at)
        booked = transaction.TransactionRefunded(
            payment=self.payment(),
            payment_id="back",
            net=-self.shares.net,
            available_on=at.date(),
            occurred_at=at,
        )
        stream = booked.payment.transaction_id
        self.sold._says((self.id, done), (self.sold.order, refunded), (stream, booked))

    def fails(self, *, at):
        why = {"message": "The refund failed.", "occurred_at": at}
        failed = refund.RefundFailed(refund_id=self.id, code="refund_failed", **why)
        released = order.OrderRefundFailed(order_id=self.sold.order, refund_id=self.id, **why)
        self.sold._says((self.id, failed), (self.sold.order, released))


def a_whole_life(happened, customer_id="ada"):
    """Trial, conversion, a decline, recovery, a renewal, a change of mind, refunds, the end."""
    day = timedelta(days=1)
    ada = Buyer(happened, customer_id)
    first = ada.subscribes(status=subscription.Status.TRIALING, trial_days=7)
    sold = first.is_billed(at=JAN_31 + 7 * day)
    first.converts(at=JAN_31 + 7 * day, sold=sold)
    sold.is_declined(at=JAN_31 + 7 * day)
    sold.transaction_fails(at=JAN_31 + 7 * day)
    first.falls_behind(at=JAN_31 + 7 * day, sold=sold)
    ada.renamed("Ada Lovelace", at=JAN_31 + 8 * day)
    sold.is_paid(at=JAN_31 + 8 * day)
    sold.transaction_waits(at=JAN_31 + 8 * day)
    first.recovers(at=JAN_31 + 8 * day)
    sold.is_settled(at=JAN_31 + 8 * day)
    again = first.is_billed(at=JAN_31 + 38 * day, renewal=True)
    first.renews(1, at=JAN_31 + 38 * day, sold=again)
    first.will_end(JAN_31 + 59 * day, at=JAN_31 + 39 * day)
    first.stays(at=JAN_31 + 40 * day)
    again.is_paid(at=JAN_31 + 41 * day)
    again.is_settled(at=JAN_31 + 41 * day)
    part = GivenBack(again, 500, at=JAN_31 + 41 * day)
    part.waits(at=JAN_31 + 41 * day)
    part.succeeds(500, at=JAN_31 + 41 * day)
    GivenBack(again, 100, at=JAN_31 + 41 * day, name="refused").fails(at=JAN_31 + 41 * day)
    first.ends(at=JAN_31 + 42 * day)
    ada.balance_moves(usd(-500), usd(-500), at=JAN_31 + 42 * day)
    never = ada.subscribes(name="never", status=subscription.Status.INCOMPLETE)
    unpaid = never.is_billed(at=JAN_31 + MINUTE)
    never.expires(at=JAN_31 + day)
    unpaid.fails(at=JAN_31 + day)
    return ada, first
