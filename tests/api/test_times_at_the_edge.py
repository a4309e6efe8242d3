"""Times that are none in UTC, or none in the database: a 400, and an untouched log."""

import pytest

from tests.engines import positions, running
from tests.webhooks.deliveries import subscribe


pytestmark = pytest.mark.anyio

BEYOND = "9999-12-31T23:59:59-14:00"
BEFORE = "0001-01-01T00:00:00+14:00"


@pytest.mark.parametrize("at", [BEYOND, BEFORE])
async def test_they_are_refused(module_database_url, at):
    async with running(module_database_url) as (engine, client):
        key = (await client.post("/organizations/keys/", json={"kind": "client"})).json()["id"]
        before = await positions(engine)
        for method, path, body in (
            ("POST", "/organizations/keys/", {"kind": "client", "expiresAt": at}),
            ("PATCH", f"/organizations/keys/{key}/", {"expiresAt": at}),
            ("POST", "/test-clocks/", {"frozenTime": at}),
            ("POST", "/discount/", {"expiresAt": at}),
            ("GET", "/orders/", {"start_date": at}),
            ("GET", "/webhook/logs/", {"end_date": at}),
        ):
            sent = {"params" if method == "GET" else "json": body}
            answer = await client.request(method, path, **sent)
            assert answer.status_code == 400, (path, answer.text)
            assert set(answer.json()) & set(body), (path, answer.text)
        assert await positions(engine) == before


async def test_a_replay_of_such_a_stretch_does_not_stand_in_the_way_of_others(module_database_url):
    """PostgreSQL would keep the year 10000, and nobody could read the wish again."""
    async with running(module_database_url, "views") as (engine, client):
        path = f"{(await subscribe(client, 'http://127.0.0.1:9/'))['id']}/replay/"
        wish = {"from": "2026-01-01T00:00:00Z", "to": BEYOND}
        answer = await client.post(f"/webhook/endpoints/{path}", json=wish)
        assert (answer.status_code, list(answer.json())) == (400, ["to"])
        async with engine.pool.connection() as db:
            found = await db.execute("SELECT count(*) FROM webhooks.replays")
            assert await found.fetchone() == (0,)
