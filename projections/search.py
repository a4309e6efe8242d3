"""Free-text search: a text contained in any of some columns, without case."""

from __future__ import annotations

from projections.reader import Condition


def contains(text: str, *columns: str) -> Condition:
    """Some column contains the text; ``%`` and ``_`` stand for themselves."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    terms = " OR ".join(f"t.{column} ILIKE %s" for column in columns)
    return Condition(f"({terms})", (f"%{escaped}%",) * len(columns))
