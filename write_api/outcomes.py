"""Answers once what a command began at the provider has come to something (design 8)."""

from __future__ import annotations

from fastapi import Response

from commands.awaiting import begun, bookings, outcomes
from commands.bus import Bus
from projections.positions import VIEW_WAIT_SECONDS
from write_api.write import Answer, Done


def settled(bus: Bus, answer: Answer, *, firm: bool = False) -> Answer:
    """Answer once what the command began has come to something, and it shows.

    A provider that is silent has said something too, unless the outcome must be ``firm``.
    """

    async def wait(done: Done) -> Response:
        pending = list(begun(done.facts, firm=firm))
        if not pending:
            return await answer(done)
        await outcomes(bus, pending)
        await bookings(bus, done.facts)
        position = await bus.store.head()
        seen = await done.reader.positions.wait(position, VIEW_WAIT_SECONDS)
        response = await answer(done)
        response.headers["Billstream-Position"] = str(position if seen else done.position)
        return response

    return wait
