"""The base of request shapes: both spellings of keys, unknown ones ignored (wire 1)."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, field_validator
from pydantic.alias_generators import to_camel


class In(BaseModel):
    """A request body or a part of one."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        str_max_length=50_000,
    )


def never_null(*names: str) -> Any:
    """A validator of fields that PATCH may leave out, but that cannot be cleared."""
    return field_validator(*names)(_given)


def _given(value: Any) -> Any:
    if value is None:
        raise ValueError("This field may not be null.")
    return value


MAX_DEPTH = 50


def _sound(value: str) -> str:
    if "\x00" in value:
        raise ValueError("Null characters are not allowed.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("Half of a surrogate pair is not allowed.") from None
    return value


def _sound_deep(value: Any, depth: int = 0) -> Any:
    """The same JSON value, if all of it can be kept and given back."""
    if depth > MAX_DEPTH:
        raise ValueError(f"At most {MAX_DEPTH} levels are allowed.")
    match value:
        case str():
            return _sound(value)
        case dict():
            return {_sound(key): _sound_deep(item, depth + 1) for key, item in value.items()}
        case list():
            return [_sound_deep(item, depth + 1) for item in value]
        case float() if not math.isfinite(value):
            raise ValueError("Numbers must be finite.")
        case int() if not -(2**63) <= value < 2**63:
            raise ValueError("Whole numbers must fit into 64 bits.")
        case _:
            return value


Text = Annotated[str, AfterValidator(_sound)]
"""Any text without NUL that UTF-8 can carry."""

Metadata = Annotated[dict[str, Any], BeforeValidator(_sound_deep)]
"""Any JSON object; its keys are never converted (wire 1)."""
