"""Field types of offerings, pricing tables and promotions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from kernel.publication import Publication
from wire.base import Text


Label = Annotated[Text, Field(max_length=255)]
"""A line that may be empty."""

Color = Annotated[Text, Field(pattern=r"^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$")]
"""A color as style sheets write it: ``#0f766e``, also short and with opacity."""

Status = Annotated[
    Literal["draft", "active"], Field(description="A draft is shown to nobody but its maker.")
]

Pixels = Annotated[int, Field(ge=0, le=4_000, strict=True)]


def publication(status: str) -> Publication:
    """The status as facts carry it."""
    return Publication(status)


T = TypeVar("T")


def unique(rows: list[T], key: Any, what: str) -> list[T]:
    """The rows, none twice. Raises ValueError."""
    keys = [key(row) for row in rows]
    if len(set(keys)) < len(keys):
        raise ValueError(f"Each {what} may be named once.")
    return rows
