"""Which timers are left alone for a while: those that failed, and those that changed nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from kernel.timer import Timer, TimerKind


RETRY_SECONDS = (1.0, 5.0, 30.0, 120.0, 300.0)
QUESTION_SECONDS = (50.0, 540.0, 3_600.0)
"""A payment is asked after at 10 s, 1 min, 10 min, then hourly (design 8)."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Wait:
    due: object
    tries: int
    until: float


class Patience:
    """Waiting times per timer; forgotten with the process, which costs one more try each."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """``monotonic`` gives seconds that never go back."""
        self._monotonic = monotonic
        self._waits: dict[UUID, _Wait] = {}

    def allows(self, timer: Timer) -> bool:
        """Whether the timer may fire now. One that was set anew starts from the beginning."""
        wait = self._waits.get(timer.id)
        if wait is not None and wait.due != (timer.due_at, timer.set_by):
            del self._waits[timer.id]
            wait = None
        return wait is None or wait.until <= self._monotonic()

    def failed(self, timer: Timer, error: Exception) -> None:
        """It raised: shout, and try again later."""
        seconds = self._postpone(timer)
        _log.error(
            "timer %s of %s, due %s, failed and is tried again in %d s",
            timer.kind,
            timer.subject,
            timer.due_at,
            seconds,
            exc_info=error,
        )

    def changed_nothing(self, timer: Timer) -> None:
        """It fired and is still there: usual for questions, a fault in all others."""
        seconds = self._postpone(timer)
        if timer.kind is not TimerKind.RECONCILIATION:
            _log.warning(
                "timer %s of %s, due %s, changed nothing and is tried again in %d s",
                timer.kind,
                timer.subject,
                timer.due_at,
                seconds,
            )

    def seconds_left(self) -> float | None:
        """Until the first of them may fire again; None when there are none."""
        if not self._waits:
            return None
        return max(0.0, min(wait.until for wait in self._waits.values()) - self._monotonic())

    def keep(self, timers: set[UUID]) -> None:
        """Forget all timers but these: the others are gone."""
        self._waits = {key: wait for key, wait in self._waits.items() if key in timers}

    def _postpone(self, timer: Timer) -> float:
        due = (timer.due_at, timer.set_by)
        wait = self._waits.get(timer.id)
        if wait is None or wait.due != due:
            wait = self._waits[timer.id] = _Wait(due, 0, 0.0)
        is_question = timer.kind is TimerKind.RECONCILIATION
        steps = QUESTION_SECONDS if is_question else RETRY_SECONDS
        seconds = steps[min(wait.tries, len(steps) - 1)]
        wait.tries += 1
        wait.until = self._monotonic() + seconds
        return seconds
