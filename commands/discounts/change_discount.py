"""Switch a discount on or off, or archive it (spec: Discount)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.discount import decide
from aggregates.discount.state import DISCOUNT
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchDiscount:
    """Subscriptions that have the discount keep it either way."""

    discount_id: UUID
    enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDiscount:
    """Its code stays taken; subscriptions that have the discount keep it."""

    discount_id: UUID


@handles(SwitchDiscount)
async def switch_discount(work: UnitOfWork, command: SwitchDiscount) -> None:
    """Raises DiscountNotFound, DiscountAlreadyArchived."""
    state = await load_own(work, DISCOUNT, command.discount_id)
    facts = decide.switch(state, enabled=command.enabled, at=work.instant())
    work.record(command.discount_id, facts)


@handles(ArchiveDiscount)
async def archive_discount(work: UnitOfWork, command: ArchiveDiscount) -> None:
    """Raises DiscountNotFound, DiscountAlreadyArchived."""
    state = await load_own(work, DISCOUNT, command.discount_id)
    work.record(command.discount_id, decide.archive(state, at=work.instant()))
