"""The AsyncAPI document is one: by the schema of AsyncAPI 3 itself."""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from app import asyncapi


META = Path(__file__).with_name("asyncapi-3.0.0.json")
REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def specification():
    return Draft7Validator(json.loads(META.read_text()))


def test_it_is_as_the_specification_says(specification):
    assert [error.message for error in specification.iter_errors(asyncapi.document())] == []


def test_what_it_refers_to_is_there():
    document = asyncapi.document()
    for reference in references(document):
        file, _, pointer = reference.partition("#/")
        found = json.loads((REFERENCE / file).read_text()) if file else document
        for step in filter(None, pointer.split("/")):
            found = found[step]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: document.pop("info"),
        lambda document: document["operations"]["events"].update(action="publish"),
        lambda document: document["servers"]["kafka"].pop("protocol"),
        lambda document: document["channels"]["events"]["bindings"]["kafka"].update(partitions="x"),
    ],
)
def test_a_wrong_one_would_be_noticed(specification, spoil):
    document = copy.deepcopy(asyncapi.document())
    spoil(document)
    assert not specification.is_valid(document)


def references(value):
    if isinstance(value, list):
        for each in value:
            yield from references(each)
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
