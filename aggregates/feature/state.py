"""What decisions about a feature read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never, get_args

from aggregates.feature.events import (
    FeatureArchived,
    FeatureCreated,
    FeatureEvent,
    FeatureReworded,
    FeatureWording,
)
from kernel.entitlement import FeatureWords
from kernel.fold import Fold


class Status(StrEnum):
    """Where a feature is in its life."""

    ABSENT = "absent"
    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature as decisions see it; None words when there is no such feature."""

    status: Status = Status.ABSENT
    words: FeatureWords | None = None

    @property
    def wording(self) -> FeatureWording:
        """The words that may change."""
        if self.words is None:
            return FeatureWording(name="")
        return FeatureWording(
            name=self.words.name,
            description=self.words.description,
            metadata=self.words.metadata,
        )


def evolve(state: Feature, fact: FeatureEvent) -> Feature:
    """Total and free of rules: what is recorded is true."""
    match fact:
        case FeatureCreated():
            return Feature(Status.ACTIVE, _created(fact))
        case FeatureReworded():
            words = state.words and replace(
                state.words,
                name=fact.wording.name,
                description=fact.wording.description,
                metadata=fact.wording.metadata,
                modified_on=fact.occurred_at,
            )
            return replace(state, words=words)
        case FeatureArchived():
            words = state.words and replace(
                state.words, is_archived=True, modified_on=fact.occurred_at
            )
            return Feature(Status.ARCHIVED, words)
        case _:
            assert_never(fact)


def _created(fact: FeatureCreated) -> FeatureWords:
    return FeatureWords(
        id=fact.feature_id,
        identifier=fact.identifier,
        name=fact.wording.name,
        description=fact.wording.description,
        metadata=fact.wording.metadata,
        type=fact.type,
        meter=fact.meter,
        modified_on=fact.occurred_at,
    )


FEATURE = Fold("feature", Feature(), evolve, get_args(FeatureEvent))
