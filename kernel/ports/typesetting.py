"""Turns a template and the texts for it into a PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Typesetter(Protocol):
    """Sets documents; the same texts always make the same bytes."""

    async def pdf(self, template: str, texts: Mapping[str, Any]) -> bytes:
        """The document as PDF. ``texts`` holds JSON values; none of it is read as markup."""
