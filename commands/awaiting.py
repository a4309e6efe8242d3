"""Waits for what providers make of what a command began (design 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from aggregates.checkout.state import CHECKOUT, Checkout
from aggregates.invoice.events import InvoicePaymentStarted
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.invoice.state import INVOICE, Invoice
from aggregates.refund.events import RefundCreated
from aggregates.refund.events import Status as RefundStatus
from aggregates.refund.state import REFUND, Refund
from aggregates.transaction.state import TRANSACTION, Transaction, transaction_id
from aggregates.transaction.state import Status as TransactionStatus
from commands.bus import Bus
from kernel.checkout_link import stream_of
from kernel.fold import Fold
from kernel.tenant import Tenant


BOOKING_WAIT_SECONDS = 2.0
"""After this an answer does not wait for the fee of a payment any longer: it shows later."""

OUTCOME_WAIT_SECONDS = 8.0
"""After this the record is shown as it stands (design 8)."""

LOOK_EVERY_SECONDS = 0.05
"""How often the log is asked: the outcome may come from another process."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """What went out to the provider: where its outcome will be recorded, and how to tell."""

    stream: UUID
    fold: Fold[Any]
    is_known: Callable[[Any], bool]


def payment(invoice_id: UUID, attempt: int, *, firm: bool = False) -> Awaited:
    """An attempt to collect; silence is an outcome too, unless it must be ``firm``."""
    return Awaited(invoice_id, INVOICE, partial(_payment_is_known, attempt=attempt, firm=firm))


def refund(refund_id: UUID, *, firm: bool = False) -> Awaited:
    """A refund; silence is an outcome too, unless it must be ``firm``."""
    return Awaited(refund_id, REFUND, partial(_refund_is_known, firm=firm))


def checkout(tenant: Tenant, session_id: str, attempt: int) -> Awaited:
    """An attempt at a checkout session; silence, or a bank that asks, is an outcome too."""
    return Awaited(
        stream_of(tenant, session_id), CHECKOUT, partial(_checkout_is_known, attempt=attempt)
    )


def begun(facts: Iterable[Any], *, firm: bool = False) -> Iterator[Awaited]:
    """What went out to providers with some facts."""
    for fact in facts:
        match fact:
            case InvoicePaymentStarted():
                yield payment(fact.invoice_id, fact.attempt, firm=firm)
            case RefundCreated():
                yield refund(fact.refund_id, firm=firm)


async def outcome(bus: Bus, awaited: Awaited) -> None:
    """Return once it is known."""
    with bus.watches.on(awaited.stream) as appended:
        known = _known(bus, awaited)
        while not known:
            try:
                async with asyncio.timeout(LOOK_EVERY_SECONDS):
                    await appended.wait()
            except TimeoutError:
                history = await bus.store.load(awaited.stream)
                known = awaited.is_known(awaited.fold.of(history.facts))
            else:
                appended.clear()
                known = _known(bus, awaited)


async def outcomes(bus: Bus, awaited: Iterable[Awaited]) -> None:
    """Return once all are known, or when that has taken too long."""
    try:
        async with asyncio.timeout(OUTCOME_WAIT_SECONDS):
            for each in awaited:
                await outcome(bus, each)
    except TimeoutError:
        return


async def bookings(bus: Bus, facts: Iterable[Any]) -> None:
    """Return once what was paid has its fee and shows as a transaction, or soon without."""
    started = [fact for fact in facts if isinstance(fact, InvoicePaymentStarted)]
    try:
        async with asyncio.timeout(BOOKING_WAIT_SECONDS):
            for each in started:
                if await _is_paid(bus, each.invoice_id):
                    booked = transaction_id(each.invoice_id, each.attempt)
                    await outcome(bus, Awaited(booked, TRANSACTION, _is_booked))
    except TimeoutError:
        return


async def _is_paid(bus: Bus, invoice_id: UUID) -> bool:
    cached = bus.cache.get(INVOICE.kind, invoice_id)
    if cached is not None and cached.state.status is InvoiceStatus.PAID:
        return True
    invoice: Invoice = INVOICE.of((await bus.store.load(invoice_id)).facts)
    return invoice.status is InvoiceStatus.PAID


def _is_booked(transaction: Transaction) -> bool:
    return transaction.status in {TransactionStatus.SUCCESS, TransactionStatus.FAILURE}


def _known(bus: Bus, awaited: Awaited) -> bool:
    """Whether this process has recorded what became of it."""
    cached = bus.cache.get(awaited.fold.kind, awaited.stream)
    return cached is not None and awaited.is_known(cached.state)


def _payment_is_known(invoice: Invoice, *, attempt: int, firm: bool) -> bool:
    if invoice.attempts < attempt:
        return False
    started = invoice.in_flight
    is_over = started is None or started.attempt != attempt
    return is_over or (invoice.is_pending and not firm)


def _checkout_is_known(session: Checkout, *, attempt: int) -> bool:
    if session.completed is None and session.attempts < attempt:
        return False
    started = session.in_flight
    is_over = started is None or started.attempt != attempt
    return is_over or session.awaits_authentication or session.is_pending


def _refund_is_known(refund: Refund, *, firm: bool) -> bool:
    if refund.created is None:
        return False
    return refund.status is not RefundStatus.PROCESSING or (refund.is_pending and not firm)
