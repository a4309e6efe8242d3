"""An offering as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.offering.events import (
    OfferingArchived,
    OfferingChanged,
    OfferingContent,
    OfferingCreated,
    OfferingEvent,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class Offering:
    """``content`` None: there is none."""

    id: UUID = NIL
    content: OfferingContent | None = None
    archived: bool = False


def evolve(state: Offering, event: OfferingEvent) -> Offering:
    """Total and free of rules: what is recorded is true."""
    match event:
        case OfferingCreated():
            return Offering(event.offering_id, event.content)
        case OfferingChanged():
            return replace(state, content=event.content)
        case OfferingArchived():
            return replace(state, archived=True)
        case _:
            assert_never(event)


OFFERING = Fold("offering", Offering(), evolve, get_args(OfferingEvent))
