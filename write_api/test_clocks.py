"""Writes about test clocks (design 6)."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from commands.test_clocks.create_test_clock import CreateTestClock
from projections.test_clocks import TEST_CLOCKS
from wire.http.caller import sandbox_caller
from wire.test_clock import TestClockIn
from write_api import answers
from write_api.write import ServerWrite


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
