"""History of every kind of object comes again: purchases at a checkout and refunds included."""

import pytest

from projections.webhooks.kinds import ANNOUNCEMENTS
from subscribers.webhooks.history import SHOWN
from tests.adapters.receiver import Receiver
from tests.api.test_subscriptions import VISA, sells
from tests.engines import running
from tests.hosted_buyer import HostedBuyer, begin
from tests.webhooks.deliveries import bodies, drained, subscribe, until
from tests.webhooks.test_sending_history_again import ask, settled


pytestmark = pytest.mark.anyio


def test_history_folds_every_table_that_events_are_made_of():
    kept = {table.name for view in SHOWN for table in view.tables}
    announced = {line.table.name for lines in ANNOUNCEMENTS.values() for line in lines}
    assert announced <= kept


async def test_a_checkout_and_a_refund_come_again_byte_for_byte(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        endpoint = await subscribe(client, there.url)
        await sells(client)
        await HostedBuyer(engine, await begin(client)).pays(VISA)
        (order,) = (await client.get("/orders/")).json()["results"]
        for units in (500, 1500):
            part = {"orderId": order["id"], "amountUnits": units}
            assert (await client.post("/refunds/", json=part)).status_code == 200
        kinds = ["checkout.completed", *["refund.created", "refund.updated"] * 2]
        await until(lambda: drained(engine))
        first = [request.body for request in there.requests]
        heard = [body["type"] for body in bodies(there)]
        assert [kind for kind in heard if kind in kinds] == kinds
        await ask(client, endpoint, {"fromPosition": 1})
        await until(lambda: settled(engine))
        assert [request.body for request in there.requests[len(first) :]] == first
