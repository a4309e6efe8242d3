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
from aggregates.subscription.changes import SubscriptionPlanChanged
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
from kernel.entitlement import Reset
from kernel.gathering import Gathering
from kernel.ports.event_store import Recorded
from kernel.reset import INTERVALS, usage_period
from projections import clocks
from projections.documents import Documents
from projections.reader import Reader, token
from projections.subscriptions import SUBSCRIPTIONS
from projections.table import Column, Doc, Table
from projections.view import View
from wire.entitlement import entitlement_out


_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


def _body(doc: Doc) -> dict[str, Any]:
    return {
        granted["identifier"]: entitlement_out(granted, _reset_token(granted))
        for granted in doc["features"]
    }


def _reset_token(granted: Doc) -> str | None:
    reset = granted["reset"]
    if reset is None or Reset(reset) not in INTERVALS:
        return None
    return token(f"{reset} {granted['reset_time'] or ''}")


ENTITLEMENTS = Table(
    name="entitlements",
    columns=(
        Column("customer_uuid", "uuid"),
        Column("anchor", "timestamptz"),
        Column("ends_at", "timestamptz"),
        Column("resets"),
        Column("test_clock", "uuid"),
    ),
    indexes=("(customer_uuid)",),
    render=_body,
    joins=clocks.JOIN,
)

view = View("entitlements", ENTITLEMENTS)


def _loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del fact
    return ((SUBSCRIPTIONS, recorded.stream), (ENTITLEMENTS, recorded.stream))


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
    loads=_loads,
)
def changed(docs: Documents, recorded: Recorded, fact: object) -> None:
    """Grant what the subscription grants now, or nothing."""
    del fact
    subscription = docs.get(SUBSCRIPTIONS, recorded.stream)
    if subscription is None:
        raise LookupError(f"subscription {recorded.stream} is not in the view")
    granted = _granted(subscription) if subscription["status"] in GIVE_ACCESS else None
    if granted != docs.get(ENTITLEMENTS, recorded.stream):
        docs.put(ENTITLEMENTS, recorded.stream, granted)


def _revoked(recorded: Recorded, fact: OrderRefunded) -> Iterable[tuple[Table, Any]]:
    del recorded
    return () if fact.revokes is None else ((ENTITLEMENTS, fact.revokes),)


@view.on(OrderRefunded, loads=_revoked)
def revoked(docs: Documents, recorded: Recorded, fact: OrderRefunded) -> None:
    """A one-time sale that was given back whole grants nothing any more (design 13)."""
    del recorded
    if fact.revokes is not None and docs.get(ENTITLEMENTS, fact.revokes) is not None:
        docs.put(ENTITLEMENTS, fact.revokes, None)


def _granted(subscription: Doc) -> Doc:
    copied = ("id", "organization", "customer_uuid", "test_clock", "anchor", "ends_at")
    resets = {_reset_token(granted) for granted in subscription["features"]} - {None}
    return {
        **{name: subscription[name] for name in copied},
        "created": subscription["began"],
        "features": subscription["features"],
        "resets": "\n".join(sorted(found[1:] for found in resets if found)),
    }


@dataclass(frozen=True, slots=True)
class Grant:
    """A row as read: everything but what depends on the present."""

    anchor: datetime
    ends_at: datetime | None
    resets: str
    frozen_time: datetime | None
    body: bytes

    def items(self, feature: str | None, now: datetime) -> list[bytes]:
        """What it grants at ``now``, unless its own clock says another time."""
        at = self.frozen_time or now
        if self.ends_at is not None and self.ends_at <= at:
            return []
        body = self.body
        for reset in filter(None, self.resets.split("\n")):
            body = body.replace(_encode(token(reset)), _encode(self._reset_at(reset, at)))
        found = _decode(body)
        if feature is None:
            return [bytes(item) for item in found.values()]
        return [bytes(found[feature])] if feature in found else []

    def _reset_at(self, reset: str, at: datetime) -> str | None:
        kind, reset_time = reset.split(" ", 1)
        period = usage_period(Reset(kind), reset_time, self.anchor, at)
        return None if period is None else f"{period.end:%Y-%m-%d %H:%M:%S}"


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
    "SELECT t.organization, t.customer_uuid, t.anchor, t.ends_at, t.resets, c.frozen_time, t.body "
    f"FROM entitlements t {clocks.JOIN} WHERE t.customer_uuid = ANY(%b::uuid[]) "
    "ORDER BY t.created, t.id"
)
