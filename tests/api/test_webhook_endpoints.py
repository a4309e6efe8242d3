"""Webhook endpoints over HTTP: secrets shown once, bad input refused with the log untouched."""

import pytest

from tests.engines import positions, running


pytestmark = pytest.mark.anyio

HOOK = {"url": "http://127.0.0.1:9/hook", "events": ["invoice.paid", "customer.created"]}
PATH = "/webhook/endpoints/"


async def test_the_secret_is_shown_once(database_url):
    async with running(database_url) as (_, client):
        created = await client.post(PATH, json=HOOK)
        assert created.status_code == 201
        body = created.json()
        secret = body.pop("secret")
        assert secret.startswith("whsec_")
        assert body["events"] == HOOK["events"]
        assert (body["enabled"], body["disabledReason"]) == (True, None)
        assert body["signatureScheme"] == "STANDARD"
        read = await client.get(f"{PATH}{body['id']}/")
        assert read.json() == body
        listed = (await client.get("/webhook/endpoints")).json()
        assert (listed["count"], listed["results"]) == (1, [body])


async def test_a_hex_endpoint_gets_an_opaque_secret(database_url):
    async with running(database_url) as (_, client):
        asked = {**HOOK, "signature_scheme": "HEX"}
        body = (await client.post(PATH, json=asked)).json()
        assert body["secret"].startswith("bs_whsec_")
        assert body["signatureScheme"] == "HEX"


async def test_rotating_shows_the_new_secret(database_url):
    async with running(database_url) as (_, client):
        first = (await client.post(PATH, json=HOOK)).json()
        answered = await client.post(f"{PATH}{first['id']}/rotate-secret/")
        assert answered.status_code == 200
        second = answered.json()
        assert second["secret"].startswith("whsec_")
        assert second["secret"] != first["secret"]
        assert second["id"] == first["id"]


async def test_a_repeated_request_gets_the_same_secret(database_url):
    async with running(database_url) as (engine, client):
        headers = {"Idempotency-Key": "k1"}
        first = await client.post(PATH, json=HOOK, headers=headers)
        before = await positions(engine)
        again = await client.post(PATH, json=HOOK, headers=headers)
        assert again.content == first.content
        assert await positions(engine) == before


async def test_an_endpoint_is_changed_switched_and_deleted(database_url):
    async with running(database_url) as (_, client):
        endpoint = (await client.post(PATH, json=HOOK)).json()
        path = f"{PATH}{endpoint['id']}/"
        off = await client.patch(path, json={"enabled": False, "events": ["*"]})
        assert off.status_code == 200
        assert (off.json()["enabled"], off.json()["disabledReason"]) == (False, "MERCHANT")
        assert off.json()["events"] == ["*"]
        on = await client.patch(path, json={"enabled": True})
        assert (on.json()["enabled"], on.json()["disabledReason"]) == (True, None)
        assert (await client.delete(path)).status_code == 204
        assert (await client.get(path)).status_code == 404
        assert (await client.delete(path)).status_code == 404
        assert (await client.patch(path, json={"enabled": True})).status_code == 404
        assert (await client.get(PATH)).json()["count"] == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"url": "nowhere"}, "url"),
        ({"url": "http://169.254.169.254/latest/"}, "url"),
        ({"url": "https://user:secret@example.com/"}, "url"),
        ({"url": "http://a.example/\x00"}, "url"),
        ({"url": None}, "url"),
        ({"url": 5}, "url"),
        ({"events": ["payment.failed"]}, "events"),
        ({"events": []}, "events"),
        ({"events": "*"}, "events"),
        ({"enabled": "perhaps"}, "enabled"),
        ({"signatureScheme": "MD5"}, "signatureScheme"),
    ],
)
async def test_bad_input_is_refused_by_field(database_url, changes, field):
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        answered = await client.post(PATH, json={**HOOK, **changes})
        assert answered.status_code == 400
        assert any(name.split(".")[0] == field for name in answered.json())
        assert await positions(engine) == before


async def test_an_unknown_endpoint_is_not_found(database_url):
    async with running(database_url) as (_, client):
        for path in ("00000000-0000-0000-0000-000000000000", "not-a-uuid"):
            found = await client.get(f"{PATH}{path}/")
            assert found.status_code in {400, 404}
        rotated = await client.post(f"{PATH}00000000-0000-0000-0000-000000000000/rotate-secret/")
        assert rotated.status_code == 404
        assert rotated.json()["code"] == "webhook_endpoint_not_found"


async def test_a_day_later_a_repeated_request_shows_no_secret(database_url):
    async with running(database_url) as (engine, client):
        headers = {"Idempotency-Key": "k1"}
        first = (await client.post(PATH, json=HOOK, headers=headers)).json()
        async with engine.store.pool.connection() as db:
            aged = await db.execute(
                "UPDATE idempotency SET secret_until = secret_until - interval '25 hours', "
                "created_at = created_at - interval '25 hours' WHERE secret_until IS NOT NULL"
            )
            assert aged.rowcount == 1
        await engine.store.answers.drop_secrets()
        before = await positions(engine)
        again = await client.post(PATH, json=HOOK, headers=headers)
        assert again.status_code == 201
        assert again.json() == {**first, "secret": None}
        assert await positions(engine) == before


async def test_the_scheme_of_an_endpoint_stays(database_url):
    async with running(database_url) as (_, client):
        endpoint = (await client.post(PATH, json=HOOK)).json()
        path = f"{PATH}{endpoint['id']}/"
        other = await client.patch(path, json={"signatureScheme": "HEX"})
        assert other.status_code == 400
        assert "signatureScheme" in other.json()
        same = await client.patch(path, json={"signatureScheme": "STANDARD"})
        assert same.status_code == 200
