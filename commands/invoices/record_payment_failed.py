"""The provider refused: the invoice stays owed and the subscription may fall behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from uuid import UUID

from aggregates.invoice import decide as invoices
from aggregates.invoice.events import Failure, FailureKind
from aggregates.invoice.state import INVOICE
from aggregates.subscription import decide, dunning
from aggregates.subscription.dunning import Failed
from aggregates.subscription.events import Status, SubscriptionEvent
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from aggregates.transaction import decide as transactions
from aggregates.transaction.state import TRANSACTION
from commands.billing import collecting
from commands.billing.changing import keep_portfolio
from commands.billing.pending_changes import drop_change, waits_for
from commands.bus import handles
from commands.checkout import outcomes
from commands.invoices.outcome import Attempt, load_attempt
from commands.unit_of_work import UnitOfWork


CARD = "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPaymentFailed:
    """``code`` and ``message`` are the provider's; ``caused_at`` when the attempt began."""

    invoice_id: UUID
    attempt: int
    kind: FailureKind
    code: str
    message: str
    caused_at: datetime


@handles(RecordPaymentFailed)
async def record_payment_failed(work: UnitOfWork, command: RecordPaymentFailed) -> None:
    """Record it once: past due at the first failure, canceled after the last retry (design 8)."""
    attempt = await load_attempt(work, command.invoice_id, command.attempt)
    if attempt is None:
        return
    at = attempt.instant(work, command.caused_at)
    follows = await _follows(work, attempt, command, at)
    await _record_failure(work, attempt, command, follows, at)
    state = attempt.subscription
    if waits_for(state, command.invoice_id) and not attempt.started.by_hand:
        await _refuse_change(work, attempt, command, at)
        return
    work.record(state.id, follows)
    now = await work.load(SUBSCRIPTION, state.id)
    if follows and not now.is_running:
        await collecting.close(work, state, at=at)
    if _is_of_checkout(attempt):
        await _tell_checkout(work, attempt, command, at)
        return
    if follows and not now.is_running:
        return
    await collecting.announce(work, now, at=at)
    await _try_newer_method(work, attempt, now, at)


async def _follows(
    work: UnitOfWork, attempt: Attempt, command: RecordPaymentFailed, at: datetime
) -> list[SubscriptionEvent]:
    """What the failure does to the subscription; nothing, if it was only for a change of it."""
    state = attempt.subscription
    if _is_of_change(state, command.invoice_id):
        return []
    if attempt.started.by_hand:
        return await _follows_by_hand(work, state, command.invoice_id, at)
    failed = Failed(
        invoice_id=command.invoice_id,
        is_final=command.kind is FailureKind.HARD,
        is_retried=attempt.started.method.type == CARD,
        is_settled=await _nothing_else_in_flight(work, state, command.invoice_id),
    )
    behind = dunning.fall_behind(state, failed, schedule=attempt.account.schedule, at=at)
    if _is_of_checkout(attempt) and command.kind is FailureKind.AUTHENTICATION:
        return []
    return behind or list(decide.refuse_charge(state, at=at) or decide.expire(state, at=at))


def _is_of_change(state: Subscription, invoice_id: UUID) -> bool:
    """Whether it is for a change that waits, or did not come about."""
    return waits_for(state, invoice_id) or invoice_id in state.dropped


async def _follows_by_hand(
    work: UnitOfWork, state: Subscription, invoice_id: UUID, at: datetime
) -> list[SubscriptionEvent]:
    """Nothing, but what had to wait for this attempt: the end after the last retry, or in time."""
    if await _nothing_else_in_flight(work, state, invoice_id):
        return [*dunning.give_up_after_last_retry(state, at=at), *decide.expire(state, at=at)]
    return []


def _is_of_checkout(attempt: Attempt) -> bool:
    """Whether somebody waits for it at a checkout, where the bank may still be asked."""
    state = attempt.subscription
    begun = state.checkout is not None and state.status is Status.INCOMPLETE
    return begun and not attempt.started.by_hand


async def _tell_checkout(
    work: UnitOfWork, attempt: Attempt, command: RecordPaymentFailed, at: datetime
) -> None:
    session = attempt.subscription.checkout
    if session is None:
        return
    if command.kind is FailureKind.AUTHENTICATION:
        await outcomes.confirmable(work, session, command.message, at=at)
    else:
        code, message = command.code, command.message
        await outcomes.refused(work, session, code=code, message=message, at=at)


async def _refuse_change(
    work: UnitOfWork, attempt: Attempt, command: RecordPaymentFailed, at: datetime
) -> None:
    """The change never comes about, unless the customer only has to confirm the payment."""
    confirmable = command.kind is FailureKind.AUTHENTICATION
    state = attempt.subscription
    if await drop_change(work, state.id, at=at, is_final=not confirmable):
        await keep_portfolio(work, state.id, at=at)
    else:
        await _try_newer_method(work, attempt, state, at)


async def _nothing_else_in_flight(work: UnitOfWork, state: Subscription, but: UUID) -> bool:
    overdue = state.dunning.invoices if state.dunning else ()
    others = [await work.load(INVOICE, invoice_id) for invoice_id in overdue if invoice_id != but]
    return all(invoice.in_flight is None for invoice in others)


async def _record_failure(
    work: UnitOfWork,
    attempt: Attempt,
    command: RecordPaymentFailed,
    follows: list[SubscriptionEvent],
    at: datetime,
) -> None:
    method = attempt.started.method
    failure = Failure(
        kind=command.kind,
        code=command.code,
        message=command.message,
        method_type=method.type,
    )
    state = reduce(SUBSCRIPTION.evolve, follows, attempt.subscription)
    retries = None if _is_of_change(state, command.invoice_id) else state.dunning
    work.record(
        command.invoice_id,
        invoices.record_failure(
            await work.load(INVOICE, command.invoice_id),
            command.attempt,
            failure,
            next_attempt_at=retries.next_retry_at if retries else None,
            at=at,
        ),
    )
    await collecting.fail_order(
        work, command.invoice_id, command.code, command.message, method, at=at
    )
    payment = attempt.payment
    known = await work.load(TRANSACTION, payment.transaction_id)
    facts = transactions.fail(known, payment, code=command.code, message=command.message, at=at)
    work.record(payment.transaction_id, facts, owner=attempt.account.id)


async def _try_newer_method(
    work: UnitOfWork, attempt: Attempt, state: Subscription, at: datetime
) -> None:
    """A newer method came while this attempt was under way: it is tried at once."""
    if attempt.invoice.invoice_id in state.dropped:
        return
    methods = attempt.account.methods
    newer = methods.to_charge(state.payment_method)
    if (
        newer is None
        or state.own_card is not None
        or not (state.is_running or state.status is Status.INCOMPLETE)
    ):
        return
    ages: dict[UUID | None, int] = {method.id: age for age, method in enumerate(methods.methods)}
    started = attempt.started
    tried = started.newest_method if started.by_hand else started.method.id
    if ages[newer.id] > ages.get(tried, -1):
        await collecting.attempt(work, attempt.invoice.invoice_id, newer, at=at)
