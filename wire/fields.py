"""Field types that several request shapes share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, Field

from kernel.countries import COUNTRIES
from kernel.money import CURRENCIES
from wire.base import In, Text


def _email(value: str) -> str:
    try:
        validate_email(
            value, check_deliverability=False, globally_deliverable=False, test_environment=True
        )
    except EmailNotValidError:
        raise ValueError("Enter a valid email address.") from None
    return value


def _currency(value: str) -> str:
    if value.upper() not in CURRENCIES:
        raise ValueError("Enter an ISO 4217 currency code.")
    return value.upper()


FIRST_YEAR, LAST_YEAR = 1970, 8999
"""Beyond them an instant may not be one in UTC any more, or not in the database."""


def _utc(value: datetime) -> datetime:
    at = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    if not FIRST_YEAR < at.year <= LAST_YEAR:
        raise ValueError(f"The year must lie between {FIRST_YEAR + 1} and {LAST_YEAR}.")
    return at.astimezone(UTC)


Instant = Annotated[datetime, AfterValidator(_utc)]
"""A date-time; without a zone it is meant in UTC, a date alone is its first instant."""

Email = Annotated[Text, Field(max_length=254), AfterValidator(_email)]
"""An email address as typed; its domain need not exist."""

ShortText = Annotated[Text, Field(max_length=500)]
"""A line of text."""


def _country(value: str) -> str:
    if value not in COUNTRIES:
        raise ValueError("There is no country with this ISO 3166 code.")
    return value


Identifier = Annotated[Text, Field(min_length=1, max_length=255)]
"""An id that the client chose."""

Country = Annotated[
    Text, Field(pattern=r"^[A-Za-z]{2}$"), AfterValidator(str.upper), AfterValidator(_country)
]
"""An ISO 3166 two-letter country code, in either case."""

CurrencyCode = Annotated[Text, Field(max_length=3), AfterValidator(_currency)]
"""An ISO 4217 code, in either case."""


class AddressIn(In):
    """A billing address (spec: Invoice)."""

    line1: ShortText | None = None
    line2: ShortText | None = None
    city: ShortText | None = None
    state: ShortText | None = None
    postal_code: Annotated[Text, Field(max_length=32)] | None = None
    country: Country | None = None
