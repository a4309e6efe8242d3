"""Change an offering, or archive it (wire 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.offering import decide
from aggregates.offering.events import OfferingContent
from aggregates.offering.state import OFFERING
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.offerings.references import table_to_show
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOffering:
    """``changes`` are the fields of OfferingContent that the client named.

    A rule without conditions stands for new terms of the present one.
    """

    offering_id: UUID
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveOffering:
    """Sales through it keep their prices."""

    offering_id: UUID


@handles(ChangeOffering)
async def change_offering(work: UnitOfWork, command: ChangeOffering) -> None:
    """Raises OfferingNotFound, OfferingAlreadyArchived, ConditionsAreFixed, InvalidFields."""
    state = await load_own(work, OFFERING, command.offering_id)
    present = decide.require(state)
    content = _with_conditions(present, replace(present, **command.changes))
    if content.pricing_table is not None and content.pricing_table != present.pricing_table:
        await table_to_show(work, content.pricing_table)
    work.record(command.offering_id, decide.change(state, content, at=work.instant()))


def _with_conditions(present: OfferingContent, content: OfferingContent) -> OfferingContent:
    """A rule that names no conditions keeps those it was created with. Raises InvalidFields."""
    rule = content.rule
    if rule is None or rule.conditions:
        return content
    if present.rule is None:
        raise InvalidFields({"targetingRule": ["A new targeting rule needs conditions."]})
    return replace(content, rule=replace(rule, conditions=present.rule.conditions))


@handles(ArchiveOffering)
async def archive_offering(work: UnitOfWork, command: ArchiveOffering) -> None:
    """Raises OfferingNotFound, OfferingAlreadyArchived."""
    state = await load_own(work, OFFERING, command.offering_id)
    work.record(command.offering_id, decide.archive(state, at=work.instant()))
