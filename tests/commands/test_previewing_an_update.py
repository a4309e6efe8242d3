"""A preview is the update itself, thrown away (cases 49, 50, 114; traps B 18 and 27)."""

import asyncio
from datetime import timedelta

import pytest

from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.preview_token import PreviewOutdated
from kernel.settings import ProrationBehavior
from tests.billing_world import at
from tests.commands.test_changing_a_subscription import MAY, MID_APRIL, lines, subscribed


NEXT = ProrationBehavior.PRORATE_NEXT_INVOICE


def to_plan(world, amount, **fields):
    return UpdateSubscription(subscription_id=world.number, plan=f"plan-{amount}", **fields)


def preview(world, update):
    return asyncio.run(world.bus.preview(PreviewUpdate(update=update), world.context()))


def test_it_shows_what_is_charged_now_and_next():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    shown = preview(world, to_plan(world, "20.00"))
    assert (shown.recurring.units, shown.immediately.units) == (2000, 500)
    assert lines(shown.next_invoice) == [2000]
    assert shown.next_invoice.balance.due.units == 2000
    assert shown.next_invoice.period.start == MAY


def test_what_is_deferred_shows_on_the_next_invoice():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    shown = preview(world, to_plan(world, "20.00", behavior=NEXT))
    assert shown.immediately.units == 0
    assert lines(shown.next_invoice) == [-500, 1000, 2000]


def test_case_50_a_thousand_previews_append_nothing():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    before = len(world.store.log)
    shown = {preview(world, to_plan(world, "20.00")).preview_id for _ in range(1_000)}
    assert len(shown) == 1
    assert len(world.store.log) == before


def test_case_49_twenty_minutes_later_it_costs_what_was_shown():
    world = subscribed("100.00", "200.00")
    world.to(MID_APRIL)
    update = to_plan(world, "200.00")
    shown = preview(world, update)
    world.to(MID_APRIL + timedelta(minutes=20))
    assert preview(world, update).immediately.units == 4996
    world.do(to_plan(world, "200.00", preview_id=shown.preview_id))
    assert world.invoices()[-1].totals.total.units == shown.immediately.units == 5000


@pytest.mark.parametrize(
    "later", [MID_APRIL + timedelta(minutes=30, microseconds=1), at(2025, 4, 17)]
)
def test_it_holds_for_half_an_hour(later):
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    shown = preview(world, to_plan(world, "20.00"))
    world.to(later)
    with pytest.raises(PreviewOutdated):
        world.do(to_plan(world, "20.00", preview_id=shown.preview_id))


def test_it_never_holds_across_the_end_of_a_period():
    world = subscribed("10.00", "20.00")
    world.to(MAY - timedelta(minutes=5))
    shown = preview(world, to_plan(world, "20.00"))
    world.clock.at = MAY + timedelta(minutes=5)
    with pytest.raises(PreviewOutdated):
        world.do(to_plan(world, "20.00", preview_id=shown.preview_id))


def test_it_is_of_one_request_alone():
    world = subscribed("10.00", "20.00", "30.00")
    world.to(MID_APRIL)
    shown = preview(world, to_plan(world, "20.00"))
    for token in (shown.preview_id, shown.preview_id[:-4], "é", ""):
        with pytest.raises(PreviewOutdated):
            world.do(to_plan(world, "30.00", preview_id=token))


def test_case_114_it_is_used_once():
    world = subscribed("10.00", "20.00")
    world.to(MID_APRIL)
    shown = preview(world, to_plan(world, "20.00"))
    update = to_plan(world, "20.00", preview_id=shown.preview_id)

    async def both():
        tries = (world.bus.dispatch(update, world.context()) for _ in range(2))
        return await asyncio.gather(*tries, return_exceptions=True)

    came = asyncio.run(both())
    assert sorted(type(each).__name__ for each in came) == ["Outcome", "PreviewOutdated"]
    world.react()
    assert len(world.invoices()) == 2
