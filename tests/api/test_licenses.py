"""Licenses over HTTP: issued, activated, validated, deactivated; every field and every code."""

import re
from uuid import uuid4

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.api.license_life import (
    activate,
    active,
    browser,
    buys,
    deactivate,
    device,
    licensed,
    owned,
    shown,
    validate,
    verdict,
)
from tests.api.test_subscriptions import DECLINED, VISA, customer
from tests.engines import positions, running
from tests.webhooks.deliveries import until


pytestmark = pytest.mark.anyio

BRIEF = {
    "id",
    "licenseKey",
    "activatedOn",
    "expiresOn",
    "activationUsage",
    "activationLimit",
    "enabled",
}
SUBSCRIPTION = {
    "id",
    "recurrence",
    "billingPeriodStartTime",
    "billingPeriodEndTime",
    "startDate",
    "endDate",
    "status",
    "amount",
    "currency",
    "trialDaysRemaining",
    "billingType",
    "recurrenceUnit",
    "recurrenceType",
}
UUID_TEXT = r"[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}"


def is_a_license(found):
    """Exactly the fields of the spec's license object, at every depth."""
    assert set(found) == BRIEF | {"customer", "plan", "subscription"}
    assert set(found["customer"]) == {"customerId", "name", "email"}
    assert set(found["plan"]) == {"identifier", "name", "product"}
    assert set(found["plan"]["product"]) == {"id", "identifier", "name", "taxCode"}
    assert set(found["subscription"]) == SUBSCRIPTION
    return found


async def test_the_key_comes_with_the_first_order_and_shows_in_all_records(database_url):
    async with running(database_url) as (engine, client):
        await licensed(client)
        sold = await buys(client)
        (license_,) = sold["license"]
        assert set(license_) == BRIEF
        assert re.fullmatch(f"PRO-{UUID_TEXT}", license_["licenseKey"])
        assert (license_["activationUsage"], license_["activationLimit"]) == (0, 3)
        assert (license_["activatedOn"], license_["expiresOn"]) == (None, None)
        assert license_["enabled"] is True
        await active(client, license_, "laptop")
        for path in ("/orders/", "/invoices/", "/subscriptions/?customer_id=ada"):
            (record,) = (await client.get(path)).json()["results"]
            (live,) = record["license"]
            assert (live["id"], live["activationUsage"]) == (license_["id"], 1), path
            assert live["activatedOn"] is not None
        refunded = await client.post(
            "/refunds/", json={"orderId": (await orders(client))[0]["id"], "amountUnits": 1}
        )
        assert refunded.json()["order"]["license"] == [live]
        verified = await verify(
            with_views(database_url), engine.store, VIEWS, None, lambda *_: None
        )
        assert verified.differing == 0


async def orders(client):
    return (await client.get("/orders/")).json()["results"]


