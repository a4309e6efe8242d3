"""Reports in the pass over the log: they add up, alert once, and do not depend on batches."""

import asyncio
from datetime import timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.usage.events import UsageReported
from kernel.entitlement import Reset, Rollover, UsageAlerts
from kernel.ids import derived_id
from kernel.usage import Behaviour
from projections.all_views import VIEWS
from projections.engine import Pass
from tests.billing_facts import JAN_31, Buyer, Histories
from tests.catalog_builders import SEATS, granted
from tests.memory_store import MemoryStore
from tests.properties.test_any_batching_gives_the_same_rows import Rows


HOUR = timedelta(hours=1)
TELLS = {"usage_alerts": UsageAlerts(enabled=True, thresholds=(50, 80, 100))}
DAILY = {"reset": Reset.EVERY_DAY, "rollover": Rollover(enabled=True, percentage=50, limit=7)}
REPORTS = st.lists(
    st.tuples(st.just(Behaviour.SET), st.integers(0, 60), st.integers(0, 20))
    | st.tuples(st.just(Behaviour.DELTA), st.integers(-30, 30), st.integers(0, 20)),
    min_size=1,
    max_size=25,
)


def log_of(reports, **fields):
    """Two subscriptions of 10 and 20 units, and reports some hours after one another."""
    happened = Histories()
    ada = Buyer(happened)
    for limit in (10, 20):
        ada.subscribes(name=str(limit), grants=(granted(SEATS, limit, **TELLS, **fields),))
    at = JAN_31
    for number, (behaviour, value, hours) in enumerate(reports):
        at += hours * HOUR
        report = derived_id(ada.stream, "report", number)
        fact = UsageReported(
            report_id=report,
            customer=ada.stream,
            feature_id=SEATS.id,
            feature="seats",
            behaviour=behaviour,
            value=value,
            occurred_at=at,
        )
        happened(ada.stream, (report, fact))
    store = MemoryStore()
    asyncio.run(happened.append_to(store))
    return store.log


def documents(rows, table):
    kept = rows.documents.items()
    return [msgspec.json.decode(stored) for (name, _), stored in kept if name == table]


@settings(max_examples=40, deadline=None)
@given(REPORTS)
def test_what_is_kept_adds_up_and_every_threshold_is_told_once(reports):
    rows, total, most = Rows(), 0, 0
    rows.project(Pass(VIEWS), log_of(reports))
    for behaviour, value, _ in reports:
        total = value if behaviour is Behaviour.SET else max(0, total + value)
        most = max(most, total)
    (usage,) = documents(rows, "usage")
    assert sum(count["used"] for count in usage["counts"].values()) == total
    told = [
        (alert["usage_limit"], alert["threshold_value"])
        for doc in documents(rows, "usage_alerts")
        for alert in doc["alerts"]
    ]
    first = [(10, t) for t in (50, 80, 100) if min(most, 10) * 100 >= 10 * t]
    second = [(20, t) for t in (50, 80, 100) if max(0, most - 10) * 100 >= 20 * t]
    assert sorted(told) == sorted(first + second)


@settings(max_examples=40, deadline=None)
@given(REPORTS, st.data())
def test_resets_and_rollover_do_not_depend_on_batches(reports, data):
    log = log_of(reports, **DAILY)
    whole, pieces, start = Rows(), Rows(), 0
    whole.project(Pass(VIEWS), log)
    while start < len(log):
        size = data.draw(st.integers(1, 9))
        pieces.project(Pass(VIEWS), log[start : start + size])
        start += size
    assert pieces.result == whole.result
