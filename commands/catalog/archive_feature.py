"""Take a feature out of the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.feature import decide
from aggregates.feature.state import FEATURE
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFeature:
    """No plan can grant it any more; plans that do so already go on."""

    feature_id: UUID


@handles(ArchiveFeature)
async def archive_feature(work: UnitOfWork, command: ArchiveFeature) -> None:
    """Raises FeatureNotFound, FeatureAlreadyArchived."""
    feature = await load_own(work, FEATURE, command.feature_id)
    work.record(command.feature_id, decide.archive(feature, at=work.instant()))
