"""The contract with those who read the stream: what was ever sent is as its schema says."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from aggregates.catalog import FACTS, UPCASTS
from app import fact_compatibility, fact_schemas
from app.verbs import docs
from tests.house.fact_samples import sample


FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference" / fact_schemas.FOLDER
NAMES = sorted({*FACTS, *UPCASTS})


def schema(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_what_was_ever_stored_is_as_its_schema_says(name):
    contract = schema(name)
    Draft202012Validator.check_schema(contract)
    clear, personal = sample(name)
    Draft202012Validator(contract).validate(clear)
    if personal is not None:
        sealed = {**contract["x-sealed"], "$defs": contract.get("$defs", {})}
        Draft202012Validator(sealed).validate(personal)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_says_everything_that_is_stored(name):
    clear, personal = sample(name)
    contract = schema(name)
    assert clear.keys() <= contract["properties"].keys()
    assert (personal or {}).keys() <= contract.get("x-sealed", {}).get("properties", {}).keys()


def test_no_schema_is_of_a_fact_that_the_catalog_forgot():
    assert {file.stem for file in FOLDER.glob("*.json")} == set(NAMES)


BEFORE = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "due": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
        "status": {"$ref": "#/$defs/Status"},
        "billed_to": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "x-sealed": {"type": "object", "properties": {"sold_to": {"$ref": "#/$defs/Address"}}},
    "required": ["number"],
    "$defs": {
        "Status": {"type": "string", "enum": ["OPEN"]},
        "Address": {"type": "object", "properties": {"city": {"type": "string"}}},
        "Line": {"type": "object", "properties": {"units": {"type": "integer"}}},
    },
}


def changed(**fields):
    return {**BEFORE, "properties": {**BEFORE["properties"], **fields}}


def test_what_is_added_breaks_nobody():
    more_words = {"Status": {"type": "string", "enum": ["OPEN", "VOID"]}}
    after = {**changed(tax={"type": "string"}), "$defs": {**BEFORE["$defs"], **more_words}}
    assert fact_compatibility.breaks(BEFORE, after) == []


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        (changed(number={"type": "integer"}), "number is of another type"),
        (changed(due={"type": "string", "format": "date-time"}), "due is of another type"),
        (changed(due={"type": "string", "format": "date"}), "due is of another type"),
        (changed(status={"type": "integer"}), "status is of another type"),
        ({**BEFORE, "required": []}, "number is no longer always there"),
        ({**BEFORE, "required": ["number", "new"]}, "new is now always there"),
        (
            {**BEFORE, "properties": {"number": {"type": "string"}}},
            "due is gone",
        ),
        (
            {**BEFORE, "$defs": {**BEFORE["$defs"], "Line": {"type": "object"}}},
            "lines.[].units is gone",
        ),
        (
            {**BEFORE, "$defs": {**BEFORE["$defs"], "Address": {"type": "object"}}},
            "billed_to.city is gone",
        ),
        (
            {**BEFORE, "$defs": {**BEFORE["$defs"], "Address": {"type": "object"}}},
            "sealed.sold_to.city is gone",
        ),
        ({key: BEFORE[key] for key in BEFORE if key != "x-sealed"}, "sealed.sold_to is gone"),
        (
            changed(counts={"type": "object", "additionalProperties": {"type": "string"}}),
            "counts.* is of another type",
        ),
        (changed(counts={"type": "object"}), "counts.* is of another type"),
    ],
)
def test_what_a_reader_would_stumble_over_is_named(after, reason):
    assert reason in fact_compatibility.breaks(BEFORE, after)


def test_a_breaking_schema_is_not_written(tmp_path, monkeypatch):
    name = "facts/invoice.paid.v1.json"
    now = schema("invoice.paid.v1")
    now["properties"]["amount_in_words"] = {"type": "string"}
    (tmp_path / "facts").mkdir()
    (tmp_path / name).write_text(json.dumps(now))
    monkeypatch.setattr(docs, "REFERENCE", tmp_path)
    assert docs.breaks(name, (FOLDER.parent / name).read_text()) == ["amount_in_words is gone"]


def test_a_change_that_breaks_the_envelope_is_not_written(tmp_path, monkeypatch):
    now = fact_schemas.envelope()
    (tmp_path / "cloud-event.json").write_text(json.dumps(now))
    monkeypatch.setattr(docs, "REFERENCE", tmp_path)
    del now["properties"]["causationid"]
    now["properties"]["specversion"] = {"const": "2.0"}
    now["properties"]["streamversion"] = {"type": "string"}
    assert sorted(docs.breaks("cloud-event.json", json.dumps(now))) == [
        "causationid is gone",
        "specversion is of another type",
        "streamversion is of another type",
    ]


def _places(schema, path=()):
    """Where a schema says of what type something is, at any depth."""
    if isinstance(schema, list):
        for number, each in enumerate(schema):
            yield from _places(each, (*path, number))
    elif isinstance(schema, dict):
        if path and {"type", "anyOf", "$ref"} & schema.keys():
            yield path
        for key, each in schema.items():
            if key != "default":
                yield from _places(each, (*path, key))


def test_no_change_of_type_goes_unseen():
    """In every fact there is, at every depth, sealed or not."""
    unseen = []
    for name in NAMES:
        before = schema(name)
        assert fact_compatibility.breaks(before, before) == []
        for *way, last in _places(before):
            after = schema(name)
            within = after
            for step in way:
                within = within[step]
            if within[last] != {"type": "null"}:
                within[last] = {"type": "null"}
                if not fact_compatibility.breaks(before, after):
                    unseen.append((name, *way, last))
    assert unseen == []
