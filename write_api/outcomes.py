"""Waits for what became of the payments and refunds that a command began (design 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from fastapi import Response

from aggregates.invoice.events import InvoicePaymentStarted
from aggregates.invoice.state import INVOICE, Invoice
from aggregates.refund.events import RefundCreated
from aggregates.refund.events import Status as RefundStatus
from aggregates.refund.state import REFUND, Refund
from commands.bus import Bus
from kernel.fold import Fold
from write_api.write import VIEW_WAIT_SECONDS, Answer, Done


OUTCOME_WAIT_SECONDS = 8.0
"""After this a write answers with the record as it stands (design 8)."""

LOOK_EVERY_SECONDS = 0.05
"""How often the log is asked: the outcome may come from another process."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """What went out to the provider: where its outcome will be recorded, and how to tell."""

    stream: UUID
    fold: Fold[Any]
    is_known: Callable[[Any], bool]


def settled(bus: Bus, answer: Answer, *, firm: bool = False) -> Answer:
    """Answer once what the command began has come to something, and it shows.

    A provider that is silent has said something too, unless the outcome must be ``firm``.
    """

    async def wait(done: Done) -> Response:
        begun = list(_begun(done.facts, firm=firm))
        if not begun:
            return await answer(done)
        try:
            async with asyncio.timeout(OUTCOME_WAIT_SECONDS):
                for each in begun:
                    await _outcome(bus, each)
        except TimeoutError:
            pass
        position = await bus.store.head()
        seen = await done.reader.positions.wait(position, VIEW_WAIT_SECONDS)
        response = await answer(done)
        response.headers["Billstream-Position"] = str(position if seen else done.position)
        return response

    return wait


def _begun(facts: Iterable[Any], *, firm: bool) -> Iterable[_Begun]:
    for fact in facts:
        match fact:
            case InvoicePaymentStarted():
                is_paid = partial(_payment_is_known, attempt=fact.attempt, firm=firm)
                yield _Begun(fact.invoice_id, INVOICE, is_paid)
            case RefundCreated():
                yield _Begun(fact.refund_id, REFUND, partial(_refund_is_known, firm=firm))


async def _outcome(bus: Bus, begun: _Begun) -> None:
    with bus.watches.on(begun.stream) as appended:
        known = _known(bus, begun)
        while not known:
            try:
                async with asyncio.timeout(LOOK_EVERY_SECONDS):
                    await appended.wait()
            except TimeoutError:
                history = await bus.store.load(begun.stream)
                known = begun.is_known(begun.fold.of(history.facts))
            else:
                appended.clear()
                known = _known(bus, begun)


def _known(bus: Bus, begun: _Begun) -> bool:
    """Whether this process has recorded what became of it."""
    cached = bus.cache.get(begun.fold.kind, begun.stream)
    return cached is not None and begun.is_known(cached.state)


def _payment_is_known(invoice: Invoice, *, attempt: int, firm: bool) -> bool:
    if invoice.attempts < attempt:
        return False
    started = invoice.in_flight
    is_over = started is None or started.attempt != attempt
    return is_over or (invoice.is_pending and not firm)


def _refund_is_known(refund: Refund, *, firm: bool) -> bool:
    if refund.created is None:
        return False
    return refund.status is not RefundStatus.PROCESSING or (refund.is_pending and not firm)
