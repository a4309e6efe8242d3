"""How a license key is spelled: ``<PREFIX>-<UPPER UUID>`` (wire 3)."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID


FALLBACK: Final = "LIC"
_OTHERS = re.compile(r"[^A-Z0-9]")


def spell(plan_name: str, unguessable: UUID) -> str:
    """The key: the first letters of the plan, and a uuid that nobody can guess."""
    letters = _OTHERS.sub("", plan_name.upper())[:3]
    prefix = letters if len(letters) > 1 else FALLBACK
    return f"{prefix}-{UUID(bytes=unguessable.bytes, version=4)}".upper()


def canonical(typed: str) -> str:
    """What a key is compared by: people copy it with blanks around it, and in any case."""
    return typed.strip().upper()
