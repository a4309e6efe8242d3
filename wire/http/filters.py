"""Filters of lists: instants, days, words and ids as query parameters (wire 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import BeforeValidator

from kernel.errors import InvalidFields, NotFound


_PLUS_LOST = re.compile(r" (?=\d\d:?\d\d$)")
"""A plus of an offset that was not escaped arrives as a blank."""

_NUMBER = re.compile(r"[A-Z]{3}-\d{14}-[0-9A-Z]{5}")


def _instant(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        at = datetime.fromisoformat(_PLUS_LOST.sub("+", value))
    except ValueError:
        raise ValueError("Enter a valid date-time in ISO 8601.") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _day(value: Any) -> Any:
    try:
        at = _instant(value)
        return at.astimezone(UTC).date() if isinstance(at, datetime) else at
    except (ValueError, OverflowError):
        raise ValueError("Enter a valid date: YYYY-MM-DD.") from None


Instant = Annotated[
    datetime | None,
    BeforeValidator(_instant),
    Query(description="ISO 8601; without a zone it is meant in UTC."),
]
Day = Annotated[date | None, BeforeValidator(_day), Query(description="A day in UTC, included.")]
Words = Annotated[str | None, Query(max_length=1_000, description="Separated by commas.")]
CustomerId = Annotated[
    str | None, Query(max_length=255, description="The merchant's own id of the customer.")
]


def words(text: str | None, known: Sequence[str], field: str) -> list[str]:
    """The words of a list separated by commas. Raises InvalidFields that names the known ones."""
    given = [word.strip() for word in (text or "").split(",") if word.strip()]
    if unknown := [word for word in given if word not in known]:
        message = f"{unknown[0]!r} is not one of: {', '.join(known)}."
        raise InvalidFields({field: [message]})
    return given


def uuid_of(text: str, refusal: NotFound) -> UUID:
    """A uuid from a path; what is none does not exist. Raises the refusal."""
    try:
        return UUID(text)
    except ValueError:
        raise refusal from None


def number_of(text: str, refusal: NotFound) -> str:
    """An ``INV-`` or ``ORD-`` number from a path. Raises the refusal."""
    if not _NUMBER.fullmatch(text):
        raise refusal
    return text
