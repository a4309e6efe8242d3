"""Stored name and version of every fact: the only list of all facts.

A stored name never changes and never goes away. A new shape of a fact gets a new version here and
an upcast from the old one; ``tests/house/facts/`` keeps a sample of every version ever shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aggregates.api_key import events as api_key
from aggregates.balance import events as balance
from aggregates.checkout import events as checkout
from aggregates.customer import events as customer
from aggregates.customer.upcasts import created_before_clocks_had_one_name
from aggregates.discount import events as discount
from aggregates.feature import events as feature
from aggregates.invoice import events as invoice
from aggregates.license import events as license_
from aggregates.license_key import events as license_key
from aggregates.offering import events as offering
from aggregates.order import events as order
from aggregates.organization import events as organization
from aggregates.payment_method import events as payment_method
from aggregates.plan import events as plan
from aggregates.plan_migration import events as plan_migration
from aggregates.portal_session import events as portal_session
from aggregates.portfolio import events as portfolio
from aggregates.pricing_table import events as pricing_table
from aggregates.product import events as product
from aggregates.promotion import events as promotion
from aggregates.refund import events as refund
from aggregates.subscription import changes, discount_events, pauses, retention_events
from aggregates.subscription import events as subscription
from aggregates.test_clock import events as test_clock
from aggregates.transaction import events as transaction
from aggregates.usage import events as usage
from aggregates.webhook_endpoint.events import (
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)


FACTS: dict[str, type] = {
    # customer
    "customer.created.v2": customer.CustomerCreated,
    "customer.details_changed.v1": customer.CustomerDetailsChanged,
    "customer.archived.v1": customer.CustomerArchived,
    # portfolio
    "portfolio.subscription_opened.v1": portfolio.PortfolioSubscriptionOpened,
    "portfolio.subscription_closed.v1": portfolio.PortfolioSubscriptionClosed,
    # organization
    "organization.created.v1": organization.OrganizationCreated,
    "organization.settings_changed.v1": organization.OrganizationSettingsChanged,
    "organization.checkout_look_changed.v1": organization.CheckoutLookChanged,
    "organization.retention_changed.v1": organization.RetentionSettingsChanged,
    # api_key
    "api_key.issued.v1": api_key.ApiKeyIssued,
    "api_key.renamed.v1": api_key.ApiKeyRenamed,
    "api_key.expiry_set.v1": api_key.ApiKeyExpirySet,
    "api_key.revoked.v1": api_key.ApiKeyRevoked,
    # portal_session
    "portal.session_issued.v1": portal_session.PortalSessionIssued,
    "portal.session_started.v1": portal_session.PortalSessionStarted,
    "portal.session_ended.v1": portal_session.PortalSessionEnded,
    # product
    "product.created.v1": product.ProductCreated,
    "product.reworded.v1": product.ProductReworded,
    "product.settings_changed.v1": product.ProductSettingsChanged,
    "product.archived.v1": product.ProductArchived,
    # feature
    "feature.created.v1": feature.FeatureCreated,
    "feature.reworded.v1": feature.FeatureReworded,
    "feature.archived.v1": feature.FeatureArchived,
    # plan
    "plan.created.v1": plan.PlanCreated,
    "plan.draft_opened.v1": plan.PlanDraftOpened,
    "plan.draft_reworded.v1": plan.PlanDraftReworded,
    "plan.draft_priced.v1": plan.PlanDraftPriced,
    "plan.entitlements_added.v1": plan.PlanEntitlementsAdded,
    "plan.entitlement_changed.v1": plan.PlanEntitlementChanged,
    "plan.entitlement_removed.v1": plan.PlanEntitlementRemoved,
    "plan.draft_discarded.v1": plan.PlanDraftDiscarded,
    "plan.version_published.v1": plan.PlanVersionPublished,
    "plan.archived.v1": plan.PlanArchived,
    # payment_method
    "payment_method.added.v1": payment_method.PaymentMethodAdded,
    "payment_method.confirmed.v1": payment_method.PaymentMethodConfirmed,
    "payment_method.made_default.v1": payment_method.PaymentMethodMadeDefault,
    "payment_method.card_changed.v1": payment_method.PaymentMethodCardChanged,
    "payment_method.removed.v1": payment_method.PaymentMethodRemoved,
    # subscription
    "subscription.created.v1": subscription.SubscriptionCreated,
    "subscription.activated.v1": subscription.SubscriptionActivated,
    "subscription.incomplete_expired.v1": subscription.SubscriptionIncompleteExpired,
    "subscription.trial_ending_soon.v1": subscription.SubscriptionTrialEndingSoon,
    "subscription.trial_converted.v1": subscription.SubscriptionTrialConverted,
    "subscription.renewed.v1": subscription.SubscriptionRenewed,
    "subscription.became_past_due.v1": subscription.SubscriptionBecamePastDue,
    "subscription.fell_further_behind.v1": subscription.SubscriptionFellFurtherBehind,
    "subscription.payment_retried.v1": subscription.SubscriptionPaymentRetried,
    "subscription.retries_stopped.v1": subscription.SubscriptionRetriesStopped,
    "subscription.retries_resumed.v1": subscription.SubscriptionRetriesResumed,
    "subscription.recovered.v1": subscription.SubscriptionRecovered,
    "subscription.retention_offer_accepted.v1": (
        retention_events.SubscriptionRetentionOfferAccepted
    ),
    "subscription.paused.v1": pauses.SubscriptionPaused,
    "subscription.resumed.v1": pauses.SubscriptionResumed,
    "subscription.cancellation_scheduled.v1": subscription.SubscriptionCancellationScheduled,
    "subscription.cancellation_withdrawn.v1": subscription.SubscriptionCancellationWithdrawn,
    "subscription.canceled.v1": subscription.SubscriptionCanceled,
    "subscription.plan_changed.v1": changes.SubscriptionPlanChanged,
    "subscription.trial_moved.v1": changes.SubscriptionTrialMoved,
    "subscription.change_requested.v1": changes.SubscriptionChangeRequested,
    "subscription.change_expired.v1": changes.SubscriptionChangeExpired,
    "subscription.discount_attached.v1": discount_events.SubscriptionDiscountAttached,
    "subscription.discounts_used.v1": discount_events.SubscriptionDiscountsUsed,
    # checkout
    "checkout.session_created.v1": checkout.CheckoutSessionCreated,
    "checkout.details_changed.v1": checkout.CheckoutDetailsChanged,
    "checkout.selection_changed.v1": checkout.CheckoutSelectionChanged,
    "checkout.payment_started.v1": checkout.CheckoutPaymentStarted,
    "checkout.authentication_required.v1": checkout.CheckoutAuthenticationRequired,
    "checkout.authentication_passed.v1": checkout.CheckoutAuthenticationPassed,
    "checkout.payment_pending.v1": checkout.CheckoutPaymentPending,
    "checkout.payment_failed.v1": checkout.CheckoutPaymentFailed,
    "checkout.completed.v1": checkout.CheckoutCompleted,
    "checkout.expired.v1": checkout.CheckoutExpired,
    "checkout.abandoned.v1": checkout.CheckoutAbandoned,
    # discount
    "discount.created.v1": discount.DiscountCreated,
    "discount.redeemed.v1": discount.DiscountRedeemed,
    "discount.released.v1": discount.DiscountReleased,
    "discount.limited_to_countries.v1": discount.DiscountLimitedToCountries,
    "discount.enabled.v1": discount.DiscountEnabled,
    "discount.disabled.v1": discount.DiscountDisabled,
    "discount.archived.v1": discount.DiscountArchived,
    # offering
    "offering.created.v1": offering.OfferingCreated,
    "offering.changed.v1": offering.OfferingChanged,
    "offering.archived.v1": offering.OfferingArchived,
    # pricing_table
    "pricing_table.created.v1": pricing_table.PricingTableCreated,
    "pricing_table.changed.v1": pricing_table.PricingTableChanged,
    "pricing_table.archived.v1": pricing_table.PricingTableArchived,
    # promotion
    "promotion.created.v1": promotion.PromotionCreated,
    "promotion.changed.v1": promotion.PromotionChanged,
    "promotion.archived.v1": promotion.PromotionArchived,
    # invoice
    "invoice.created.v1": invoice.InvoiceCreated,
    "invoice.payment_started.v1": invoice.InvoicePaymentStarted,
    "invoice.payment_pending.v1": invoice.InvoicePaymentPending,
    "invoice.payment_failed.v1": invoice.InvoicePaymentFailed,
    "invoice.retry_scheduled.v1": invoice.InvoiceRetryScheduled,
    "invoice.balance_applied.v1": invoice.InvoiceBalanceApplied,
    "invoice.paid.v1": invoice.InvoicePaid,
    "invoice.withdrawn.v1": invoice.InvoiceWithdrawn,
    "plan.migration_progressed.v1": plan_migration.PlanMigrationProgressed,
    "invoice.credited.v1": invoice.InvoiceCredited,
    # order
    "order.created.v1": order.OrderCreated,
    "order.completed.v1": order.OrderCompleted,
    "order.payment_failed.v1": order.OrderPaymentFailed,
    "order.failed.v1": order.OrderFailed,
    "order.refund_started.v1": order.OrderRefundStarted,
    "order.refunded.v1": order.OrderRefunded,
    "order.refund_failed.v1": order.OrderRefundFailed,
    # refund
    "refund.created.v1": refund.RefundCreated,
    "refund.pending.v1": refund.RefundPending,
    "refund.succeeded.v1": refund.RefundSucceeded,
    "refund.failed.v1": refund.RefundFailed,
    # license
    "license.issued.v1": license_.LicenseIssued,
    "license.activated.v1": license_.LicenseActivated,
    "license.deactivated.v1": license_.LicenseDeactivated,
    "license.limit_changed.v1": license_.LicenseLimitChanged,
    "license.expiry_changed.v1": license_.LicenseExpiryChanged,
    "license.expired.v1": license_.LicenseExpired,
    "license.disabled.v1": license_.LicenseDisabled,
    "license.key_regenerated.v1": license_.LicenseKeyRegenerated,
    # license_key
    "license_key.assigned.v1": license_key.LicenseKeyAssigned,
    # transaction
    "transaction.pending.v1": transaction.TransactionPending,
    "transaction.succeeded.v1": transaction.TransactionSucceeded,
    "transaction.failed.v1": transaction.TransactionFailed,
    "transaction.refunded.v1": transaction.TransactionRefunded,
    # balance
    "balance.changed.v1": balance.BalanceChanged,
    # webhook_endpoint
    "webhook_endpoint.created.v1": WebhookEndpointCreated,
    "webhook_endpoint.moved.v1": WebhookEndpointMoved,
    "webhook_endpoint.subscribed.v1": WebhookEndpointSubscribed,
    "webhook_endpoint.enabled.v1": WebhookEndpointEnabled,
    "webhook_endpoint.disabled.v1": WebhookEndpointDisabled,
    "webhook_endpoint.secret_rotated.v1": WebhookSecretRotated,
    "webhook_endpoint.deleted.v1": WebhookEndpointDeleted,
    # usage
    "usage.reported.v1": usage.UsageReported,
    "usage.event_reported.v1": usage.UsageEventReported,
    # test_clock
    "test_clock.created.v1": test_clock.TestClockCreated,
    "test_clock.advance_started.v1": test_clock.TestClockAdvanceStarted,
    "test_clock.advance_finished.v1": test_clock.TestClockAdvanceFinished,
    "test_clock.deleted.v1": test_clock.TestClockDeleted,
    "test_clock.cleared.v1": test_clock.TestClockCleared,
}

Upcast = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTS: dict[str, tuple[str, Upcast]] = {
    "customer.created.v1": ("customer.created.v2", created_before_clocks_had_one_name),
}
"""Old stored name: its newer name, and how to turn the old content into the newer one."""
