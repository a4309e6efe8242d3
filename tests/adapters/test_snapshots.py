"""Snapshots of readers: the newest two of each."""

import pytest

from adapters.snapshots import PostgresSnapshots
from kernel.ports.snapshots import Snapshot


pytestmark = [pytest.mark.anyio, pytest.mark.postgres]


async def test_the_newest_that_knows_nothing_of_a_position_is_found(postgres_store):
    snapshots = PostgresSnapshots(postgres_store.pool)
    assert await snapshots.before("fees", 99) is None
    for position in (10, 20, 20, 30):
        await snapshots.save("fees", Snapshot(position, b"%d" % position))
    await snapshots.save("others", Snapshot(1, b"other"))
    assert await snapshots.before("fees", 31) == Snapshot(30, b"30")
    assert await snapshots.before("fees", 30) == Snapshot(20, b"20")
    assert await snapshots.before("fees", 20) is None, "only two are kept"
    assert await snapshots.before("others", 2) == Snapshot(1, b"other")
