"""Counts what is reported against what subscriptions grant, and finds the alerts (design 13).

Reports count in the order of the log. What nobody grants at that moment counts against nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.usage.events import UsageEventReported, UsageReported
from kernel.entitlement import AlertThreshold, FeatureType, MeterKind, UsageAlerts
from kernel.event_meter import Function, Occurrence, feeds, function_of, units_of
from kernel.ids import derived_id
from kernel.interval import Period
from kernel.ports.event_store import Recorded
from kernel.usage import Behaviour, Count, Meter, Share, present, reached, split
from projections.documents import Documents
from projections.entitlements import view
from projections.table import Doc, Table
from projections.usage import (
    USAGE,
    USAGE_ALERTS,
    USAGE_VALUES,
    count_doc,
    count_key,
    count_of,
    meter_of,
)
from wire.ids import id_text
from wire.times import instant, parse


__all__ = ("view",)


@dataclass(frozen=True, slots=True)
class _Standing:
    """A grant of the feature, and what counts against it at the moment of the report."""

    grant: Doc
    granted: Doc
    meter: Meter
    count: Count


def _loads(recorded: Recorded, fact: UsageReported) -> Iterable[tuple[Table, Any]]:
    del fact
    return ((USAGE, recorded.owner), (USAGE_ALERTS, recorded.stream))


@view.on(UsageReported, loads=_loads)
def reported(docs: Documents, recorded: Recorded, fact: UsageReported) -> None:
    """Usage that the merchant counted."""
    standings = list(_standings(docs, recorded, str(fact.feature_id), fact.occurred_at))
    alerts = _count(docs, recorded, standings, fact.behaviour, fact.value)
    _tell(docs, recorded, alerts)


def _loads_values(recorded: Recorded, fact: UsageEventReported) -> Iterable[tuple[Table, Any]]:
    yield (USAGE, recorded.owner)
    yield (USAGE_ALERTS, recorded.stream)
    for name, value in (fact.properties or {}).items():
        yield (USAGE_VALUES, _value_key(recorded, name, value))


@view.on(UsageEventReported, loads=_loads_values)
def happened(docs: Documents, recorded: Recorded, fact: UsageEventReported) -> None:
    """An event counts on every meter that it feeds."""
    usage = docs.get(USAGE, recorded.owner)
    event = Occurrence(fact.name, fact.happened_at, fact.properties or {})
    alerts: list[Doc] = []
    for granted in _raw_meters(usage):
        if not feeds(event, granted["identifier"], granted["meter"]["filters"]):
            continue
        found = _standings(docs, recorded, granted["id"], fact.occurred_at)
        standings = [one for one in found if _is_open(one.count.period, event.at)]
        measured = _measured(docs, recorded, event, granted, standings)
        if measured is not None:
            alerts += _count(docs, recorded, standings, *measured)
    _tell(docs, recorded, alerts)


def _raw_meters(usage: Doc | None) -> list[Doc]:
    """Each feature that counts events, once; the oldest subscription's words hold."""
    found: dict[str, Doc] = {}
    for grant in [] if usage is None else usage["grants"]:
        for granted in grant["features"]:
            meter = granted["meter"]
            if meter is not None and meter["kind"] == MeterKind.RAW_EVENTS:
                found.setdefault(granted["id"], granted)
    return list(found.values())


def _is_open(period: Period | None, at: datetime) -> bool:
    """What happened before the present period began does not count any more."""
    return period is None or at >= period.start


def _standings(
    docs: Documents, recorded: Recorded, feature: str, at: datetime
) -> Iterator[_Standing]:
    """The grants of a METER feature, oldest subscription first."""
    usage = docs.get(USAGE, recorded.owner)
    for grant in [] if usage is None else usage["grants"]:
        if grant["ends_at"] is not None and parse(grant["ends_at"]) <= at:
            continue
        for granted in grant["features"]:
            if granted["id"] == feature and granted["feature_type"] == FeatureType.METER:
                yield _standing(usage or {}, grant, granted, at)


def _standing(usage: Doc, grant: Doc, granted: Doc, at: datetime) -> _Standing:
    meter = meter_of(granted, grant["anchor"])
    last = count_of(usage["counts"].get(count_key(grant, granted)))
    return _Standing(grant, granted, meter, present(meter, last, at))


