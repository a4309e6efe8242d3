"""Facts are for ever: every stored version has a sample, and every sample is read as of today."""

import json

import pytest

from adapters.codec import Codec
from aggregates.catalog import FACTS, UPCASTS
from tests.house.fact_samples import COMMAND, FOLDER, missing, sample


NAMES = sorted(file.stem for file in FOLDER.glob("*.json"))


def as_stored(part):
    return None if part is None else json.dumps(part).encode()


def lost(before, after, path=""):
    """The paths of what is in the one content and not in the other."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            place
            for key, value in before.items()
            for place in (
                lost(value, after[key], f"{path}.{key}") if key in after else [f"{path}.{key}"]
            )
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [place for i, (a, b) in pairs for place in lost(a, b, f"{path}[{i}]")]
    return [] if before == after else [path]


def test_every_fact_has_a_sample():
    assert not missing(), f"make the samples of new facts with: {COMMAND}"


def test_no_sample_is_of_a_fact_that_the_catalog_forgot():
    assert not set(NAMES) - FACTS.keys() - UPCASTS.keys(), "a stored name never goes away"


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_fact_is_read_in_its_newest_version(name):
    codec = Codec(FACTS, UPCASTS)
    clear, personal = sample(name)
    fact = codec.decode(name, as_stored(clear), as_stored(personal))
    assert type(fact) is FACTS[codec.newest(name)]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UPCASTS])
def test_nothing_that_was_stored_is_lost_on_reading(name):
    codec = Codec(FACTS, UPCASTS)
    clear, personal = sample(name)
    _, *again = codec.encode(codec.decode(name, as_stored(clear), as_stored(personal)))
    now = [part and json.loads(part) for part in again]
    assert not lost(clear, now[0]), "rename or remove a field by a new version and an upcast"
    assert not lost(personal, now[1]), "rename or remove a field by a new version and an upcast"


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_fact_is_read_without_its_personal_part(name):
    codec = Codec(FACTS, UPCASTS)
    fact = codec.decode(name, as_stored(sample(name)[0]), None)
    assert fact.occurred_at is not None
