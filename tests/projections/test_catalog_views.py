"""The catalog's facts as rows, however they arrive."""

import pytest

from aggregates.plan.state import PLAN
from projections.plans import version_of
from tests.catalog_life import Shop, a_whole_catalog


pytestmark = pytest.mark.anyio

VIEWS = ("products", "product_settings", "features", "plans", "plan_versions")


@pytest.fixture
async def log():
    shop = Shop()
    await a_whole_catalog(shop)
    return shop.store.log


async def test_every_cut_of_the_log_gives_the_same_rows(projected, log):
    whole = await projected.project(log)
    assert [len(whole[name]) for name in VIEWS] == [2, 2, 2, 2, 4]
    for cut in range(1, len(log)):
        assert await projected.restarted_between(log[:cut], log[cut:]) == whole, cut


async def test_a_fact_that_comes_twice_changes_nothing_more(projected, log):
    whole = await projected.project(log)
    assert await projected.project(*([fact, fact] for fact in log)) == whole


async def test_rows_hold_the_versions_that_decisions_see(projected, log):
    await projected.project(log)
    streams = {recorded.stream for recorded in log if recorded.name.startswith("plan.")}
    for stream in streams:
        state = PLAN.of([recorded.fact for recorded in log if recorded.stream == stream])
        rows = await projected.documents("plan_versions", "plan_id", stream)
        shown = {row["version"]: version_of(row) for row in rows}
        assert shown == {version.number: version for version in state.versions}
        (plan,) = await projected.documents("plans", "id", stream)
        assert plan["newest_version"] == state.newest.number
        assert plan["published_version"] == state.published.number
