"""Features: identifier, type and meter for ever; words may change; archived once."""

from dataclasses import replace

import pytest

from aggregates.feature import decide
from aggregates.feature.events import (
    FeatureArchived,
    FeatureCreated,
    FeatureReworded,
    FeatureWording,
)
from aggregates.feature.state import FEATURE
from kernel.entitlement import MeterKind
from kernel.errors import InvalidFields
from tests.catalog_builders import MARCH_1, MARCH_2, SEATS, SSO
from tests.story import Given


def created(words=SEATS):
    return FeatureCreated(
        feature_id=words.id,
        identifier=words.identifier,
        type=words.type,
        meter=words.meter,
        wording=FeatureWording(name=words.name),
        occurred_at=MARCH_1,
    )


ARCHIVED = FeatureArchived(feature_id=SEATS.id, occurred_at=MARCH_2)


@pytest.mark.parametrize("words", [SEATS, SSO])
def test_a_feature_is_created_once(words):
    story = Given(FEATURE).when(decide.create, at=MARCH_1, words=words).then(created(words))
    assert story.state.words == words
    story.when(decide.create, at=MARCH_1, words=words).then_refused(decide.FeatureExists)


def test_a_meter_needs_its_units():
    with pytest.raises(InvalidFields, match="units"):
        decide.create(FEATURE.initial, at=MARCH_1, words=replace(SEATS, meter=None))


def test_raw_events_need_an_aggregation():
    raw = replace(SEATS, meter=replace(SEATS.meter, kind=MeterKind.RAW_EVENTS))
    with pytest.raises(InvalidFields, match="aggregation"):
        decide.create(FEATURE.initial, at=MARCH_1, words=raw)
    summed = replace(raw.meter, aggregation={"function": "SUM", "field": "bytes"})
    assert decide.create(FEATURE.initial, at=MARCH_1, words=replace(raw, meter=summed))


def test_only_a_meter_keeps_meter_words():
    (fact,) = decide.create(FEATURE.initial, at=MARCH_1, words=replace(SSO, meter=SEATS.meter))
    assert fact.meter is None


def test_other_words_are_recorded_and_the_same_ones_are_not():
    renamed = FeatureWording(name="Members", metadata={"a": 1})
    fact = FeatureReworded(feature_id=SEATS.id, wording=renamed, occurred_at=MARCH_2)
    story = Given(FEATURE, created()).when(decide.reword, at=MARCH_2, wording=renamed).then(fact)
    story.when(decide.reword, at=MARCH_2, wording=renamed).then_nothing()
    assert (story.state.words.name, story.state.words.modified_on) == ("Members", MARCH_2)


def test_a_feature_is_archived_once():
    story = Given(FEATURE, created()).when(decide.archive, at=MARCH_2).then(ARCHIVED)
    assert story.state.words.is_archived
    story.when(decide.archive, at=MARCH_2).then_refused(decide.FeatureAlreadyArchived)


def test_a_feature_that_never_was_is_not_found():
    Given(FEATURE).when(decide.archive, at=MARCH_2).then_refused(decide.FeatureNotFound)
