"""How far a plan's subscribers have moved to the version that was published for them."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from aggregates.plan.events import PlanVersionPublished
from aggregates.plan_migration.progress import PlanMigration
from wire.times import instant


class StayOut(TypedDict):
    """How many subscriptions stay for one reason, the ``code`` of a refusal."""

    code: str
    count: int


class MigrationOut(TypedDict):
    """``moved`` subscriptions have the version now; ``stays`` are those that keep theirs."""

    version: int
    status: Literal["RUNNING", "FINISHED"]
    updateFeatures: bool
    updatePricing: bool
    moved: int
    stays: list[StayOut]
    startedAt: str
    finishedAt: str | None


def migration_out(published: PlanVersionPublished, state: PlanMigration) -> MigrationOut:
    """From the publication and what has come of it."""
    finished = state.finished_at
    return {
        "version": published.version,
        "status": "RUNNING" if finished is None else "FINISHED",
        "updateFeatures": published.update_features,
        "updatePricing": published.update_pricing,
        "moved": state.moved,
        "stays": [{"code": code, "count": count} for code, count in sorted(state.stays.items())],
        "startedAt": instant(published.occurred_at),
        "finishedAt": None if finished is None else instant(finished),
    }
