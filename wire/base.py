"""The base of request shapes: both spellings of keys, unknown ones ignored (wire 1)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
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


def _no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("Null characters are not allowed.")
    return value


def _no_nul_deep(value: Any) -> Any:
    if isinstance(value, str):
        return _no_nul(value)
    if isinstance(value, dict):
        return {_no_nul(key): _no_nul_deep(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_no_nul_deep(item) for item in value]
    return value


Text = Annotated[str, AfterValidator(_no_nul)]
"""Any text without NUL."""

Metadata = Annotated[dict[str, Any], BeforeValidator(_no_nul_deep)]
"""Any JSON object; its keys are never converted (wire 1)."""
