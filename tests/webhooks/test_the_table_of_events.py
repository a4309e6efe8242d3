"""The table of webhook events is complete and unambiguous."""

from aggregates.catalog import FACTS
from kernel.event_kinds import EventKind
from projections.all_views import VIEWS
from projections.webhooks.kinds import ANNOUNCEMENTS


def test_every_kind_is_sent():
    assert {line.kind for lines in ANNOUNCEMENTS.values() for line in lines} == set(EventKind)


def test_only_facts_of_the_catalog_announce():
    assert set(ANNOUNCEMENTS) <= set(FACTS.values())


def test_no_two_events_of_a_fact_share_an_id():
    for fact, lines in ANNOUNCEMENTS.items():
        told_apart = [(line.kind, line.part) for line in lines]
        assert len(set(told_apart)) == len(told_apart), fact


def test_every_line_says_when():
    assert all(line.note for lines in ANNOUNCEMENTS.values() for line in lines)


SAYS_NOTHING = {
    *("CustomerArchived", "OrderPaymentFailed", "RefundPending"),
    *("InvoicePaymentStarted", "InvoicePaymentPending", "InvoiceRetryScheduled"),
    *("InvoiceWithdrawn", "SubscriptionChangeRequested", "SubscriptionChangeExpired"),
    "SubscriptionRetentionOfferAccepted",
    *("CheckoutSessionCreated", "CheckoutDetailsChanged", "CheckoutSelectionChanged"),
    *("CheckoutPaymentStarted", "CheckoutPaymentFailed", "CheckoutPaymentPending"),
    *("CheckoutAuthenticationRequired", "CheckoutAuthenticationPassed"),
    *("CheckoutAbandoned", "CheckoutExpired"),
}
"""Facts about objects of webhooks for which no kind of event exists, or that change no object."""


def test_no_fact_about_an_object_is_forgotten():
    announced = {line.table for lines in ANNOUNCEMENTS.values() for line in lines}
    written = {
        fact for view in VIEWS if not announced.isdisjoint(view.tables) for fact in view.writers
    }
    assert {fact.__name__ for fact in written - ANNOUNCEMENTS.keys()} == SAYS_NOTHING
