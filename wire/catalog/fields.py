"""Field types of catalog requests."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError

from kernel.interval import ChargePeriod
from kernel.price import Rate
from wire.base import Metadata, Text


Name = Annotated[Text, Field(min_length=1, max_length=255)]
"""What people call a thing."""

Description = Annotated[Text, Field(max_length=5_000)]
"""Some paragraphs about it."""

Slug = Annotated[Text, Field(min_length=1, max_length=100, pattern=r"^[a-z0-9][a-z0-9\-_]*$")]
"""An identifier of the catalog (wire 1)."""

Currency = Annotated[Text, Field(pattern=r"^[A-Za-z]{3}$"), AfterValidator(str.upper)]
"""A three-letter currency code in either case."""

Count = Annotated[int, Field(ge=0, lt=10**15, strict=True)]
"""A whole number of units."""

_KEPT = TypeAdapter(Metadata)


def kept(value: Any) -> Any:
    """The same JSON value, if all of it can be kept and given back. Raises ValueError."""
    try:
        return _KEPT.validate_python({"value": value})["value"]
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ValueError(message) from None


Json = Annotated[Any, AfterValidator(kept)]
"""Any JSON value that can be kept and given back."""

QUARTERLY = "QUARTERLY"


def _period(value: Any) -> Any:
    """QUARTERLY is another word for THREE_MONTHS (wire 32)."""
    return ChargePeriod.THREE_MONTHS if value == QUARTERLY else value


Period = Annotated[ChargePeriod, BeforeValidator(_period)]
"""A charge period."""


def _http(value: str) -> str:
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.scheme.lower() not in {"http", "https"} or value.split() != [value]:
        raise ValueError("Enter an http or https address.")
    return value


HttpUrl = Annotated[Text, Field(max_length=2_000), AfterValidator(_http)]
"""An address of the web."""


def number(rate: Rate, currency: str) -> msgspec.Raw:
    """An exact rate as a JSON number in major units."""
    return msgspec.Raw(format(rate.decimal(currency).normalize(), "f").encode())
