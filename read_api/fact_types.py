"""Which facts a reader of the feed wants, as it is asked for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query

from aggregates.catalog import FACTS, UPCASTS
from kernel.errors import InvalidFields
from kernel.ids import natural_id
from kernel.ports.fact_stream import Selection
from wire.http.caller import ServerCaller
from wire.http.filters import CustomerId, Words


NAMES = tuple(sorted({*FACTS, *UPCASTS}))
"""Every name a fact was ever stored under."""


@dataclass(frozen=True, slots=True)
class Types:
    """Stored names, and beginnings of stored names."""

    names: tuple[str, ...]
    prefixes: tuple[str, ...]


def types_of(text: str | None) -> Types:
    """Read ``invoice.paid.v1``, ``invoice.paid`` (all versions) and ``invoice.*``.

    Raises InvalidFields for what matches no fact, with the nearest that exist.
    """
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    names = tuple(word for word in words if word in NAMES)
    prefixes = tuple(_prefix(word) for word in words if word not in NAMES)
    return Types(names, prefixes)


def _prefix(word: str) -> str:
    prefix = word[:-1] if word.endswith(".*") else f"{word}.v"
    if any(name.startswith(prefix) for name in NAMES):
        return prefix
    known = (*NAMES, *_kinds(NAMES))
    near = difflib.get_close_matches(word, known, n=3, cutoff=0.5) or ["invoice.*", "invoice.paid"]
    message = f"{word!r} is no type of fact. Nearest: {', '.join(near)}."
    raise InvalidFields({"types": [message]})


def _kinds(names: Iterable[str]) -> list[str]:
    return sorted({f"{name.partition('.')[0]}.*" for name in names})


def selection(
    caller: ServerCaller,
    types: Words = None,
    stream: Annotated[UUID | None, Query(description="The `subject` of events: one thing.")] = None,
    customer_id: CustomerId = None,
) -> Selection:
    """The facts of the caller's organization that were asked for."""
    wanted = types_of(types)
    tenant = caller.tenant
    return Selection(
        organization=tenant.organization,
        stream=stream,
        owner=None if customer_id is None else natural_id(tenant.secret, "customer", customer_id),
        names=wanted.names,
        prefixes=wanted.prefixes,
    )


Wanted = Annotated[Selection, Depends(selection)]
