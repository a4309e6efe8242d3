"""Change what customers are offered who are about to leave (design 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aggregates.organization import decide
from aggregates.organization.state import ORGANIZATION
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRetention:
    """``changes`` holds the fields of RetentionSettings that the client named.

    ``policy`` holds those of its repeat policy.
    """

    changes: Mapping[str, Any]
    policy: Mapping[str, Any]


@handles(ChangeRetention)
async def change_retention(work: UnitOfWork, command: ChangeRetention) -> None:
    """Raises OrganizationNotFound, InvalidFields."""
    stream = work.tenant.organization
    state = await work.load(ORGANIZATION, stream)
    policy = replace(state.retention.repeat_policy, **command.policy)
    retention = replace(state.retention, repeat_policy=policy, **command.changes)
    work.record(stream, decide.change_retention(state, retention=retention, at=work.instant()))
