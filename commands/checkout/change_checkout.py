"""A buyer entered or chose something on the checkout page (wire 16.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aggregates.checkout import decide
from commands.bus import handles
from commands.checkout.entering import enter
from commands.checkout.visit import instant, load_visit
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCheckout:
    """``changes`` holds what was entered, the rest stays.

    Its keys: ``email``, ``name``, ``billing_address`` (an Address), ``tax_id``, ``plan``,
    ``period``, ``quantities``, ``discount_code``, ``custom_fields``.
    """

    session_id: str
    changes: Mapping[str, Any]


@handles(ChangeCheckout)
async def change_checkout(work: UnitOfWork, command: ChangeCheckout) -> None:
    """Raises CheckoutNotFound, CheckoutClosed, CheckoutBusy, and what ``enter`` raises."""
    visit = await load_visit(work, command.session_id)
    at = await instant(work, visit)
    decide.require_open(visit.state, at=at)
    await enter(work, visit, command.changes, at=at)
