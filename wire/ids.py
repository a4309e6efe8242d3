"""Ids as documents keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec


id_text: Final[Callable[[UUID], str]] = msgspec.to_builtins
"""``str`` of an id in a quarter of the time: a billing fact writes some ten of them."""
