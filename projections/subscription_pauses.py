"""Records of subscriptions that are paused, and go on again (design 13)."""

from __future__ import annotations

from aggregates.subscription.events import Status
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from kernel.ports.event_store import Recorded
from projections import copies
from projections.documents import Documents
from projections.subscription_changes import view
from projections.subscriptions import SUBSCRIPTIONS, at_present
from wire.times import instant


__all__ = ("view",)

_LOADS = copies.own_and_customer(SUBSCRIPTIONS)


@view.on(SubscriptionPaused, loads=_LOADS)
def paused(docs: Documents, recorded: Recorded, fact: SubscriptionPaused) -> None:
    """The same record, standing still; what comes next moves by the length of the pause."""
    until = {
        "resumes_at": instant(fact.resumes_at),
        "resumed_end": instant(fact.period.end + (fact.resumes_at - fact.occurred_at)),
    }
    doc = copies.touch(SUBSCRIPTIONS, docs, recorded, **until)
    docs.put(SUBSCRIPTIONS, recorded.stream, at_present(doc, Status.PAUSED, None))


@view.on(SubscriptionResumed, loads=_LOADS)
def resumed(docs: Documents, recorded: Recorded, fact: SubscriptionResumed) -> None:
    """The same record, with the rest of its period before it."""
    over = {"resumes_at": None, "anchor": instant(fact.anchor)}
    doc = copies.touch(SUBSCRIPTIONS, docs, recorded, **over)
    docs.put(SUBSCRIPTIONS, recorded.stream, at_present(doc, Status.ACTIVE, fact.period))
