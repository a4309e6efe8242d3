"""Waiting until a reader of the log has got somewhere."""

import pytest

from projections.positions import Positions


pytestmark = pytest.mark.anyio


async def test_who_begins_to_wait_is_announced():
    asked = []
    positions = Positions(lambda: asked.append(True))
    positions.reached(3)
    assert await positions.wait(3, 0)
    assert asked == []
    assert not await positions.wait(4, 0)
    assert asked == [True]