async def test_no_key_is_in_clear_in_the_log(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        await active(client, license_, "Ada's laptop", metadata={"owner": "Ada"})
        async with engine.store.pool.connection() as db:
            found = await db.execute("SELECT string_agg(e::text, '') FROM events e")
            (text,) = await found.fetchone()
        shown_as_bytes = [license_["licenseKey"], "Ada's laptop"]
        for secret in shown_as_bytes:
            assert secret not in text
            assert secret.encode().hex() not in text


async def test_activation_answers_with_exactly_the_fields_of_the_spec(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(
            client, {"hasExpiry": True, "durationUnit": "YEAR", "durationValue": 1}
        )
        answer = await active(client, license_, "laptop", customerId="ada", metadata={"os": "x"})
        assert set(answer) == {"instanceId", "activatedAt", "expiresOn", "license"}
        found = is_a_license(answer["license"])
        assert answer["expiresOn"] == found["expiresOn"] == license_["expiresOn"]
        assert (found["activationUsage"], found["activatedOn"]) == (1, answer["activatedAt"])
        assert found["customer"]["customerId"] == "ada"
        subscription = found["subscription"]
        assert (subscription["recurrence"], subscription["recurrenceType"]) == ("1 month", "MONTH")
        assert (subscription["amount"], subscription["currency"]) == ("20.00", "usd")
        assert (subscription["status"], subscription["trialDaysRemaining"]) == ("active", 0)
        record = (await client.get(f"/subscriptions/{subscription['id']}/")).json()
        assert {key: record[key] for key in SUBSCRIPTION} == subscription


async def test_case_116_over_http(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client, {"activationLimit": 1})
        first = await active(client, license_, "laptop")
        before = await positions(engine)
        assert await active(client, license_, "laptop") == first
        refused = await activate(client, license_, "phone")
        assert refused.status_code == 403
        assert set(refused.json()) == {"error", "code"}
        assert "1 of 1" in refused.json()["error"]
        assert await positions(engine) == before
        assert (await shown(client, license_))["activationUsage"] == 1


async def test_without_a_name_every_activation_is_another_instance(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        ids = {(await active(client, license_))["instanceId"] for _ in range(3)}
        assert len(ids) == 3
        assert (await activate(client, license_, "")).status_code == 403


async def test_no_limit_is_zero_and_never_refuses(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client, {"activationLimitEnabled": False})
        assert license_["activationLimit"] == 0
        for number in range(5):
            answer = await active(client, license_, f"machine {number}")
        assert answer["license"]["activationUsage"] == 5


async def test_deactivating_frees_the_place_once(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client, {"activationLimit": 1})
        instance = (await active(client, license_, "laptop"))["instanceId"]
        answer = await deactivate(client, license_, instance)
        assert answer.status_code == 200, answer.text
        assert set(answer.json()) == {"message", "deactivatedAt"}
        before = await positions(engine)
        again = await deactivate(client, license_, instance)
        assert (again.status_code, set(again.json())) == (404, {"error", "code"})
        assert await positions(engine) == before
        assert (await shown(client, license_))["activationUsage"] == 0
        assert (await verdict(client, license_)) == (200, "VALID")
        other = await active(client, license_, "phone")
        assert other["instanceId"] != instance
        assert other["license"]["activatedOn"] == (await shown(client, license_))["activatedOn"]


async def test_every_code_of_validation(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        instance = (await active(client, license_, "laptop", metadata={"os": "x", "n": [1]}))[
            "instanceId"
        ]
        answer = (await validate(client, license_, instance)).json()
        assert set(answer) == {"valid", "code", "detail", "metadata", "license"}
        assert (answer["valid"], answer["code"]) == (True, "VALID")
        assert answer["metadata"] == {"os": "x", "n": [1]}
        is_a_license(answer["license"])
        assert (await validate(client, license_)).json()["metadata"] == {}
        for body, code in (
            ({"licenseKey": "LIC-" + str(uuid4())}, "INVALID_KEY"),
            (
                {"licenseKey": license_["licenseKey"], "instanceId": str(uuid4())},
                "INSTANCE_NOT_FOUND",
            ),
        ):
            unknown = await client.post("/license/validate/", json=body)
            assert unknown.status_code == 404
            detail = unknown.json().pop("detail")
            assert unknown.json() == {
                "valid": False,
                "code": code,
                "detail": detail,
                "metadata": {},
            }
        await client.patch(f"/licenses/{license_['id']}/", json={"enabled": False})
        assert await verdict(client, license_, instance) == (200, "INVALID")
        refused = await activate(client, license_, "laptop")
        assert (refused.status_code, refused.json()["code"]) == (403, "license_disabled")
        assert (await deactivate(client, license_, instance)).status_code == 200
        assert await verdict(client, license_, instance) == (404, "INSTANCE_NOT_FOUND")


async def test_keys_are_found_however_people_copy_them(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        copied = {"licenseKey": f"  {license_['licenseKey'].lower()} "}
        assert await verdict(client, copied) == (200, "VALID")
        assert (await active(client, copied, "x"))["license"]["licenseKey"] == license_[
            "licenseKey"
        ]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("activate", {}, "licenseKey"),
        ("activate", {"licenseKey": ""}, "licenseKey"),
        ("activate", {"licenseKey": None}, "licenseKey"),
        ("activate", {"licenseKey": "x", "metadata": "text"}, "metadata"),
        ("activate", {"licenseKey": "x", "instanceName": "a\x00b"}, "instanceName"),
        ("activate", {"licenseKey": "x", "instance_name": "a" * 501}, "instanceName"),
        ("activate", {"licenseKey": "x" * 256}, "licenseKey"),
        ("deactivate", {"instanceId": str(uuid4())}, "licenseKey"),
        ("deactivate", {"license_key": "x"}, "instanceId"),
        ("deactivate", {"licenseKey": "x", "instanceId": "laptop"}, "instanceId"),
        ("validate", {"instance_id": str(uuid4())}, "licenseKey"),
        ("validate", {"licenseKey": "x", "instanceId": 7}, "instanceId"),
    ],
)
async def test_what_is_missing_or_wrong_is_told_by_field(database_url, path, body, field):
    async with running(database_url) as (engine, client), device(engine) as edge:
        doors = [client, edge] if path == "validate" else [client]
        for door in doors:
            answer = await door.post(f"/license/{path}/", json=body)
            assert answer.status_code == 400, answer.text
            assert list(answer.json()) == [field]
            assert all(isinstance(each, str) for each in answer.json()[field])


async def test_another_customers_key_does_not_exist(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        await customer(client, customer_id="eve")
        before = await positions(engine)
        for whose in ("eve", "nobody"):
            answer = await activate(client, license_, "laptop", customer_id=whose)
            assert (answer.status_code, set(answer.json())) == (404, {"error", "code"})
        unknown = await activate(client, {"licenseKey": "LIC-1"}, "laptop")
        assert (unknown.status_code, set(unknown.json())) == (404, {"error", "code"})
        assert await positions(engine) == before


async def test_a_client_key_may_use_keys_but_not_manage_licenses(database_url):
    async with running(database_url) as (engine, client), browser(engine) as limited:
        license_ = await owned(client)
        instance = (await active(limited, license_, "laptop"))["instanceId"]
        assert await verdict(limited, license_, instance) == (200, "VALID")
        assert (await deactivate(limited, license_, instance)).status_code == 200
        for method, path, body in (
            ("GET", "/licenses/", None),
            ("GET", f"/licenses/{license_['id']}/", None),
            ("GET", f"/licenses/{license_['id']}/instances/", None),
            ("PATCH", f"/licenses/{license_['id']}/", {"activationLimit": 9}),
            ("POST", f"/licenses/{license_['id']}/regenerate/", {}),
            ("DELETE", f"/licenses/{license_['id']}/instances/{instance}/", None),
        ):
            assert (await limited.request(method, path, json=body)).status_code == 403, path


async def test_the_edge_validates_with_either_key_and_the_same_answer(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        instance = (await active(client, license_, "laptop"))["instanceId"]
        core = await validate(client, license_, instance)
        async with device(engine) as edge:
            at_the_edge = await validate(edge, license_, instance)
            assert (at_the_edge.status_code, at_the_edge.json()) == (200, core.json())
            unknown = await validate(edge, {"licenseKey": "nothing"})
            assert (unknown.status_code, unknown.json()["code"]) == (404, "INVALID_KEY")
            broken = await edge.post("/license/validate/", content=b"{")
            assert broken.status_code == 400
            assert broken.json()["code"] == "malformed_json"
            assert (await edge.get("/license/validate/")).status_code == 405
        async with device(engine, "server_sandbox_test") as edge:
            assert await verdict(edge, license_) == (200, "VALID")
        async with device(engine, "nobody's key") as edge:
            assert (await validate(edge, license_)).status_code == 401


PREFLIGHT = {
    "Origin": "https://app.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
}


async def test_any_origin_may_use_license_keys_and_nothing_else(database_url):
    async with running(database_url) as (engine, client), device(engine) as edge:
        for door, paths in (
            (client, ("activate", "deactivate", "validate")),
            (edge, ("validate",)),
        ):
            for path in paths:
                for slash in ("", "/"):
                    asked = await door.options(f"/license/{path}{slash}", headers=PREFLIGHT)
                    assert asked.status_code == 200, asked.text
                    assert asked.headers["Access-Control-Allow-Origin"] == "*"
                    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
                    assert "Access-Control-Allow-Credentials" not in asked.headers
                origin = {"Origin": "https://app.example"}
                for body in ({}, {"licenseKey": "x", "instanceId": str(uuid4())}):
                    refused = await door.post(f"/license/{path}/", json=body, headers=origin)
                    assert refused.status_code in {400, 404}
                    assert refused.headers["Access-Control-Allow-Origin"] == "*"
                denied = {**origin, "Authorization": "Bearer nobody's"}
                answer = await door.post(f"/license/{path}/", json={}, headers=denied)
                assert answer.headers["Access-Control-Allow-Origin"] == "*"
        for path in ("/licenses/", "/customers/", "/subscriptions/create/"):
            closed = await client.options(path, headers=PREFLIGHT)
            assert "Access-Control-Allow-Origin" not in closed.headers, path


async def test_the_same_request_twice_is_one_activation(database_url):
    async with running(database_url) as (engine, client):
        license_ = await owned(client)
        headers = {"Idempotency-Key": "activate-1"}
        body = {"licenseKey": license_["licenseKey"]}
        first = await client.post("/license/activate/", json=body, headers=headers)
        before = await positions(engine)
        again = await client.post("/license/activate/", json=body, headers=headers)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        other = await client.post(
            "/license/activate/", json=body | {"instanceName": "x"}, headers=headers
        )
        assert other.status_code == 422
        assert await positions(engine) == before
        freed = {"Idempotency-Key": "free-1"}
        body["instanceId"] = first.json()["instanceId"]
        done = await client.post("/license/deactivate/", json=body, headers=freed)
        repeated = await client.post("/license/deactivate/", json=body, headers=freed)
        assert (repeated.status_code, repeated.content) == (200, done.content)


async def test_the_answer_for_a_known_instance_is_kept_too(database_url):
    async with running(database_url) as (_, client):
        license_ = await owned(client)
        first = await active(client, license_, "laptop")
        body = {"licenseKey": license_["licenseKey"], "instanceName": "laptop"}
        headers = {"Idempotency-Key": "again"}
        kept = await client.post("/license/activate/", json=body, headers=headers)
        assert kept.json() == first
        await deactivate(client, license_, first["instanceId"])
        again = await client.post("/license/activate/", json=body, headers=headers)
        assert again.content == kept.content


async def test_an_incomplete_subscription_has_its_key_once_it_is_paid(database_url):
    async with running(database_url) as (_, client):
        await licensed(client)
        sold = await buys(client, DECLINED)
        assert (sold["status"], sold["license"]) == ("incomplete", [])
        await customer(client, VISA)

        async def came_about():
            record = (await client.get(f"/subscriptions/{sold['id']}/")).json()
            return record if record["status"] == "active" else None

        record = await until(came_about)
        (license_,) = record["license"]
        assert await verdict(client, license_) == (200, "VALID")


async def test_plans_without_a_license_bring_none(database_url):
    async with running(database_url) as (_, client):
        await licensed(client, {"enabled": False})
        assert (await buys(client))["license"] == []
        assert (await client.get("/licenses/")).json()["count"] == 0
