"""Reactions run on the spot, so that a step of a clock ends with all it led to.

The same reactions also read the log. They leave alone what a step is busy with, and what one has
handled; so nothing is done twice in one process, and after a crash the log brings it all back.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID

from commands.bus import APPENDED
from kernel.ports.event_store import Append, Receipt, Recorded
from subscribers.runner import Reaction


REMEMBERED = 100_000


class Inline:
    """The steps that are under way, one at a time per customer."""

    def __init__(self, reactions: Sequence[Reaction]) -> None:
        """``reactions`` are those whose outcome decides what falls due next."""
        self._reactions = tuple(reactions)
        self._steps: dict[UUID, asyncio.Event] = {}
        self._handled: OrderedDict[tuple[str, int], None] = OrderedDict()

    def shared(self, reaction: Reaction) -> Reaction:
        """The reaction as a reader of the log runs it: after the steps, and not twice."""

        async def handle(recorded: Recorded) -> None:
            step = self._steps.get(recorded.owner)
            if step is not None:
                await step.wait()
            if (reaction.name, recorded.position) not in self._handled:
                await reaction.handle(recorded)

        return replace(reaction, handle=handle)

    @asynccontextmanager
    async def step(self, owner: UUID) -> AsyncIterator[list[Recorded]]:
        """Whatever is appended within, reactions included, is in the list at the end.

        Another step of the same owner, of a clock that is moved by two at once, waits for this one.
        """
        found: list[Recorded] = []
        while (busy := self._steps.get(owner)) is not None:
            await busy.wait()
        self._steps[owner] = done = asyncio.Event()
        try:
            with APPENDED.collecting() as appended:
                yield found
                await self._react(appended, found)
        finally:
            del self._steps[owner]
            done.set()

    async def _react(self, appended: list[tuple[Append, Receipt]], found: list[Recorded]) -> None:
        """Handle the facts, then those that this led to, until there are no more."""
        while len(appended) > 0:
            for recorded in recorded_of(*appended.pop(0)):
                found.append(recorded)
                for reaction in self._reactions:
                    if type(recorded.fact) in reaction.wants:
                        await reaction.handle(recorded)
                        self._remember(reaction.name, recorded.position)

    def _remember(self, name: str, position: int) -> None:
        self._handled[(name, position)] = None
        if len(self._handled) > REMEMBERED:
            self._handled.popitem(last=False)


def recorded_of(command: Append, receipt: Receipt) -> Iterator[Recorded]:
    """The facts of a command as a reader of the log sees them, but for their stored names."""
    counts: dict[UUID, int] = {}
    for index, new in enumerate(command.facts):
        counts[new.stream] = counts.get(new.stream, 0) + 1
        yield Recorded(
            position=receipt.first + index,
            stream=new.stream,
            version=new.expected + counts[new.stream],
            organization=command.organization,
            owner=new.owner,
            fact=new.fact,
            name="",
            recorded_at=receipt.recorded_at,
            command_id=command.command_id,
            correlation_id=command.correlation_id,
            causation=command.causation,
            actor=command.actor,
            index=index,
        )
