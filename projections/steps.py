"""Many statements of one batch as one call: each costs driver and server 0.1 ms or more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from psycopg import AsyncConnection, AsyncRawCursor


Step = tuple[str, Sequence[Any]]
"""A statement that changes rows, with its parameters (``%s`` or ``%b``)."""

_PLACEHOLDER = re.compile("%[sb]")


async def execute(db: AsyncConnection[Any], steps: Iterable[Step]) -> None:
    """Do steps that touch different rows; each sees what was there before the first.

    A raw cursor leaves the text as it is; another one reads it through again each time.
    """
    several = tuple(steps)
    if several:
        parameters = [value for _, values in several for value in values]
        async with AsyncRawCursor(db) as cursor:
            await cursor.execute(_together(tuple(text for text, _ in several)), parameters)


@lru_cache(maxsize=128)
def _together(texts: tuple[str, ...]) -> bytes:
    parts = [f"step_{number} AS ({text})" for number, text in enumerate(texts)]
    numbers = count(1)
    whole = f"WITH {', '.join(parts)} SELECT"
    return _PLACEHOLDER.sub(lambda _: f"${next(numbers)}", whole).encode()
