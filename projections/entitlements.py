"""The entitlements view: what each subscription grants as long as it gives access (design 13).

One row per subscription that gives access; its body maps feature identifiers to what the edge
answers about them. It is made from the subscription's document, so that both always agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from aggregates.order.events import OrderRefunded
from aggregates.subscription.changes import SubscriptionPlanChanged, SubscriptionTrialMoved
from aggregates.subscription.events import (
    GIVE_ACCESS,
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCreated,
    SubscriptionIncompleteExpired,
    SubscriptionRecovered,
    SubscriptionTrialConverted,
)
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from kernel.gathering import Gathering
from kernel.ports.event_store import Recorded
from projections import clocks, usage
from projections.documents import Documents
from projections.reader import Reader
from projections.subscriptions import SUBSCRIPTIONS
from projections.table import Column, Doc, Table
from projections.usage import USAGE, USAGE_ALERTS, USAGE_VALUES
from projections.view import View
from wire.entitlement import entitlement_out


_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def _body(doc: Doc) -> dict[str, Any]:
    return {granted["identifier"]: entitlement_out(granted) for granted in doc["features"]}


ENTITLEMENTS = Table(
    name="entitlements",
    columns=(
        Column("customer_uuid", "uuid"),
        Column("ends_at", "timestamptz"),
        Column("test_clock", "uuid"),
    ),
    indexes=("(customer_uuid)",),
    render=_body,
    joins=clocks.JOIN,
)

view = View("entitlements", ENTITLEMENTS, USAGE, USAGE_ALERTS, USAGE_VALUES, version=3)


def _loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    return (
        (SUBSCRIPTIONS, recorded.stream),
        (ENTITLEMENTS, recorded.stream),
        (USAGE, recorded.owner),
    )


@view.on(
    SubscriptionCreated,
    SubscriptionActivated,
    SubscriptionTrialConverted,
    SubscriptionBecamePastDue,
    SubscriptionRecovered,
    SubscriptionPaused,
    SubscriptionResumed,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCanceled,
    SubscriptionIncompleteExpired,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
    loads=_loads,
)
def changed(docs: Documents, recorded: Recorded, fact: object) -> None:
    """Grant what the subscription grants now, or nothing."""
    del fact
    subscription = docs.get(SUBSCRIPTIONS, recorded.stream)
    if subscription is None:
        raise LookupError(f"subscription {recorded.stream} is not in the view")
    gives = subscription["status"] in GIVE_ACCESS
    granted = _granted(subscription) if gives else None
    if granted != docs.get(ENTITLEMENTS, recorded.stream):
        docs.put(ENTITLEMENTS, recorded.stream, granted)
    usage.stands(docs, recorded, subscription, gives=gives)


def _revoked(recorded: Recorded, fact: OrderRefunded) -> Iterable[tuple[Table, Any]]:
    if fact.revokes is None:
        return ()
    return ((ENTITLEMENTS, fact.revokes), (USAGE, recorded.owner))


@view.on(OrderRefunded, loads=_revoked)
def revoked(docs: Documents, recorded: Recorded, fact: OrderRefunded) -> None:
    """A one-time sale that was given back whole grants nothing any more (design 13)."""
    if fact.revokes is not None and docs.get(ENTITLEMENTS, fact.revokes) is not None:
        docs.put(ENTITLEMENTS, fact.revokes, None)
        usage.ended(docs, recorded, fact.revokes)


def _granted(subscription: Doc) -> Doc:
    copied = ("id", "organization", "customer_uuid", "test_clock", "ends_at", "features")
    return {
        **{name: subscription[name] for name in copied},
        "created": subscription["began"],
    }


@dataclass(frozen=True, slots=True)
class Grant:
    """A subscription's row as read, with the customer's row of usage if there is one."""

    subscription: UUID
    ends_at: datetime | None
    frozen_time: datetime | None
    body: bytes
    usage: bytes | None

    def items(self, feature: str | None, now: datetime) -> list[bytes]:
        """What it grants at ``now``, unless its own clock says another time."""
        at = self.frozen_time or now
        if self.ends_at is not None and self.ends_at <= at:
            return []
        found = _decode(self.body)
        counted = usage.counted(self.usage, self.subscription)
        wanted = found if feature is None else [feature] if feature in found else []
        return [
            usage.item(counted[name], at) if name in counted else bytes(found[name])
            for name in wanted
        ]


class Grants:
    """Finds what customers may use; concurrent checks share a query."""

    def __init__(self, reader: Reader) -> None:
        """Read the rows of one process's views."""
        self._reader = reader
        self._finding: Gathering[tuple[UUID, UUID], list[Grant]] = Gathering(self._find, most=100)

    async def of(self, organization: UUID, customer: UUID) -> list[Grant]:
        """The grants of a customer, oldest subscription first; none for an unknown customer."""
        return await self._finding.submit((organization, customer))

    async def _find(self, wanted: list[tuple[UUID, UUID]]) -> list[list[Grant] | BaseException]:
        found: dict[tuple[UUID, UUID], list[Grant]] = {}
        rows = await self._reader.rows(_SQL, ([customer for _, customer in wanted],))
        for organization, customer, *row in rows:
            found.setdefault((organization, customer), []).append(Grant(*row))
        return [found.get(one, []) for one in wanted]


_SQL = (
    "SELECT t.organization, t.customer_uuid, t.id, t.ends_at, c.frozen_time, t.body, u.body "
    f"FROM entitlements t {clocks.JOIN} LEFT JOIN usage u ON u.id = t.customer_uuid "
    "WHERE t.customer_uuid = ANY(%b::uuid[]) ORDER BY t.created, t.id"
)
