"""Change how an organization bills, and how its hosted pages look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aggregates.organization import decide
from aggregates.organization.state import ORGANIZATION
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSettings:
    """``changes`` holds the fields of Settings that the client named; ``fees`` those of fees."""

    changes: Mapping[str, Any]
    fees: Mapping[str, Any]


@handles(ChangeSettings)
async def change_settings(work: UnitOfWork, command: ChangeSettings) -> None:
    """Raises OrganizationNotFound."""
    stream = work.tenant.organization
    state = await work.load(ORGANIZATION, stream)
    fees = replace(state.settings.fee_schedule, **command.fees)
    settings = replace(state.settings, fee_schedule=fees, **command.changes)
    work.record(stream, decide.change_settings(state, settings=settings, at=work.instant()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCheckoutLook:
    """``changes`` holds the fields of CheckoutLook that the client named."""

    changes: Mapping[str, Any]


@handles(ChangeCheckoutLook)
async def change_checkout_look(work: UnitOfWork, command: ChangeCheckoutLook) -> None:
    """Raises OrganizationNotFound."""
    stream = work.tenant.organization
    state = await work.load(ORGANIZATION, stream)
    look = replace(state.look, **command.changes)
    work.record(stream, decide.change_look(state, look=look, at=work.instant()))
