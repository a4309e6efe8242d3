"""A subscription as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import assert_never, get_args
from uuid import UUID

from aggregates.subscription.changes import (
    SubscriptionChangeExpired,
    SubscriptionChangeRequested,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
)
from aggregates.subscription.contract import Contract
from aggregates.subscription.discount_events import (
    SubscriptionDiscountAttached,
    SubscriptionDiscountsUsed,
)
from aggregates.subscription.discounts import HeldDiscount, given_back, held_after, moved
from aggregates.subscription.events import (
    OwnCard,
    Status,
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionCreated,
    SubscriptionEvent,
    SubscriptionFellFurtherBehind,
    SubscriptionIncompleteExpired,
    SubscriptionPaymentRetried,
    SubscriptionRecovered,
    SubscriptionRenewed,
    SubscriptionRetriesResumed,
    SubscriptionRetriesStopped,
    SubscriptionTrialConverted,
    SubscriptionTrialEndingSoon,
)
from aggregates.subscription.overdue import Dunning
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from kernel.fold import Fold
from kernel.ids import NIL
from kernel.interval import Period
from kernel.lines import InvoiceLine


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Subscription:
    """``version`` counts its facts, ``contract_version`` is the one that holds the contract.

    ``invoice_id`` is the invoice of the present ``period``, ``invoices`` are all that it was billed
    with, oldest first, changes included. ``billed`` is the contract that the rest of it is worth,
    agreed on in fact ``billed_version``. ``deferred`` lines wait for the next invoice,
    ``credited_ahead`` minor units of them are taken off what may be refunded already. ``pending``
    is a change that waits for its payment, ``dropped`` are the invoices of those that never came
    about. ``pause`` is the one that runs, ``pauses`` are those that are over. ``acceptances`` are
    when retention offers were accepted.
    """

    status: Status = Status.ABSENT
    id: UUID = NIL
    customer: UUID = NIL
    contract: Contract | None = None
    version: int = 0
    contract_version: int = 0
    created_at: datetime = EPOCH
    anchor: datetime = EPOCH
    period: Period | None = None
    trial: Period | None = None
    was_reminded: bool = False
    invoice_id: UUID | None = None
    invoices: tuple[UUID, ...] = ()
    payment_method: UUID | None = None
    own_card: OwnCard | None = None
    expires_at: datetime | None = None
    ending: SubscriptionCancellationScheduled | None = None
    dunning: Dunning | None = None
    billed: Contract | None = None
    billed_version: int = 0
    deferred: tuple[InvoiceLine, ...] = ()
    credited_ahead: int = 0
    pending: SubscriptionChangeRequested | None = None
    dropped: tuple[UUID, ...] = ()
    discounts: tuple[HeldDiscount, ...] = ()
    pause: SubscriptionPaused | None = None
    pauses: tuple[Period, ...] = ()
    acceptances: tuple[datetime, ...] = ()
    is_charge: bool = False
    checkout: UUID | None = None

    @property
    def is_running(self) -> bool:
        """Access is granted or paused; it has not ended and was not refused."""
        return self.status in {Status.TRIALING, Status.ACTIVE, Status.PAST_DUE, Status.PAUSED}

    def counted(self, at: datetime) -> datetime:
        """The instant up to which a paid period is used: a pause stops that clock (design 7)."""
        return at if self.pause is None else min(at, self.pause.occurred_at)


def evolve(state: Subscription, event: SubscriptionEvent) -> Subscription:
    """Total and free of rules: what is recorded is true."""
    return replace(_evolved(state, event), version=state.version + 1)


def _evolved(state: Subscription, event: SubscriptionEvent) -> Subscription:
    match event:
        case SubscriptionCreated():
            return _created(state, event)
        case SubscriptionActivated() | SubscriptionTrialConverted():
            held = moved(state.discounts, event.invoice_id, event.period)
            begun = replace(state, status=Status.ACTIVE, anchor=event.anchor, discounts=held)
            return _billed(begun, event.period, event.invoice_id)
        case SubscriptionIncompleteExpired():
            return replace(state, status=Status.INCOMPLETE_EXPIRED)
        case SubscriptionTrialEndingSoon():
            return replace(state, was_reminded=True)
        case SubscriptionDiscountAttached() | SubscriptionDiscountsUsed():
            return replace(state, discounts=held_after(state.discounts, event))
        case SubscriptionRenewed():
            behind = _behind(state, event.invoice_id)
            return _billed(replace(state, dunning=behind), event.period, event.invoice_id)
        case SubscriptionPlanChanged():
            return _changed(state, event)
        case SubscriptionTrialMoved(trial=trial):
            return replace(state, trial=trial, period=trial, anchor=trial.end, was_reminded=False)
        case SubscriptionChangeRequested():
            return replace(state, pending=event)
        case SubscriptionChangeExpired():
            discounts = given_back(state.discounts, state.pending)
            return replace(_dropped(state), discounts=discounts)
        case SubscriptionRetentionOfferAccepted(occurred_at=accepted_at):
            return replace(state, acceptances=(*state.acceptances, accepted_at))
        case SubscriptionPaused():
            return replace(state, status=Status.PAUSED, pause=event)
        case SubscriptionResumed():
            return replace(
                state,
                status=Status.ACTIVE,
                anchor=event.anchor,
                period=event.period,
                pause=None,
                pauses=(*state.pauses, event.paused),
            )
        case _:
            return _dunned_or_ended(state, event)


_Later = (
    SubscriptionBecamePastDue
    | SubscriptionFellFurtherBehind
    | SubscriptionPaymentRetried
    | SubscriptionRetriesStopped
    | SubscriptionRetriesResumed
    | SubscriptionRecovered
    | SubscriptionCancellationScheduled
    | SubscriptionCancellationWithdrawn
    | SubscriptionCanceled
)


def _dunned_or_ended(state: Subscription, event: _Later) -> Subscription:
    match event:
        case SubscriptionBecamePastDue():
            dunning = Dunning(
                event.occurred_at, event.next_retry_at, event.cancel_at, (event.invoice_id,)
            )
            return replace(state, status=Status.PAST_DUE, dunning=dunning)
        case SubscriptionFellFurtherBehind(invoice_id=invoice):
            return replace(state, dunning=_behind(state, invoice))
        case SubscriptionPaymentRetried():
            return _dunning(state, event.next_retry_at, None, tries=event.number)
        case SubscriptionRetriesStopped(cancel_at=cancel_at):
            return _dunning(state, None, cancel_at)
        case SubscriptionRetriesResumed(next_retry_at=next_retry_at):
            return _dunning(state, next_retry_at, None)
        case SubscriptionRecovered():
            return replace(state, status=Status.ACTIVE, dunning=None)
        case SubscriptionCancellationScheduled():
            return replace(state, ending=event)
        case SubscriptionCancellationWithdrawn():
            return replace(state, ending=None)
        case SubscriptionCanceled():
            return replace(
                _dropped(state),
                status=Status.CANCELED,
                ending=None,
                dunning=None,
                deferred=(),
                credited_ahead=0,
                pending=None,
                pause=None,
            )
        case _:
            assert_never(event)


def _created(state: Subscription, event: SubscriptionCreated) -> Subscription:
    return Subscription(
        status=event.status,
        id=event.subscription_id,
        customer=event.customer,
        contract=event.contract,
        contract_version=state.version + 1,
        created_at=event.occurred_at,
        anchor=event.anchor,
        period=event.period,
        trial=event.trial,
        invoice_id=event.invoice_id,
        invoices=() if event.invoice_id is None else (event.invoice_id,),
        payment_method=event.payment_method,
        own_card=event.own_card,
        expires_at=event.expires_at,
        is_charge=event.is_charge,
        checkout=event.checkout,
        billed=event.contract,
        billed_version=state.version + 1,
    )


def _billed(state: Subscription, period: Period | None, invoice_id: UUID) -> Subscription:
    """A whole period was invoiced, with everything that waited for it."""
    before = state.invoices if state.deferred else ()
    return replace(
        state,
        period=period,
        invoice_id=invoice_id,
        invoices=(*before, invoice_id),
        billed=state.contract,
        billed_version=state.contract_version,
        deferred=(),
        credited_ahead=0,
    )


def _dropped(state: Subscription) -> Subscription:
    pending = state.pending
    if pending is None:
        return state
    return replace(state, pending=None, dropped=(*state.dropped, pending.invoice_id))


def _changed(state: Subscription, event: SubscriptionPlanChanged) -> Subscription:
    number = state.version + 1
    invoiced = event.invoice_id
    changed = replace(
        state,
        contract=event.contract,
        contract_version=number,
        anchor=event.anchor,
        period=event.period,
        invoice_id=invoiced if event.period != state.period else state.invoice_id,
        invoices=(*state.invoices, invoiced) if invoiced else state.invoices,
        discounts=moved(state.discounts, invoiced or NIL, event.period),
        dunning=_behind(state, invoiced) if invoiced else state.dunning,
        deferred=event.deferred,
        credited_ahead=event.credited_ahead,
        pending=None,
    )
    if event.trial is not None:
        changed = replace(changed, status=Status.TRIALING, trial=event.trial, was_reminded=False)
    elif event.period is None and state.status is Status.TRIALING:
        changed = replace(changed, status=Status.ACTIVE)
    if event.prorated:
        changed = replace(changed, billed=event.contract, billed_version=number)
    return changed


def _behind(state: Subscription, invoice_id: UUID) -> Dunning | None:
    dunning = state.dunning
    return dunning and replace(dunning, invoices=(*dunning.invoices, invoice_id))


def _dunning(
    state: Subscription,
    next_retry_at: datetime | None,
    cancel_at: datetime | None,
    *,
    tries: int | None = None,
) -> Subscription:
    if state.dunning is None:
        return state
    counted = state.dunning.tries if tries is None else tries
    dunning = replace(
        state.dunning, next_retry_at=next_retry_at, cancel_at=cancel_at, tries=counted
    )
    return replace(state, dunning=dunning)


SUBSCRIPTION = Fold("subscription", Subscription(), evolve, get_args(SubscriptionEvent))
