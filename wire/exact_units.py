"""An amount that may come in major units, in minor ones, or in both when they agree."""

from __future__ import annotations

from decimal import Decimal

from kernel.errors import Invalid, InvalidFields
from kernel.money import parse_units


def exact_units(field: str, amount: Decimal | None, units: int | None, currency: str) -> int:
    """Minor units; ``field`` names the amount, ``<field>Units`` the units. Raises InvalidFields."""
    if amount is None:
        if units is None:
            raise InvalidFields({field: ["This field is required."]})
        return units
    try:
        exact = parse_units(amount, currency)
    except Invalid as problem:
        raise InvalidFields({field: [problem.message]}) from None
    if units is not None and units != exact:
        raise InvalidFields({f"{field}Units": [f"This is not the same as {field}."]})
    return exact
