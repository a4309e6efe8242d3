"""Waits for what became of the payments that a command began (design 8)."""

from __future__ import annotations

import asyncio

from fastapi import Response

from aggregates.invoice.events import InvoicePaymentStarted
from aggregates.invoice.state import INVOICE, Invoice
from commands.bus import Bus
from write_api.write import VIEW_WAIT_SECONDS, Answer, Done


OUTCOME_WAIT_SECONDS = 8.0
"""After this a write answers with the record as it stands (design 8)."""

LOOK_EVERY_SECONDS = 0.05
"""How often the log is asked: the outcome may come from another process."""


def settled(bus: Bus, answer: Answer) -> Answer:
    """Answer once the payments that the command began have come to something, and it shows."""

    async def wait(done: Done) -> Response:
        begun = [fact for fact in done.facts if isinstance(fact, InvoicePaymentStarted)]
        if not begun:
            return await answer(done)
        try:
            async with asyncio.timeout(OUTCOME_WAIT_SECONDS):
                for fact in begun:
                    await _outcome(bus, fact)
        except TimeoutError:
            pass
        position = await bus.store.head()
        seen = await done.reader.positions.wait(position, VIEW_WAIT_SECONDS)
        response = await answer(done)
        response.headers["Billstream-Position"] = str(position if seen else done.position)
        return response

    return wait


async def _outcome(bus: Bus, begun: InvoicePaymentStarted) -> None:
    with bus.watches.on(begun.invoice_id) as appended:
        known = _known(bus, begun)
        while not known:
            try:
                async with asyncio.timeout(LOOK_EVERY_SECONDS):
                    await appended.wait()
            except TimeoutError:
                history = await bus.store.load(begun.invoice_id)
                known = _is_known(INVOICE.of(history.facts), begun.attempt)
            else:
                appended.clear()
                known = _known(bus, begun)


def _known(bus: Bus, begun: InvoicePaymentStarted) -> bool:
    """Whether this process has recorded what became of the attempt."""
    cached = bus.cache.get(INVOICE.kind, begun.invoice_id)
    return cached is not None and _is_known(cached.state, begun.attempt)


def _is_known(invoice: Invoice, attempt: int) -> bool:
    if invoice.attempts < attempt:
        return False
    started = invoice.in_flight
    return started is None or started.attempt != attempt or invoice.is_pending
