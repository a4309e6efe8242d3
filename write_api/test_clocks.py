"""Writes about test clocks (design 6)."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Depends, Response

from commands.test_clocks.advance_test_clock import AdvanceTestClock
from commands.test_clocks.create_test_clock import CreateTestClock
from commands.test_clocks.delete_test_clock import DeleteTestClock
from projections.reader import Reader
from projections.test_clocks import ARRIVED, CLEARED, TEST_CLOCKS
from wire.http.caller import sandbox_caller
from wire.test_clock import AdvanceIn, TestClockIn
from write_api import answers
from write_api.write import Answer, Done, ServerWrite


LONGEST_SECONDS = 600.0
"""After this an advance goes on without its client, who reads its ``status``."""

SHORTEST_NAP, LONGEST_NAP = 0.002, 0.1


router = APIRouter(
    prefix="/test-clocks", tags=["Test clocks"], dependencies=[Depends(sandbox_caller)]
)


@router.post("/", status_code=201)
async def create(body: TestClockIn, write: ServerWrite) -> Response:
    """Set up a clock that stands until it is moved."""
    command = CreateTestClock(
        test_clock_id=write.id("test clock"), name=body.name, frozen_time=body.frozen_time
    )
    return await write(command, answers.row(TEST_CLOCKS, status=201))


@router.post("/{test_clock_id}/advance/")
async def advance(test_clock_id: UUID, body: AdvanceIn, write: ServerWrite) -> Response:
    """Move the clock through all that is due on the way; answers when all is done and visible."""
    command = AdvanceTestClock(test_clock_id=test_clock_id, target=body.frozen_time)
    return await write(command, _arrived(test_clock_id, body.frozen_time))


@router.delete("/{test_clock_id}/", status_code=204)
async def delete(test_clock_id: UUID, write: ServerWrite) -> Response:
    """Cancel what lives on the clock and stop its timers; history stays."""
    return await write(DeleteTestClock(test_clock_id=test_clock_id), _cleared(test_clock_id))


def _arrived(clock: UUID, target: datetime) -> Answer:
    async def answer(done: Done) -> Response:
        await _until(done.reader, ARRIVED, (clock, target))
        return await answers.row(TEST_CLOCKS, clock)(done)

    return answer


def _cleared(clock: UUID) -> Answer:
    async def answer(done: Done) -> Response:
        await _until(done.reader, CLEARED, (clock,))
        return await answers.nothing()(done)

    return answer


async def _until(reader: Reader, question: str, parameters: tuple[object, ...]) -> None:
    """Wait for a row, looking again after a tenth of the time that has passed."""
    begun = time.monotonic()
    while not await reader.rows(question, parameters):
        waited = time.monotonic() - begun
        if waited > LONGEST_SECONDS:
            return
        await asyncio.sleep(min(max(SHORTEST_NAP, waited / 10), LONGEST_NAP))
