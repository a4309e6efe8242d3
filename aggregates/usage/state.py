"""A report of usage as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, get_args

from aggregates.usage.events import UsageEvent, UsageEventReported, UsageReported
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class Report:
    """What was reported under an id; both None as long as nothing was."""

    usage: UsageReported | None = None
    event: UsageEventReported | None = None


def evolve(state: Report, event: UsageEvent) -> Report:
    """Total and free of rules: what is recorded is true."""
    del state
    match event:
        case UsageReported():
            return Report(usage=event)
        case UsageEventReported():
            return Report(event=event)
        case _:
            assert_never(event)


REPORT = Fold("usage", Report(), evolve, get_args(UsageEvent))
