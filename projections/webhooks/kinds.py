"""The one table of webhook events: which fact announces what, in which order (design 9).

Events leave in the order of the facts of a command, and the events of one fact in the order of this
table; ``docs/reference/events.md`` is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from aggregates.checkout.events import CheckoutCompleted
from aggregates.customer.events import CustomerCreated, CustomerDetailsChanged
from aggregates.invoice.events import (
    InvoiceBalanceApplied,
    InvoiceCreated,
    InvoicePaid,
    InvoicePaymentFailed,
    Status,
)
from aggregates.order.events import OrderCompleted, OrderCreated, OrderFailed, OrderRefunded
from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodMadeDefault,
    PaymentMethodRemoved,
)
from aggregates.refund.events import RefundCreated, RefundFailed, RefundSucceeded
from aggregates.subscription.changes import SubscriptionPlanChanged, SubscriptionTrialMoved
from aggregates.subscription.events import Status as SubscriptionStatus
from aggregates.subscription.events import (
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCreated,
    SubscriptionIncompleteExpired,
    SubscriptionRecovered,
    SubscriptionRenewed,
    SubscriptionTrialConverted,
    SubscriptionTrialEndingSoon,
)
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.usage.events import UsageEventReported, UsageReported
from kernel.event_kinds import EventKind
from kernel.ports.event_store import Recorded
from projections.checkouts import CHECKOUTS
from projections.customers import CUSTOMERS
from projections.invoices import INVOICES
from projections.orders import ORDERS
from projections.payment_methods import PAYMENT_METHODS
from projections.refunds import REFUNDS
from projections.subscriptions import SUBSCRIPTIONS
from projections.table import Doc
from projections.webhooks.announcement import Announcement, Around
from projections.webhooks.usage_alerts import REACHED, usage_alert
from wire.webhooks.checkout import checkout_object
from wire.webhooks.customer import customer_object
from wire.webhooks.envelope import Object
from wire.webhooks.invoice import invoice_object
from wire.webhooks.order import order_object
from wire.webhooks.payment_method import payment_method_object
from wire.webhooks.refund import refund_object
from wire.webhooks.subscription import subscription_object


def _customer(doc: Doc, around: Around) -> Object:
    return customer_object(doc, subscriptions=around.subscriptions)


def _subscription(doc: Doc, around: Around) -> Object:
    return subscription_object(doc, around.customer)


def _order(doc: Doc, around: Around) -> Object:
    return order_object(doc, around.customer)


def _invoice(doc: Doc, around: Around) -> Object:
    link = around.payment_link(UUID(doc["id"])) if _is_payable(doc) else None
    return invoice_object(doc, around.customer, link)


def _refund(doc: Doc, around: Around) -> Object:
    return refund_object(doc, around.customer)


def _payment_method(doc: Doc, around: Around) -> Object:
    return payment_method_object(doc, around.customer)


def _checkout(doc: Doc, around: Around) -> Object:
    return checkout_object(doc, around.customer)


def _method(recorded: Recorded, fact: Any) -> UUID:
    del recorded
    method: UUID = fact.method_id
    return method


def _former_default(recorded: Recorded, fact: Any) -> UUID | None:
    del recorded
    former: UUID | None = fact.former_default_id
    return former


def _is_paid(doc: Doc) -> bool:
    return bool(doc["status"] == Status.PAID)


def _is_shown(doc: Doc) -> bool:
    return bool(doc["shown"])


def _is_tried_once(doc: Doc) -> bool:
    return bool(doc["is_tried_once"])


def _is_not_tried_once(doc: Doc) -> bool:
    return not doc["is_tried_once"]


def _is_payable(doc: Doc) -> bool:
    return not (_is_paid(doc) or doc["is_withdrawn"])


def _is_trialing(doc: Doc) -> bool:
    return bool(doc["status"] == SubscriptionStatus.TRIALING)


customer = partial(Announcement, table=CUSTOMERS, shape=_customer)
subscription = partial(Announcement, table=SUBSCRIPTIONS, shape=_subscription)
invoice = partial(Announcement, table=INVOICES, shape=_invoice)
order = partial(Announcement, table=ORDERS, shape=_order)
checkout = partial(Announcement, table=CHECKOUTS, shape=_checkout)
refund = partial(Announcement, table=REFUNDS, shape=_refund)
refund_updated = partial(refund, kind=EventKind.REFUND_UPDATED, update=True)
payment_method = partial(Announcement, table=PAYMENT_METHODS, shape=_payment_method, key=_method)
method_updated = partial(payment_method, kind=EventKind.PAYMENT_METHOD_UPDATED, update=True)

FORMER_DEFAULT: Final = method_updated(
    key=_former_default, part="former", note="another method becomes the default instead"
)


def _updated(note: str) -> tuple[Announcement, ...]:
    return (subscription(kind=EventKind.SUBSCRIPTION_UPDATED, update=True, note=note),)


def _unless_offered(recorded: Recorded, fact: SubscriptionPaused) -> UUID | None:
    return None if fact.offered else recorded.stream


paused = partial(subscription, update=True, key=_unless_offered)

ANNOUNCEMENTS: Final[Mapping[type, tuple[Announcement, ...]]] = {
    CustomerCreated: (customer(kind=EventKind.CUSTOMER_CREATED, note="a customer is created"),),
    CustomerDetailsChanged: (
        customer(kind=EventKind.CUSTOMER_UPDATED, update=True, note="its details change"),
    ),
    PaymentMethodAdded: (
        payment_method(kind=EventKind.PAYMENT_METHOD_CREATED, note="a method is saved"),
        FORMER_DEFAULT,
    ),
    PaymentMethodConfirmed: (method_updated(note="the customer confirmed it"),),
    PaymentMethodCardChanged: (method_updated(note="the card was issued anew"),),
    PaymentMethodMadeDefault: (method_updated(note="it becomes the default"), FORMER_DEFAULT),
    PaymentMethodRemoved: (
        payment_method(kind=EventKind.PAYMENT_METHOD_DELETED, note="it is removed"),
    ),
    CheckoutCompleted: (
        checkout(
            kind=EventKind.CHECKOUT_COMPLETED,
            note="a buyer completed it; before the subscription that was bought is told",
        ),
    ),
    SubscriptionCreated: (
        subscription(
            kind=EventKind.SUBSCRIPTION_CREATED,
            when=_is_shown,
            note="a subscription is created, but for what a charge or a checkout has not paid yet",
        ),
    ),
    SubscriptionActivated: (
        subscription(
            kind=EventKind.SUBSCRIPTION_UPDATED,
            update=True,
            when=_is_not_tried_once,
            note="its first payment comes in",
        ),
        subscription(
            kind=EventKind.SUBSCRIPTION_CREATED,
            when=_is_tried_once,
            note="a one-time charge or a checkout is paid",
        ),
    ),
    SubscriptionTrialConverted: _updated("its trial ends and the first paid period begins"),
    SubscriptionRenewed: _updated("the next period begins"),
    SubscriptionBecamePastDue: _updated("a payment failed for good or is tried again later"),
    SubscriptionRecovered: _updated("everything that was open is paid"),
    SubscriptionPaused: (
        paused(
            kind=EventKind.SUBSCRIPTION_PAUSED,
            note="the merchant pauses it; a pause that the customer accepted as a retention offer "
            "sends neither",
        ),
        paused(kind=EventKind.SUBSCRIPTION_UPDATED, note="the merchant pauses it"),
    ),
    SubscriptionResumed: (
        subscription(
            kind=EventKind.SUBSCRIPTION_RESUMED, update=True, note="its pause is over, by any way"
        ),
        *_updated("its pause is over, by any way"),
    ),
    SubscriptionCancellationScheduled: _updated("its end is scheduled, or moves with its period"),
    SubscriptionCancellationWithdrawn: _updated("its scheduled end is taken back"),
    SubscriptionIncompleteExpired: (
        subscription(
            kind=EventKind.SUBSCRIPTION_UPDATED,
            update=True,
            when=_is_not_tried_once,
            note="nobody paid its first invoice in time",
        ),
    ),
    SubscriptionPlanChanged: (
        subscription(
            kind=EventKind.SUBSCRIPTION_PLAN_CHANGED,
            update=True,
            whole=True,
            note="another plan, plan version, period, quantity or amount holds",
        ),
        *_updated("the same"),
    ),
    SubscriptionTrialMoved: _updated("its trial ends at another time"),
    SubscriptionTrialEndingSoon: (
        subscription(
            kind=EventKind.SUBSCRIPTION_TRIAL_WILL_END,
            when=_is_trialing,
            note="three days before the trial ends, at once for trials of one to three days",
        ),
    ),
    SubscriptionCanceled: (
        subscription(
            kind=EventKind.SUBSCRIPTION_CANCELLED, update=True, note="it has actually ended"
        ),
    ),
    InvoiceCreated: (
        invoice(kind=EventKind.INVOICE_CREATED, note="an invoice is created"),
        invoice(kind=EventKind.INVOICE_PAID, when=_is_paid, note="and nothing is due on it"),
    ),
    InvoicePaid: (invoice(kind=EventKind.INVOICE_PAID, update=True, note="the money came in"),),
    InvoiceBalanceApplied: (
        invoice(
            kind=EventKind.INVOICE_PAID,
            update=True,
            when=_is_paid,
            note="credit covers what was owed",
        ),
    ),
    InvoicePaymentFailed: (
        invoice(
            kind=EventKind.INVOICE_PAYMENT_FAILED,
            note="an attempt to collect failed, or the customer has to act",
        ),
    ),
    OrderCreated: (order(kind=EventKind.ORDER_CREATED, note="something is ordered"),),
    OrderCompleted: (order(kind=EventKind.ORDER_UPDATED, update=True, note="it is paid"),),
    OrderFailed: (order(kind=EventKind.ORDER_UPDATED, update=True, note="it did not come about"),),
    OrderRefunded: (
        order(
            kind=EventKind.ORDER_REFUNDED,
            update=True,
            even_silent=True,
            note="part or all of it was given back",
        ),
    ),
    RefundCreated: (refund(kind=EventKind.REFUND_CREATED, note="money is on its way back"),),
    RefundSucceeded: (refund_updated(note="the money is back"),),
    RefundFailed: (refund_updated(note="the provider refused to give it back"),),
    UsageReported: (usage_alert(note=REACHED),),
    UsageEventReported: (usage_alert(note=REACHED),),
}
