"""What falls due otherwise since a subscription was changed, or shall be (design 6)."""

from __future__ import annotations

from aggregates.subscription.changes import (
    SubscriptionChangeExpired,
    SubscriptionChangeRequested,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
)
from kernel.interval import Period
from kernel.ports.event_store import Recorded
from kernel.timer import REMINDER_LEAD, TimerKind, timer_id
from projections.documents import Documents
from projections.timers import TIMERS, clear_timers, loads, set_timer, view


__all__ = ("view",)

TRIAL = (TimerKind.TRIAL_REMINDER, TimerKind.TRIAL_END)


@view.on(
    SubscriptionPlanChanged, loads=loads(*TRIAL, TimerKind.RENEWAL, TimerKind.INCOMPLETE_EXPIRY)
)
def plan_changed(docs: Documents, recorded: Recorded, fact: SubscriptionPlanChanged) -> None:
    """The end of the period as it is now; a trial goes on, or begins."""
    clear_timers(docs, recorded, TimerKind.INCOMPLETE_EXPIRY)
    if fact.trial is not None:
        _on_trial(docs, recorded, fact.trial)
    elif fact.period is None:
        clear_timers(docs, recorded, *TRIAL, TimerKind.RENEWAL)
    elif docs.get(TIMERS, timer_id(recorded.stream, TimerKind.TRIAL_END)) is None:
        set_timer(docs, recorded, TimerKind.RENEWAL, fact.period.end)


@view.on(SubscriptionTrialMoved, loads=loads(*TRIAL))
def trial_moved(docs: Documents, recorded: Recorded, fact: SubscriptionTrialMoved) -> None:
    """Another end of the trial, and another time to tell of it."""
    _on_trial(docs, recorded, fact.trial)


@view.on(SubscriptionChangeRequested, loads=loads())
def change_requested(
    docs: Documents, recorded: Recorded, fact: SubscriptionChangeRequested
) -> None:
    """The change has to be paid by then."""
    set_timer(docs, recorded, TimerKind.INCOMPLETE_EXPIRY, fact.expires_at)


@view.on(SubscriptionChangeExpired, loads=loads(TimerKind.INCOMPLETE_EXPIRY))
def change_expired(docs: Documents, recorded: Recorded, fact: SubscriptionChangeExpired) -> None:
    """It was not."""
    del fact
    clear_timers(docs, recorded, TimerKind.INCOMPLETE_EXPIRY)


def _on_trial(docs: Documents, recorded: Recorded, trial: Period) -> None:
    set_timer(docs, recorded, TimerKind.TRIAL_END, trial.end)
    reminder = max(trial.end - REMINDER_LEAD, recorded.fact.occurred_at)
    set_timer(docs, recorded, TimerKind.TRIAL_REMINDER, reminder)
