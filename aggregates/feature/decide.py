"""Decisions about a feature."""

from __future__ import annotations

from datetime import datetime

from aggregates.feature.events import (
    FeatureArchived,
    FeatureCreated,
    FeatureEvent,
    FeatureReworded,
    FeatureWording,
)
from aggregates.feature.state import Feature, Status
from kernel.entitlement import FeatureType, FeatureWords, MeterKind, MeterWords
from kernel.errors import Conflict, Invalid, InvalidFields, NotFound


class FeatureNotFound(NotFound):
    """No such feature."""

    code = "feature_not_found"


class FeatureExists(Conflict):
    """A feature with this identifier exists already."""

    code = "feature_exists"


class FeatureAlreadyArchived(Invalid):
    """The feature is archived already."""

    code = "feature_already_archived"


def create(state: Feature, *, at: datetime, words: FeatureWords) -> list[FeatureEvent]:
    """Enter a feature; an identifier is never used twice, not even after archiving."""
    if state.status is not Status.ABSENT:
        raise FeatureExists(f"A feature with the identifier {words.identifier!r} exists already.")
    _check_meter(words.type, words.meter)
    wording = FeatureWording(
        name=words.name, description=words.description, metadata=words.metadata
    )
    return [
        FeatureCreated(
            feature_id=words.id,
            identifier=words.identifier,
            type=words.type,
            meter=words.meter if words.type is FeatureType.METER else None,
            wording=wording,
            occurred_at=at,
        )
    ]


def _check_meter(of: FeatureType, meter: MeterWords | None) -> None:
    if of is not FeatureType.METER:
        return
    if meter is None:
        raise InvalidFields({"featureDetails": ["A METER feature needs its units."]})
    if meter.kind is MeterKind.RAW_EVENTS and not meter.aggregation:
        raise InvalidFields({"meter": ["RAW_EVENTS needs an aggregation {function, field}."]})


def reword(state: Feature, *, at: datetime, wording: FeatureWording) -> list[FeatureEvent]:
    """Change name, description or metadata; the same words change nothing."""
    feature = require_active(state)
    if wording == state.wording:
        return []
    return [FeatureReworded(feature_id=feature.id, wording=wording, occurred_at=at)]


def archive(state: Feature, *, at: datetime) -> list[FeatureEvent]:
    """Take it out of the catalog; a second time is refused (wire 18.2)."""
    feature = require_active(state)
    return [FeatureArchived(feature_id=feature.id, occurred_at=at)]


def require_active(state: Feature) -> FeatureWords:
    """The words of a feature in use. Raises FeatureNotFound, FeatureAlreadyArchived."""
    if state.words is None:
        raise FeatureNotFound
    if state.status is Status.ARCHIVED:
        raise FeatureAlreadyArchived
    return state.words
