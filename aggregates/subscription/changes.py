"""Facts about changes of a running subscription (wire 6.4, design 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.subscription.contract import Contract
from kernel.interval import Period
from kernel.lines import InvoiceLine


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPlanChanged:
    """Another contract holds from now on; the record before is superseded.

    ``period`` is the present one, begun anew at ``anchor`` if the interval changed. ``trial`` is
    set when the change begins a trial. ``prorated``: the rest of the period was settled, so that
    it is now worth the new contract. ``invoice_id`` None: nothing was invoiced. ``deferred`` are
    all lines that wait for the next invoice; ``credited_ahead`` of what they credit cannot be
    refunded any more. ``change_id`` names the request that was paid for.
    """

    subscription_id: UUID
    contract: Contract
    anchor: datetime
    period: Period | None
    prorated: bool
    invoice_id: UUID | None
    trial: Period | None = None
    deferred: tuple[InvoiceLine, ...] = ()
    credited_ahead: int = 0
    change_id: UUID | None = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionTrialMoved:
    """The running trial ends at another time; paid periods count from there."""

    subscription_id: UUID
    trial: Period
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionChangeRequested:
    """A change is to hold as soon as ``invoice_id`` is paid; until then all stays as it is.

    Nobody pays by ``expires_at``: it never comes about.
    """

    subscription_id: UUID
    change_id: UUID
    contract: Contract
    anchor: datetime
    period: Period | None
    invoice_id: UUID
    expires_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionChangeExpired:
    """The change that waited for its payment never came about."""

    subscription_id: UUID
    change_id: UUID
    occurred_at: datetime
