"""The contract with those who read the stream: what was ever sent is as its schema says."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from aggregates.catalog import FACTS, UPCASTS
from app import fact_schemas
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
    },
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
    assert fact_schemas.breaks(BEFORE, after) == []


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
    ],
)
def test_what_a_reader_would_stumble_over_is_named(after, reason):
    assert reason in fact_schemas.breaks(BEFORE, after)


def test_a_breaking_schema_is_not_written(tmp_path, monkeypatch):
    name = "facts/invoice.paid.v1.json"
    now = schema("invoice.paid.v1")
    now["properties"]["amount_in_words"] = {"type": "string"}
    (tmp_path / "facts").mkdir()
    (tmp_path / name).write_text(json.dumps(now))
    monkeypatch.setattr(docs, "REFERENCE", tmp_path)
    assert docs.breaks(name, (FOLDER.parent / name).read_text()) == ["amount_in_words is gone"]
