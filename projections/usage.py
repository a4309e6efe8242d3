"""What a customer has used: one document per customer, and the alerts it led to (wire 21, 27.4).

The document holds what each subscription grants and what was counted against it, so that a report
is split over them in the same pass that records what they grant.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from aggregates.subscription.events import Status
from kernel.entitlement import FeatureType, Reset, Rollover
from kernel.interval import Period
from kernel.ports.event_store import Recorded
from kernel.reset import INTERVALS
from kernel.usage import Count, Meter, present, taken_over
from projections.documents import Documents
from projections.table import Column, Doc, Table
from wire.entitlement import entitlement_out
from wire.ids import id_text
from wire.times import instant, parse


_OVER = frozenset({Status.CANCELED, Status.INCOMPLETE_EXPIRED})
_SHOWN = (
    "identifier",
    "feature_type",
    "value",
    "unlimited",
    "hard_limit",
    "reset",
    "reset_time",
    "rollover",
)
_encode = msgspec.json.Encoder().encode


def _body(doc: Doc) -> dict[str, Any]:
    """By subscription and feature: all that an entitlement check must still work out."""
    return {
        grant["subscription"]: {
            granted["identifier"]: {
                **{name: granted[name] for name in _SHOWN},
                "anchor": grant["anchor"],
                "count": doc["counts"].get(count_key(grant, granted)),
            }
            for granted in grant["features"]
        }
        for grant in doc["grants"]
    }


USAGE = Table(name="usage", render=_body)
"""Keyed by customer; ``grants`` are those that give access, oldest subscription first."""

USAGE_ALERTS = Table(name="usage_alerts", columns=(Column("customer_uuid", "uuid"),))
"""Keyed by the report that reached thresholds."""

USAGE_VALUES = Table(name="usage_values", columns=(Column("customer_uuid", "uuid"),))
"""Keyed by customer, property and value: when meters of UNIQUE values counted it last."""


def count_key(grant: Doc, granted: Doc) -> str:
    """Where the document keeps what was counted against a grant of a feature."""
    return f"{grant['subscription']} {granted['id']}"


def _is_counted(granted: Doc) -> bool:
    if granted["feature_type"] == FeatureType.METER:
        return True
    return granted["feature_type"] == FeatureType.CUSTOMIZABLE and granted["reset"] in INTERVALS


def stands(docs: Documents, recorded: Recorded, subscription: Doc, *, gives: bool) -> None:
    """Take over what a subscription grants now; counts stay until it is over for good."""
    features = [granted for granted in subscription["features"] if _is_counted(granted)]
    grant = {
        "subscription": subscription["subscription"],
        "began": subscription["began"],
        **{name: subscription[name] for name in ("anchor", "started_at", "ends_at")},
        **{name: subscription[name] for name in ("product", "plan")},
        "features": features,
    }
    over = subscription["status"] in _OVER
    _replace(docs, recorded, recorded.stream, grant if gives and features else None, over=over)


def ended(docs: Documents, recorded: Recorded, subscription: UUID) -> None:
    """It grants nothing any more, for good."""
    _replace(docs, recorded, subscription, None, over=True)


def _replace(
    docs: Documents, recorded: Recorded, subscription: UUID, grant: Doc | None, *, over: bool
) -> None:
    old = docs.get(USAGE, recorded.owner)
    if old is None and grant is None:
        return
    doc: Doc = old or {
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "grants": [],
        "counts": {},
    }
    mine = [one for one in doc["grants"] if one["subscription"] == str(subscription)]
    others = [one for one in doc["grants"] if one["subscription"] != str(subscription)]
    grants = others if grant is None else sorted([*others, grant], key=lambda one: one["began"])
    counts = doc["counts"]
    if over:
        counts = {k: count for k, count in counts.items() if not k.startswith(str(subscription))}
    elif [_terms(one) for one in mine] != ([] if grant is None else [_terms(grant)]):
        counts = _settled(counts, mine, grant, recorded.fact.occurred_at)
    new = {**doc, "grants": grants, "counts": counts}
    if new != old:
        docs.put(USAGE, recorded.owner, new)


def _terms(grant: Doc) -> tuple[str, list[Doc]]:
    return grant["anchor"], grant["features"]


def _settled(counts: Doc, before: list[Doc], after: Doc | None, at: datetime) -> Doc:
    """Usage outlives the terms it was counted under: a pause, a change of plan (wire 6.4)."""
    settled = dict(counts)
    for grant in before:
        for granted in grant["features"]:
            key, meter = count_key(grant, granted), meter_of(granted, grant["anchor"])
            count = present(meter, count_of(counts.get(key)), at)
            if key in counts or count.rolled:
                settled[key] = count_doc(count)
    if after is None:
        return settled
    for granted in after["features"]:
        key, meter = count_key(after, granted), meter_of(granted, after["anchor"])
        if (last := count_of(settled.get(key))) is not None:
            settled[key] = count_doc(taken_over(last, meter, at))
    return settled


def meter_of(granted: Doc, anchor: str) -> Meter:
    """The meter that a granted feature stands for."""
    rollover = granted["rollover"]
    return Meter(
        limit=None if granted["unlimited"] else granted["value"],
        anchor=parse(anchor),
        reset=None if granted["reset"] is None else Reset(granted["reset"]),
        reset_time=granted["reset_time"],
        rollover=rollover
        and Rollover(enabled=True, percentage=rollover["percentage"], limit=rollover["limit"]),
    )


def count_of(doc: Doc | None) -> Count | None:
    """The count that a part of the document stands for."""
    if doc is None:
        return None
    start, end = doc["start"], doc["end"]
    return Count(
        used=doc["used"],
        rolled=doc["rolled"],
        period=None if start is None else Period(parse(start), parse(end)),
        told=tuple(doc["told"]),
        at=parse(doc["at"]),
    )


def count_doc(count: Count) -> Doc:
    """A count as the document keeps it."""
    period = count.period
    return {
        "used": count.used,
        "rolled": count.rolled,
        "start": None if period is None else instant(period.start),
        "end": None if period is None else instant(period.end),
        "at": instant(count.at),
        "told": list(count.told),
    }


def counted(body: bytes | None, subscription: UUID) -> Mapping[str, Doc]:
    """By feature: what a customer's row holds of a subscription."""
    if body is None:
        return {}
    found: Mapping[str, Doc] = msgspec.json.decode(body).get(str(subscription), {})
    return found


def item(granted: Doc, at: datetime) -> bytes:
    """An entitlement as it stands at an instant."""
    count = present(meter_of(granted, granted["anchor"]), count_of(granted["count"]), at)
    reset_at = None if count.period is None else f"{count.period.end:%Y-%m-%d %H:%M:%S}"
    return _encode(
        entitlement_out(granted, reset_at=reset_at, used=count.used, rolled=count.rolled)
    )
