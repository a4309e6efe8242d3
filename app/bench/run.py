"""Runs benchmarks by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from adapters.cannot_start import CannotStart
from app.bench import append, http, kafka, projection, renewal, replay, webhooks
from app.bench.report import Row


BENCHMARKS: dict[str, Callable[[float], Iterable[Row]]] = {
    "append": append.measure,
    "http": http.measure,
    "kafka": kafka.measure,
    "projection": projection.measure,
    "renewal": renewal.measure,
    "replay": replay.measure,
    "webhooks": webhooks.measure,
}


def all_here() -> list[str]:
    """Every benchmark that this machine has the parts for."""
    return [name for name in BENCHMARKS if name != "kafka" or kafka.broker() is not None]


def measure(names: Sequence[str], seconds: float, say: Callable[[str], None]) -> list[Row]:
    """The figures of some benchmarks, each said as soon as it is there."""
    unknown = set(names) - BENCHMARKS.keys()
    if unknown:
        known = ", ".join(BENCHMARKS)
        raise CannotStart(f"no benchmark is called {', '.join(sorted(unknown))}; there are {known}")
    rows: list[Row] = []
    for name in names:
        for row in BENCHMARKS[name](seconds):
            say(f"{row.name}: {row.measured:,.0f} {row.unit}")
            rows.append(row)
    return rows
