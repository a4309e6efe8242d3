"""Usage over HTTP: reported, counted, split, corrected, refused."""

import asyncio
import re
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID

import httpx
import pytest

from tests.billing_facts import Buyer, Histories
from tests.catalog_builders import SEATS, SSO, granted
from tests.catalog_requests import create_feature
from tests.engines import ORGANIZATION, SERVER_KEY, FixedKeys, positions, running


pytestmark = pytest.mark.anyio

USED = {"customerId": "ada", "featureId": "seats", "behaviour": "DELTA", "value": 1}


@asynccontextmanager
async def selling(database_url, *limits, **fields):
    """Core and edge of a merchant whose customer holds one subscription per limit."""
    async with running(database_url) as (engine, client):
        made = await create_feature(client)
        await create_feature(client, name="SSO", featureType="BOOLEAN")
        assert made["identifier"] == "seats"
        happened, seats = Histories(), replace(SEATS, id=UUID(made["id"]))
        ada = Buyer(happened)
        for number, limit in enumerate(limits):
            grant = granted(seats, limit, unlimited=limit is None, **fields)
            ada.subscribes(name=str(number), grants=(grant, granted(SSO)))
        await happened.append_to(engine.store)
        await engine.positions.wait(await engine.store.head(), 60)
        async with edge_of(engine) as edge:
            yield engine, client, edge


@asynccontextmanager
async def edge_of(engine):
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(engine.edge_app(FixedKeys())),
        base_url="https://edge.example/api/v1",
        headers={"Authorization": f"Bearer {SERVER_KEY}"},
    ) as client:
        yield client


async def report(client, value, behaviour="DELTA", status=200, **fields):
    body = USED | {"value": value, "behaviour": behaviour} | fields
    answer = await client.post("/report/usage/", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def items(edge, feature="seats"):
    params = {"customer_id": "ada", "feature_id": feature}
    return (await edge.get("/entitlements/", params=params)).json()["entitlements"]


async def used(edge):
    return [item["currentUsage"] for item in await items(edge)]


async def test_the_answer_has_exactly_these_fields(database_url):
    async with selling(database_url, 5) as (_, client, _):
        answer = await report(client, 3, resourceId="r1")
        assert list(answer) == [
            "value", "customerId", "featureId", "behaviour", "orgId", "eventName",
            "idempotencyKey", "timestamp", "resourceId",
        ]  # fmt: skip
        assert answer["orgId"] == str(ORGANIZATION)
        assert re.fullmatch("[0-9a-f]{32}", answer["idempotencyKey"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}", answer["timestamp"])
        assert "resourceId" not in await report(client, 3)


async def test_both_spellings(database_url):
    async with selling(database_url, 5) as (_, client, edge):
        body = {"customer_id": "ada", "feature_id": "seats", "behaviour": "SET", "value": 2}
        assert (await client.post("/report/usage/", json=body)).status_code == 200
        assert await used(edge) == [2]


async def test_set_replaces_delta_adds_and_nothing_falls_below_zero(database_url):
    async with selling(database_url, 5) as (_, client, edge):
        steps = [(4, "SET", 4), (3, "DELTA", 7), (-5, "DELTA", 2), (-9, "DELTA", 0), (1, "SET", 1)]
        for value, behaviour, left in steps:
            await report(client, value, behaviour)
            (item,) = await items(edge)
            assert item["currentUsage"] == left
            assert item["remaining"] == max(0, 5 - left)
            assert item["hasAccess"] is (left < 5)
            assert item["usageLimit"] == 5


async def test_usage_is_split_oldest_subscription_first(database_url):
    async with selling(database_url, 2, 3) as (_, client, edge):
        for value, split in ((1, [1, 0]), (3, [2, 2]), (9, [2, 11]), (-10, [2, 1]), (-2, [1, 0])):
            await report(client, value)
            assert await used(edge) == split
        await report(client, 4, "SET")
        found = await items(edge)
        assert [item["remaining"] for item in found] == [0, 1]
        assert [item["hasAccess"] for item in found] == [False, True]


async def test_without_a_limit_nothing_flows_over(database_url):
    async with selling(database_url, None, 3) as (_, client, edge):
        await report(client, 1_000)
        first, second = await items(edge)
        assert (first["currentUsage"], first["remaining"], first["hasAccess"]) == (
            1_000,
            None,
            True,
        )
        assert second["currentUsage"] == 0


async def test_what_is_used_beyond_a_hard_limit_is_counted_too(database_url):
    async with selling(database_url, 2, hard_limit=True) as (_, client, edge):
        await report(client, 5)
        (item,) = await items(edge)
        assert (item["currentUsage"], item["remaining"], item["hasAccess"]) == (5, 0, False)
        assert item["hardLimit"] is True


async def test_fifty_at_once_add_up(database_url):
    async with selling(database_url, 20, 10) as (_, client, edge):
        await asyncio.gather(*(report(client, 1) for _ in range(50)))
        assert await used(edge) == [20, 30]


async def test_an_idempotency_key_counts_once(database_url):
    async with selling(database_url, 5) as (_, client, edge):
        headers = {"Idempotency-Key": "once"}
        first = await client.post("/report/usage/", json=USED, headers=headers)
        again = await client.post("/report/usage/", json=USED, headers=headers)
        assert again.json() == first.json()
        assert await used(edge) == [1]
        await report(client, 1)
        await report(client, 1)
        assert await used(edge) == [3]


@pytest.mark.parametrize(
    ("change", "status", "found"),
    [
        ({"customerId": "nobody"}, 404, "customer_not_found"),
        ({"featureId": "nothing"}, 404, "feature_not_found"),
        ({"featureId": "sso"}, 400, "feature_is_not_metered"),
        ({"behaviour": "SET", "value": -1}, 400, "behaviour"),
        ({"behaviour": "ADD"}, 400, "behaviour"),
        ({"value": 1.5}, 400, "value"),
        ({"value": "1"}, 400, "value"),
        ({"value": True}, 400, "value"),
        ({"value": 10**13}, 400, "value"),
        ({"customerId": ""}, 400, "customerId"),
        ({"featureId": ""}, 400, "featureId"),
    ],
)
async def test_what_is_refused(module_database_url, change, status, found):
    async with running(module_database_url) as (engine, client):
        if (await client.get("/customers/ada/")).status_code == 404:
            await client.post("/customers/", json={"customerId": "ada"})
            await create_feature(client)
            await create_feature(client, name="SSO", featureType="BOOLEAN")
        before = await positions(engine)
        answer = await client.post("/report/usage/", json=USED | change)
        assert answer.status_code == status, answer.text
        assert found in {answer.json().get("code"), *answer.json()}
        assert await positions(engine) == before


async def test_what_nobody_grants_is_taken_and_counts_nowhere(database_url):
    async with selling(database_url) as (_, client, edge):
        await report(client, 3)
        assert await items(edge) == []


async def test_a_client_key_may_not_report(database_url):
    async with selling(database_url, 5) as (_, client, edge):
        headers = {"Authorization": "Bearer client_sandbox_test"}
        answer = await client.post("/report/usage/", json=USED, headers=headers)
        assert answer.status_code == 403
        assert await used(edge) == [0]
