"""Decisions about an offering: made, changed, archived (wire 5.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from aggregates.offering.events import (
    OfferingArchived,
    OfferingChanged,
    OfferingContent,
    OfferingCreated,
)
from aggregates.offering.state import Offering
from kernel.errors import Invalid, NotFound


class OfferingNotFound(NotFound):
    """No such offering."""

    code = "offering_not_found"


class OfferingAlreadyArchived(Invalid):
    """The offering is archived already."""

    code = "offering_archived"


class ConditionsAreFixed(Invalid):
    """The conditions of a targeting rule are fixed once it is created; make another offering."""

    code = "conditions_are_fixed"


def create(
    state: Offering, offering_id: UUID, content: OfferingContent, *, at: datetime
) -> list[OfferingCreated]:
    """Make it, once."""
    if state.content is not None:
        return []
    return [OfferingCreated(offering_id=offering_id, content=content, occurred_at=at)]


def change(state: Offering, content: OfferingContent, *, at: datetime) -> list[OfferingChanged]:
    """Let it be as told; the same again changes nothing.

    A rule keeps its conditions for its whole life (wire 5.2) and its id with them; how far it moves
    prices may change, and it may go. Raises ConditionsAreFixed.
    """
    present = require(state)
    old, new = present.rule, content.rule
    if old is not None and new is not None:
        if old.conditions != new.conditions:
            raise ConditionsAreFixed
        content = replace(content, rule=replace(new, id=old.id))
    if content == present:
        return []
    return [OfferingChanged(offering_id=state.id, content=content, occurred_at=at)]


def archive(state: Offering, *, at: datetime) -> list[OfferingArchived]:
    """Take it away; a second time is refused, as in the catalog."""
    require(state)
    return [OfferingArchived(offering_id=state.id, occurred_at=at)]


def require(state: Offering) -> OfferingContent:
    """What it says. Raises OfferingNotFound, OfferingAlreadyArchived."""
    if state.content is None:
        raise OfferingNotFound
    if state.archived:
        raise OfferingAlreadyArchived
    return state.content
