"""Change the words of a feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.feature import decide
from aggregates.feature.state import FEATURE
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFeature:
    """``changes`` holds the fields of FeatureWording that the client named."""

    feature_id: UUID
    changes: Mapping[str, Any]


@handles(ChangeFeature)
async def change_feature(work: UnitOfWork, command: ChangeFeature) -> UUID:
    """The feature's id. Raises FeatureNotFound, FeatureAlreadyArchived."""
    feature = await load_own(work, FEATURE, command.feature_id)
    decide.require_active(feature)
    wording = replace(feature.wording, **command.changes)
    work.record(command.feature_id, decide.reword(feature, at=work.instant(), wording=wording))
    return command.feature_id
