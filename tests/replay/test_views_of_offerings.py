"""The views of offerings, pricing tables and promotions can be built anew like all others."""

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.api.monetization.showing import catalog, make, offering
from tests.engines import running


pytestmark = pytest.mark.anyio


async def test_verify_finds_no_difference_after_all_that_can_happen(database_url):
    async with running(database_url) as (engine, client):
        await catalog(client)
        made = await offering(client)
        promoted = await make(client, "/monetization/promotions/", {"name": "Fair"})
        table = f"/monetization/pricing-tables/{made['pricingTableId']}/"
        assert (await client.patch(table, json={"layout": {"gap": 8}})).status_code == 200
        path = f"/monetization/offerings/{made['id']}/"
        assert (await client.patch(path, json={"status": "draft"})).status_code == 200
        other = f"/monetization/promotions/{promoted['id']}/"
        assert (await client.patch(other, json={"message": "Hi"})).status_code == 200
        for gone in (table, path, other):
            assert (await client.delete(gone)).status_code == 204
        await engine.positions.wait(await engine.store.head(), 60)
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0
