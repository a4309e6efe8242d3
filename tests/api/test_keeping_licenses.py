"""What a merchant does with licenses over HTTP: list, look, change, regenerate, revoke."""

from uuid import uuid4

import pytest

from app.wiring import with_views
from projections import last_seen
from projections.all_views import VIEWS
from replay.verify import verify
from tests.api.license_life import (
    activate,
    active,
    buys,
    deactivate,
    device,
    licensed,
    owned,
    shown,
    validate,
    verdict,
)
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

FIELDS = {
    "id",
    "licenseKey",
    "activatedOn",
    "expiresOn",
    "activationUsage",
    "activationLimit",
    "enabled",
    "status",
    "disabledReason",
    "customer",
    "plan",
    "subscriptionId",
    "orderId",
    "createdOn",
    "modifiedOn",
}
UNKNOWN = str(uuid4())


async def change(client, license_, **body):
    return await client.patch(f"/licenses/{license_['id']}/", json=body)


async def instances(client, license_):
    return (await client.get(f"/licenses/{license_['id']}/instances/")).json()["results"]


async def test_the_record_and_the_list(database_url):
    async with running(database_url) as (_, client):
        await licensed(client)
        sold = [await buys(client, customer_id=name) for name in ("ada", "eve", "bob")]
        first, second, third = [each["license"][0] for each in sold]
        page = (await client.get("/licenses/?page_size=2")).json()
        assert page["count"] == 3
        assert [each["id"] for each in page["results"]] == [third["id"], second["id"]]
        record = await shown(client, first)
        assert set(record) == FIELDS
        assert {key: record[key] for key in first} == first
        (order,) = (await client.get("/orders/?search=ada")).json()["results"]
        assert (record["orderId"], record["subscriptionId"]) == (order["id"], sold[0]["id"])
        assert (record["status"], record["disabledReason"]) == ("ACTIVE", None)
        await change(client, second, enabled=False)
        counts = {
            "customer_id=ada": 1,
            "customer_id=nobody": 0,
            f"subscription_id={sold[1]['id']}": 1,
            f"license_key={third['licenseKey'].lower()}": 1,
            "license_key=unknown": 0,
            "status=ACTIVE": 2,
            "status=DISABLED,EXPIRED": 1,
            "search=PRO": 3,
            "search=eve": 1,
            "status=ACTIVE&search=eve": 0,
        }
        for query, count in counts.items():
            assert (await client.get(f"/licenses/?{query}")).json()["count"] == count, query
        for query, field in (("status=GONE", "status"), ("subscription_id=x", "subscription_id")):
            answer = await client.get(f"/licenses/?{query}")
            assert answer.status_code == 400
            assert field in answer.json()


async def test_a_change_shows_everywhere_at_once(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        answer = await change(client, license_, activationLimit=7, expires_on="2040-02-01")
        assert answer.status_code == 200, answer.text
        assert answer.json() == await shown(client, license_)
        assert answer.json()["expiresOn"] == "2040-02-01T00:00:00Z"
        (sold,) = (await client.get("/subscriptions/?customer_id=ada")).json()["results"]
        (brief,) = sold["license"]
        assert (brief["activationLimit"], brief["expiresOn"]) == (7, "2040-02-01T00:00:00Z")
        before = await positions(engine)
        for same in ({"activationLimit": 7}, {"expiresOn": "2040-02-01T00:00:00Z"}, {}):
            assert (await change(client, license_, **same)).json() == answer.json()
        assert (await change(client, license_, enabled=True)).json() == answer.json()
        assert await positions(engine) == before
        endless = await change(client, license_, activationLimit=None, expiresOn=None)
        assert (endless.json()["activationLimit"], endless.json()["expiresOn"]) == (0, None)


async def test_a_smaller_limit_takes_nobodys_place(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        used = [await active(client, license_, name) for name in ("laptop", "phone")]
        assert (await change(client, license_, activationLimit=1)).json()["activationUsage"] == 2
        for each in used:
            assert await verdict(client, license_, each["instanceId"]) == (200, "VALID")
        await deactivate(client, license_, used[0]["instanceId"])
        assert (await activate(client, license_, "tablet")).status_code == 403


async def test_deactivated_is_for_good(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        gone = (await change(client, license_, enabled=False)).json()
        assert (gone["enabled"], gone["status"]) == (False, "DISABLED")
        assert gone["disabledReason"] == "MERCHANT"
        before = await positions(engine)
        for body in ({"enabled": True}, {"activationLimit": 5}, {"expiresOn": None}):
            refused = await change(client, license_, **body)
            assert refused.status_code == 400, (body, refused.text)
            assert set(refused.json()) == {"error", "code"}
        path = f"/licenses/{license_['id']}/regenerate/"
        assert (await client.post(path)).status_code == 400
        assert (await change(client, license_, enabled=False)).json() == gone
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"activationLimit": -1}, "activationLimit"),
        ({"activationLimit": 101}, "activationLimit"),
        ({"activation_limit": "7"}, "activationLimit"),
        ({"activationLimit": True}, "activationLimit"),
        ({"expiresOn": "2001-01-01"}, "expiresOn"),
        ({"expiresOn": "soon"}, "expiresOn"),
        ({"enabled": None}, "enabled"),
        ({"enabled": "no"}, "enabled"),
    ],
)
async def test_bad_changes_leave_the_log_untouched(database_url, body, field):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        before = await positions(engine)
        refused = await change(client, license_, **body)
        assert refused.status_code == 400, refused.text
        assert list(refused.json()) == [field]
        assert await positions(engine) == before


