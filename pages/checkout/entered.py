"""What a buyer entered into the form: as the commands take it, and what is wrong with it by field.

Names of the form: ``q.<feature>`` are quantities, ``cf.<key>`` answers to the merchant's questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic.alias_generators import to_snake

from pages.countries import is_country
from wire.checkout import EnteredIn


QUANTITY, CUSTOM = "q.", "cf."
PLAIN = {
    "email": "email",
    "name": "name",
    "tax_id": "tax_id",
    "discount_code": "discount_code",
    "plan": "plan_identifier",
    "period": "charge_period",
}
ADDRESS = ("country", "line1", "city", "state", "postal_code")
SECRETS = ("number", "expiry", "cvc")
"""Never shown again, never kept."""

_NAMES = {
    **{key: name for name, key in PLAIN.items()},
    "billing_address": "country",
    "features": "plan",
}
_MESSAGES = {
    "email": "Enter an email address, such as name@example.com.",
    "country": "Choose a country.",
}
_WRONG = "Check this field."

Problems = dict[str, str]


def changes_of(form: Mapping[str, str]) -> tuple[dict[str, Any], Problems]:
    """The changes that can be asked for, and what is wrong with the others."""
    body = _body(form)
    found: list[tuple[Any, ...]] = []
    try:
        sound = EnteredIn.model_validate(body).changes
    except ValidationError as wrong:
        found = [error["loc"] for error in wrong.errors(include_input=False, include_url=False)]
    if (country := form.get("country", "").strip()) and not is_country(country):
        found.append(("billing_address", "country"))
    if not found:
        return sound, {}
    problems = {name: _MESSAGES.get(name, _WRONG) for name in map(_field_at, found)}
    rest = {key: value for key, value in body.items() if key not in _keys(found)}
    return EnteredIn.model_validate(rest).changes, problems


def by_field(problems: Mapping[str, Sequence[str]]) -> Problems:
    """What commands say is wrong, by the names of the form."""
    return {_field_at(name.split(".")): " ".join(said) for name, said in problems.items()}


def _body(form: Mapping[str, str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        key: form[name].strip() or None for name, key in PLAIN.items() if name in form
    }
    if "country" in form:
        address = {name: form.get(name, "").strip() or None for name in ADDRESS}
        body["billing_address"] = address if any(address.values()) else None
    quantities = [
        {"identifier": name.removeprefix(QUANTITY), "quantity": _whole(value.strip())}
        for name, value in form.items()
        if name.startswith(QUANTITY)
    ]
    if quantities:
        body["features"] = quantities
    custom = {
        name.removeprefix(CUSTOM): value for name, value in form.items() if name.startswith(CUSTOM)
    }
    if custom:
        body["custom_fields"] = custom
    return body


def _whole(text: str) -> int | str:
    """A whole number of up to nine digits; else the text, which is no quantity."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _keys(found: Iterable[tuple[Any, ...]]) -> set[str]:
    return {to_snake(str(place[0])) for place in found}


def _field_at(place: Sequence[Any]) -> str:
    first, rest = to_snake(str(place[0])), [str(part) for part in place[1:]]
    if first == "billing_address" and rest:
        return to_snake(rest[0])
    if first == "custom_fields" and rest:
        return CUSTOM + ".".join(rest)
    return _NAMES.get(first, first)
