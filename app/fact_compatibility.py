"""Whether a new schema of a fact would break those who read the stream (design 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.fact_schemas import ENVELOPE, FOLDER


def is_contract(path: str) -> bool:
    """Whether those who read the stream rely on this document."""
    return path == ENVELOPE or path.startswith(f"{FOLDER}/")


def breaks(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Why a reader of ``before`` could stumble over what ``after`` allows; empty: it could not.

    Readers ignore fields they do not know and expect new words in closed lists.
    """
    old, new = before.get("$defs", {}), after.get("$defs", {})
    found = [*_breaks(before, after, old, new, "")]
    if sealed := before.get("x-sealed"):
        found += _breaks(sealed, after.get("x-sealed", {"type": "object"}), old, new, "sealed.")
    return found


def _breaks(
    before: Any, after: Any, old: Mapping[str, Any], new: Mapping[str, Any], path: str
) -> Iterator[str]:
    before, after = _resolved(before, old), _resolved(after, new)
    if _shape(before) != _shape(after):
        yield f"{path.rstrip('.') or 'the fact'} is of another type"
        return
    yield from _missing(before, after, path)
    for part, other, where in _parts(before, after):
        yield from _breaks(part, other, old, new, f"{path}{where}")


def _missing(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[str]:
    """Fields that are gone, or are there for sure when they were not before, or no longer."""
    fields = before.get("properties", {})
    for name in fields.keys() - after.get("properties", {}).keys():
        yield f"{path}{name} is gone"
    for name in set(before.get("required", [])) ^ set(after.get("required", [])):
        if name in fields or name in after.get("required", []):
            yield f"{path}{name} is {'no longer' if name in fields else 'now'} always there"


def _parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[Any, Any, str]]:
    """What both consist of, side by side, and how it is called."""
    for choice, other in zip(_choices(before), _choices(after), strict=True):
        yield choice, other, ""
    fields = after.get("properties", {})
    for name, schema in before.get("properties", {}).items():
        if name in fields:
            yield schema, fields[name], f"{name}."
    for key, mark in (("items", "[]."), ("additionalProperties", "*.")):
        if key in before:
            yield before[key], after.get(key), mark


def _shape(schema: Mapping[str, Any]) -> Any:
    """What must not change: the type, of alternatives all."""
    if "anyOf" in schema:
        return sorted(str(_shape(each)) for each in schema["anyOf"])
    if "enum" in schema:
        return "string" if all(isinstance(word, str) for word in schema["enum"]) else "number"
    reference = schema.get("$ref", "").rpartition("/")[2]
    return schema.get("type"), schema.get("format"), reference, schema.get("const")


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    return sorted(schema.get("anyOf", []), key=lambda each: str(_shape(each)))


def _resolved(schema: Any, defs: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        found: Mapping[str, Any] = defs[schema["$ref"].rpartition("/")[2]]
        return found
    return schema