async def test_another_key_makes_the_old_one_unknown_at_once(database_url):
    async with running(database_url) as (engine, client), device(engine) as edge:
        license_ = await owned(client, {"activationLimit": 1})
        instance = (await active(client, license_, "laptop"))["instanceId"]
        headers = {"Idempotency-Key": "new-key"}
        path = f"/licenses/{license_['id']}/regenerate/"
        new = await client.post(path, headers=headers)
        assert new.status_code == 200, new.text
        again = await client.post(path, headers=headers)
        assert again.content == new.content
        assert new.json()["licenseKey"] != license_["licenseKey"]
        assert (new.json()["id"], new.json()["activationUsage"]) == (license_["id"], 0)
        for door in (client, edge):
            assert await verdict(door, license_, instance) == (404, "INVALID_KEY")
            assert await verdict(door, new.json()) == (200, "VALID")
            assert await verdict(door, new.json(), instance) == (404, "INSTANCE_NOT_FOUND")
        assert (await activate(client, license_, "laptop")).status_code == 404
        assert (await deactivate(client, license_, instance)).status_code == 404
        assert await instances(client, license_) == []
        other = await active(client, new.json(), "laptop")
        assert other["instanceId"] != instance
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0


async def test_one_instance_is_revoked_and_the_others_stay(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        metadata = {"os": "x"}
        laptop = await active(client, license_, "laptop", metadata=metadata)
        phone = await active(client, license_)
        newest, oldest = await instances(client, license_)
        assert (newest["id"], newest["instanceName"]) == (phone["instanceId"], None)
        assert oldest == {
            "id": laptop["instanceId"],
            "instanceName": "laptop",
            "metadata": metadata,
            "activatedAt": laptop["activatedAt"],
            "lastSeenAt": None,
        }
        path = f"/licenses/{license_['id']}/instances/{laptop['instanceId']}/"
        assert (await client.delete(path)).status_code == 204
        assert [each["id"] for each in await instances(client, license_)] == [newest["id"]]
        assert await verdict(client, license_, laptop["instanceId"]) == (404, "INSTANCE_NOT_FOUND")
        before = await positions(engine)
        assert (await client.delete(path)).status_code == 404
        assert await positions(engine) == before


async def test_what_is_not_there_is_404(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        here = license_["id"]
        for method, path in (
            ("GET", f"/licenses/{UNKNOWN}/"),
            ("GET", "/licenses/nonsense/"),
            ("GET", f"/licenses/{UNKNOWN}/instances/"),
            ("PATCH", f"/licenses/{UNKNOWN}/"),
            ("PATCH", "/licenses/nonsense/"),
            ("POST", f"/licenses/{UNKNOWN}/regenerate/"),
            ("DELETE", f"/licenses/{UNKNOWN}/instances/{UNKNOWN}/"),
            ("DELETE", f"/licenses/{here}/instances/{UNKNOWN}/"),
            ("DELETE", f"/licenses/{here}/instances/nonsense/"),
        ):
            body = {} if method in {"PATCH", "POST"} else None
            answer = await client.request(method, path, json=body)
            assert answer.status_code == 404, (method, path, answer.text)
            assert set(answer.json()) == {"error", "code"}


async def test_validating_shows_when_an_instance_was_seen(database_url):
    async with running(database_url) as (engine, client), device(engine) as edge:
        license_ = await owned(client)
        ids = [(await active(client, license_, name))["instanceId"] for name in ("a", "b")]
        await validate(edge, license_, ids[0])
        await validate(edge, license_)
        seen = {each["id"]: each["lastSeenAt"] for each in await instances(client, license_)}
        assert seen[ids[0]] >= (await shown(client, license_))["activatedOn"]
        assert seen[ids[1]] is None
        before = await positions(engine)
        await validate(client, license_, ids[0])
        assert await positions(engine) == before


async def test_a_sighting_that_cannot_be_kept_refuses_nobody(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        instance = (await active(client, license_, "laptop"))["instanceId"]
        async with engine.store.pool.connection() as db:
            await db.execute(f"ALTER TABLE {last_seen.TABLE} RENAME TO gone")
        assert await verdict(client, license_, instance) == (200, "VALID")
