"""However the log is cut into batches, and whoever projects them, the rows are the same."""

import pytest

from tests.billing_facts import Histories, a_whole_life
from tests.projections.conftest import recorded


pytestmark = pytest.mark.anyio


async def test_every_cut_gives_the_same_rows(projected):
    histories = Histories()
    a_whole_life(histories)
    log = await recorded(histories)
    whole = await projected.project(log)
    assert len(whole["subscriptions"]) == 2
    for cut in range(1, len(log)):
        assert await projected.restarted_between(log[:cut], log[cut:]) == whole, cut
    assert await projected.project(*([fact] for fact in log)) == whole


async def test_lives_that_interleave_do_not_touch_one_another(projected):
    apart, together = Histories(), Histories()
    a_whole_life(apart)
    a_whole_life(together)
    a_whole_life(together, "bob")
    half = len(apart.commands)
    mixed = Histories()
    mixed.commands = [
        command
        for pair in zip(together.commands[:half], together.commands[half:], strict=True)
        for command in pair
    ]
    rows = await projected.project(await recorded(apart))
    both = await projected.project(await recorded(mixed))
    for name in ("subscriptions", "invoices", "orders", "transactions"):
        assert len(both[name]) == 2 * len(rows[name])
