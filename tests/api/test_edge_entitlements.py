"""The edge: who may use what, by status, by feature, by clock."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import pytest

from aggregates.subscription.events import Status
from aggregates.test_clock import events as test_clock
from kernel.entitlement import Reset
from kernel.interval import ChargePeriod
from tests.billing_facts import JAN_31, Buyer
from tests.catalog_builders import PROJECTS, SEATS, SSO, granted
from tests.engines import CLIENT_KEY, ORGANIZATION, FixedKeys, running


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


@pytest.fixture
def edge(database_url):
    """A client of the edge API with a client key."""

    @asynccontextmanager
    async def opened(histories):
        async with running(database_url, "views") as (engine, _):
            await histories.append_to(engine.store)
            await engine.positions.wait(await engine.store.head(), 60)
            transport = httpx.ASGITransport(engine.edge_app(FixedKeys()))
            headers = {"Authorization": f"Bearer {CLIENT_KEY}"}
            async with httpx.AsyncClient(
                transport=transport, base_url="https://edge.example/api/v1", headers=headers
            ) as client:
                yield client

    return opened


async def items(client, customer_id="ada", **params):
    answer = await client.get("/entitlements", params={"customer_id": customer_id, **params})
    assert answer.status_code == 200
    body = answer.json()
    assert body["customerId"] == customer_id
    return body["entitlements"]


async def features(client, customer_id="ada"):
    return [item["featureId"] for item in await items(client, customer_id)]


async def test_each_kind_of_feature_tells_what_it_grants(happened, edge):
    Buyer(happened).subscribes(
        grants=(
            granted(SSO),
            granted(SEATS, 5, hard_limit=True),
            granted(PROJECTS, None, unlimited=True),
        )
    )
    async with edge(happened) as client:
        sso, seats, projects = await items(client)
    nothing = ("resetAt", "hardLimit", "usageLimit", "currentUsage", "remaining")
    assert sso == {
        "featureId": "sso",
        "featureType": "BOOLEAN",
        "hasAccess": True,
        **dict.fromkeys(nothing),
    }
    assert seats == {
        "featureId": "seats",
        "featureType": "METER",
        "hasAccess": True,
        "resetAt": None,
        "hardLimit": True,
        "usageLimit": 5,
        "currentUsage": 0,
        "remaining": 5,
    }
    assert projects["featureType"] == "CUSTOMIZABLE"
    assert projects["usageLimit"] is projects["remaining"] is None
    assert projects["hasAccess"] is True


async def test_nothing_left_is_no_access(happened, edge):
    Buyer(happened).subscribes(grants=(granted(SSO, value=False), granted(SEATS, 0)))
    async with edge(happened) as client:
        assert [item["hasAccess"] for item in await items(client)] == [False, False]


async def test_access_goes_with_the_status(happened, edge):
    statuses = (Status.ACTIVE, Status.TRIALING, Status.PAUSED, Status.INCOMPLETE, Status.CANCELED)
    for status in statuses:
        Buyer(happened, status.value).subscribes(status=status, trial_days=7)
    owes, ended, once = (Buyer(happened, name) for name in ("owes", "ended", "once"))
    behind = owes.subscribes()
    behind.falls_behind(at=JAN_31 + DAY, sold=behind.is_billed(at=JAN_31))
    ended.subscribes().ends(at=JAN_31 + DAY)
    once.subscribes(period=ChargePeriod.ONE_TIME)
    async with edge(happened) as client:
        for name in ("active", "trialing", "owes", "once"):
            assert await features(client, name) == ["sso", "seats", "projects"], name
        for name in ("paused", "incomplete", "canceled", "ended", "nobody"):
            assert await features(client, name) == [], name


async def test_several_subscriptions_repeat_the_feature_in_order_of_creation(happened, edge):
    ada = Buyer(happened)
    ada.subscribes(grants=(granted(SEATS, 2),))
    gone = ada.subscribes(name="gone", grants=(granted(SEATS, 4), granted(SSO)))
    ada.subscribes(name="more", grants=(granted(SEATS, 8), granted(SSO)))
    gone.ends(at=JAN_31 + DAY)
    async with edge(happened) as client:
        assert [item["usageLimit"] for item in await items(client, feature_id="seats")] == [2, 8]
        assert len(await items(client, feature_id="sso")) == 1
        assert await items(client, feature_id="unknown") == []


async def test_an_incomplete_one_gives_access_once_it_is_paid(happened, edge):
    one = Buyer(happened).subscribes(status=Status.INCOMPLETE)
    sold = one.is_billed(at=JAN_31)
    async with edge(happened) as client:
        assert await items(client) == []
    happened.commands.clear()
    one.is_activated(at=JAN_31 + DAY, sold=sold)
    async with edge(happened) as client:
        assert await features(client) == ["sso", "seats", "projects"]


async def test_the_end_and_the_reset_are_on_the_customers_clock(happened, edge):
    clock = uuid4()
    frozen = datetime(2026, 3, 30, tzinfo=UTC)
    stands = test_clock.TestClockCreated(name=None, frozen_time=frozen, occurred_at=JAN_31)
    happened(ORGANIZATION, (clock, stands))
    ada = Buyer(happened, clock=clock)
    ada.subscribes(grants=(granted(SEATS, 2, reset=Reset.EVERY_MONTH),))
    ends = ada.subscribes(name="ends", grants=(granted(SSO),))
    ends.will_end(frozen + DAY, at=JAN_31)
    async with edge(happened) as client:
        seats, sso = await items(client)
        assert seats["resetAt"] == "2026-03-31 10:30:15"
        assert sso["featureId"] == "sso"
    happened.commands.clear()
    moved = test_clock.TestClockAdvanceFinished(frozen_time=frozen + 2 * DAY, occurred_at=JAN_31)
    happened(ORGANIZATION, (clock, moved))
    async with edge(happened) as client:
        (seats,) = await items(client)
        assert seats["resetAt"] == "2026-04-30 10:30:15"


async def test_both_slashes_both_spellings_and_any_origin(happened, edge):
    Buyer(happened).subscribes()
    async with edge(happened) as client:
        plain = await client.get("/entitlements?customer_id=ada")
        assert (await client.get("/entitlements/?customerId=ada")).content == plain.content
        browser = await client.get("/entitlements?customer_id=ada", headers={"Origin": "https://a"})
        assert browser.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in browser.headers
        asked = {"Origin": "https://a", "Access-Control-Request-Method": "GET"}
        preflight = await client.options(
            "/entitlements", headers={**asked, "Access-Control-Request-Headers": "authorization"}
        )
        assert preflight.status_code == 200


async def test_what_is_refused(happened, edge):
    async with edge(happened) as client:
        missing = await client.get("/entitlements")
        assert (missing.status_code, list(missing.json())) == (400, ["customer_id"])
        for headers in ({"Authorization": ""}, {"Authorization": "Bearer wrong"}):
            refused = await client.get("/entitlements?customer_id=ada", headers=headers)
            assert refused.status_code == 401
        wrong = await client.post("/entitlements", json={})
        assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD")
        assert (await client.get("/nowhere")).status_code == 404


async def test_a_pause_takes_access_away_and_gives_it_back(happened, edge):
    paused, resumed = Buyer(happened), Buyer(happened, "bob")
    paused.subscribes().pauses(JAN_31 + 9 * DAY, at=JAN_31 + DAY)
    again = resumed.subscribes()
    again.pauses(JAN_31 + 9 * DAY, at=JAN_31 + DAY)
    again.resumes(JAN_31 + DAY, at=JAN_31 + 5 * DAY)
    async with edge(happened) as client:
        assert await items(client) == []
        assert len(await features(client, "bob")) == 3
