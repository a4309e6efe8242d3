"""JSON Schema of every fact: the contract with those who read the stream (design 10)."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from adapters.codec import FactCodec
from aggregates.catalog import FACTS
from wire.cloud_event import EXTENSIONS


DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = "facts"
ENVELOPE = "cloud-event.json"
Schema = dict[str, Any]


def documents() -> dict[str, str]:
    """Every schema by its path: the envelope, and one for each version of each fact.

    Older versions, which are upcast on reading, have no class of their own any more; their schemas
    stay as they were committed.
    """
    facts = {f"{FOLDER}/{name}.json": of(name, kind) for name, kind in FACTS.items()}
    return {path: text(schema) for path, schema in {ENVELOPE: envelope(), **facts}.items()}


def text(schema: Mapping[str, Any]) -> str:
    """As it is committed."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def of(name: str, kind: type) -> Schema:
    """The schema of ``data``; ``x-sealed`` is that of the part that travels encrypted."""
    personal = FactCodec(name, kind).personal
    own = TypeAdapter(kind).json_schema(mode="serialization")
    defs: Schema = own.get("$defs", {})
    for schema in (own, *defs.values()):
        _untitle(schema)
    properties: Schema = own["properties"]
    sealed = {field: properties.pop(field) for field in personal}
    schema = {
        "$schema": DIALECT,
        "$id": f"urn:billstream:fact:{name}",
        "title": name,
        "description": inspect.cleandoc(kind.__doc__ or "").replace("``", "`"),
        "type": "object",
        "properties": properties,
        "required": [each.name for each in dataclasses.fields(kind) if _required(each)],
    }
    if sealed:
        schema["x-sealed"] = {"type": "object", "properties": sealed}
    if needed := _needed(schema, defs):
        schema["$defs"] = {key: defs[key] for key in sorted(needed)}
    return schema


def envelope() -> Schema:
    """What all events have around ``data``."""
    words = {"type": "string"}
    attributes: Schema = {
        "specversion": {"const": "1.0"},
        "id": words | {"pattern": r"^\d+$", "description": "the position: unique and ascending"},
        "source": words | {"description": "the environment and the log"},
        "type": words | {"description": "the stored name of the fact; its schema has this title"},
        "subject": words | {"format": "uuid", "description": "the stream: one thing"},
        "time": words | {"format": "date-time", "description": "when it happened"},
        "datacontenttype": {"const": "application/json"},
        "data": {"type": "object"},
    }
    kinds = {"streamversion": "integer", "commandindex": "integer"}
    extensions = {
        name: {"type": kinds.get(name, "string"), "description": meaning}
        for name, meaning in EXTENSIONS.items()
    }
    optional = {"causationid", "sealed"}
    return {
        "$schema": DIALECT,
        "$id": "urn:billstream:cloud-event",
        "title": "A fact as a CloudEvent 1.0",
        "type": "object",
        "properties": attributes | extensions,
        "required": [name for name in (*attributes, *extensions) if name not in optional],
    }


def _untitle(schema: Schema) -> None:
    """Take away titles that only say the name again."""
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    if "description" in schema:
        schema["description"] = schema["description"].replace("``", "`")


def _needed(schema: Any, defs: Mapping[str, Any]) -> set[str]:
    """The definitions a schema refers to, directly or through others."""
    found: set[str] = set()
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(defs[name])
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.rpartition("/")[2]
        for each in schema.values():
            yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is field.default_factory is dataclasses.MISSING