def _measured(
    docs: Documents,
    recorded: Recorded,
    event: Occurrence,
    granted: Doc,
    standings: list[_Standing],
) -> tuple[Behaviour, int] | None:
    """What the event does to the usage; None when it adds nothing."""
    aggregation = granted["meter"]["aggregation"]
    function, units = function_of(aggregation), units_of(event, aggregation)
    if function is Function.COUNT:
        return Behaviour.DELTA, 1
    if function is Function.UNIQUE:
        is_new = _is_new(docs, recorded, event, granted, standings)
        return (Behaviour.DELTA, 1) if is_new else None
    if units is None or function is None:
        return None
    if function is Function.SUM:
        return Behaviour.DELTA, units
    total = sum(one.count.used for one in standings)
    return Behaviour.SET, max(0, units, total if function is Function.MAX else 0)


def _is_new(
    docs: Documents,
    recorded: Recorded,
    event: Occurrence,
    granted: Doc,
    standings: list[_Standing],
) -> bool:
    """Whether the value was not seen in the period of the oldest subscription that counts it."""
    name = str(granted["meter"]["aggregation"].get("field", ""))
    if name not in event.properties or not standings:
        return False
    key = _value_key(recorded, name, event.properties[name])
    old = docs.get(USAGE_VALUES, key)
    doc: Doc = old or {
        "organization": id_text(recorded.organization),
        "created": recorded.position,
        "customer_uuid": id_text(recorded.owner),
        "seen": {},
    }
    last, period = doc["seen"].get(granted["id"]), standings[0].count.period
    at = instant(standings[0].count.at)
    docs.put(USAGE_VALUES, key, {**doc, "seen": {**doc["seen"], granted["id"]: at}})
    return last is None or (period is not None and parse(last) < period.start)


def _value_key(recorded: Recorded, name: str, value: Any) -> UUID:
    return derived_id(recorded.owner, "usage value", name, type(value).__name__, value)


def _count(
    docs: Documents,
    recorded: Recorded,
    standings: list[_Standing],
    behaviour: Behaviour,
    value: int,
) -> list[Doc]:
    """Put what each subscription bears now; the alerts it led to."""
    usage = docs.get(USAGE, recorded.owner)
    if usage is None or not standings:
        return []
    shares = [Share(one.count.used, one.count.limit(one.meter)) for one in standings]
    counts, alerts = dict(usage["counts"]), []
    for one, used in zip(standings, split(shares, behaviour, value), strict=True):
        count = replace(one.count, used=used)
        found = dict(_reached(one, count)) if used > one.count.used else {}
        alerts += [_alert(recorded, one, count, threshold) for threshold in found]
        count = replace(count, told=(*count.told, *found.values()))
        counts[count_key(one.grant, one.granted)] = count_doc(count)
    docs.put(USAGE, recorded.owner, {**usage, "counts": counts})
    return alerts


def _reached(one: _Standing, count: Count) -> Iterator[tuple[int, str]]:
    words = one.granted["usage_alerts"]
    alerts = words and UsageAlerts(
        enabled=True,
        thresholds=tuple(words["thresholds"]),
        threshold_type=AlertThreshold(words["type"]),
    )
    return reached(alerts, limit=count.limit(one.meter), used=count.used, told=count.told)


def _alert(recorded: Recorded, one: _Standing, count: Count, threshold: int) -> Doc:
    words, grant, at = one.granted["usage_alerts"], one.grant, instant(recorded.fact.occurred_at)
    period = count.period
    named = (grant["subscription"], one.granted["id"], words["type"], threshold)
    return {
        "id": str(derived_id(recorded.stream, "alert", *named)),
        "organization": id_text(recorded.organization),
        "created_on": at,
        "modified_on": at,
        "product": grant["product"],
        "plan": grant["plan"],
        "subscription": grant["subscription"],
        "feature": {key: one.granted[key] for key in ("id", "name", "identifier", "feature_type")},
        "usage_limit": count.limit(one.meter),
        "current_usage": count.used,
        "threshold_type": words["type"],
        "threshold_value": threshold,
        "period_start": grant["started_at"] if period is None else instant(period.start),
        "period_end": None if period is None else instant(period.end),
    }


def _tell(docs: Documents, recorded: Recorded, alerts: list[Doc]) -> None:
    if alerts:
        doc = {
            "organization": id_text(recorded.organization),
            "created": recorded.position,
            "customer_uuid": id_text(recorded.owner),
            "alerts": alerts,
        }
        docs.put(USAGE_ALERTS, recorded.stream, doc)
