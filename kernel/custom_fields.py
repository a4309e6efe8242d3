"""What a merchant asks buyers besides name and address (design 13: checkout settings)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from kernel.errors import InvalidFields


LONGEST_ANSWER = 1_000
LARGEST_EXPONENT = 50


class FieldType(StrEnum):
    """What may be entered."""

    TEXT = "TEXT"
    NUMBER = "NUMBER"
    DROPDOWN = "DROPDOWN"
    CHECKBOX = "CHECKBOX"


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomField:
    """One question; ``key`` names its answer, ``options`` are those of a DROPDOWN."""

    key: str
    label: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    options: tuple[str, ...] = ()


def answers(fields: Iterable[CustomField], given: Mapping[str, Any]) -> dict[str, Any]:
    """The answers as they are kept; what nobody asked for is left out. Raises InvalidFields."""
    kept: dict[str, Any] = {}
    problems: dict[str, list[str]] = {}
    for field in fields:
        value = given.get(field.key)
        if value is None or value == "":
            continue
        answer, problem = _answer(field, value)
        if problem is None:
            kept[field.key] = answer
        else:
            problems[f"customFields.{field.key}"] = [problem]
    if problems:
        raise InvalidFields(problems)
    return kept


def missing(fields: Iterable[CustomField], kept: Mapping[str, Any]) -> dict[str, list[str]]:
    """What has to be answered and is not; a required CHECKBOX has to be ticked."""
    return {
        f"customFields.{field.key}": ["This field is required."]
        for field in fields
        if field.required and kept.get(field.key) in (None, "", False)
    }


def _answer(field: CustomField, value: Any) -> tuple[Any, str | None]:
    match field.type:
        case FieldType.CHECKBOX:
            ticked = value if isinstance(value, bool) else str(value).lower() in {"on", "true", "1"}
            return ticked, None
        case FieldType.NUMBER:
            return _number(value)
        case FieldType.DROPDOWN:
            known = str(value) in field.options
            return str(value), None if known else "Choose one of the options."
        case FieldType.TEXT:
            fits = len(str(value)) <= LONGEST_ANSWER
            return str(value), None if fits else f"Enter at most {LONGEST_ANSWER} characters."


def _number(value: Any) -> tuple[Any, str | None]:
    """Exact decimal text, as money and percentages are kept too."""
    wrong = "Enter a number."
    if isinstance(value, bool) or len(str(value)) > LONGEST_ANSWER:
        return None, wrong
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None, wrong
    fits = number.is_finite() and abs(number.adjusted()) < LARGEST_EXPONENT
    return (f"{number:f}", None) if fits else (None, wrong)
