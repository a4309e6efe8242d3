"""How many subscriptions each customer has, as customers in webhooks show it (wire 27.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from aggregates.subscription.events import (
    SubscriptionCanceled,
    SubscriptionCreated,
    SubscriptionIncompleteExpired,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.table import Table
from projections.view import View


HELD = Table(name="held_subscriptions")
"""One row per customer who ever had one; ended ones do not count."""

view = View("held_subscriptions", HELD)


def loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    """The customer's row."""
    del fact
    return ((HELD, recorded.owner),)


@view.on(SubscriptionCreated, loads=loads)
def created(docs: Documents, recorded: Recorded, fact: SubscriptionCreated) -> None:
    """One more."""
    del fact
    _add(docs, recorded, 1)


@view.on(SubscriptionCanceled, SubscriptionIncompleteExpired, loads=loads)
def ended(
    docs: Documents,
    recorded: Recorded,
    fact: object,
) -> None:
    """One less."""
    del fact
    _add(docs, recorded, -1)


def held(docs: Documents, customer: UUID) -> int:
    """The number as of the present fact."""
    doc = docs.get(HELD, customer)
    return 0 if doc is None else int(doc["held"])


def _add(docs: Documents, recorded: Recorded, more: int) -> None:
    doc = docs.get(HELD, recorded.owner) or {
        "organization": str(recorded.organization),
        "created": recorded.position,
        "held": 0,
    }
    docs.put(HELD, recorded.owner, {**doc, "held": doc["held"] + more})
