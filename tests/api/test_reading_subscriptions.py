"""Subscriptions over HTTP: the record, the record in force, the list and its filters."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from psycopg import AsyncConnection

from aggregates.subscription.events import Status
from aggregates.test_clock import events as test_clock
from app.wiring import with_views
from kernel.interval import ChargePeriod
from projections import store
from projections.steps import execute
from projections.subscription_changes import superseded
from projections.subscriptions import SUBSCRIPTIONS
from tests.billing_facts import JAN_31, Buyer
from tests.engines import ORGANIZATION


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def rows(client, **params):
    answer = await client.get("/subscriptions/", params={"customer_id": "ada", **params})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["count"] == len(body["results"])
    return body["results"]


async def test_the_record_has_every_field(happened, reading):
    one = Buyer(happened).subscribes()
    async with reading(happened) as client:
        answer = await client.get(f"/subscriptions/{one.id}/")
        assert answer.status_code == 200
        record = answer.json()
    features = {feature["identifier"]: feature for feature in record.pop("features")}
    assert record == {
        "id": str(one.id),
        "externalSubscriptionId": None,
        "customerId": "ada",
        "startDate": "2026-01-31",
        "endDate": None,
        "billingPeriodStartTime": "2026-01-31T10:30:15Z",
        "billingPeriodEndTime": "2026-02-28T10:30:15Z",
        "nextInvoiceDate": "2026-02-28T10:30:15Z",
        "resumesAt": None,
        "trialDaysRemaining": 0,
        "amount": "29.99",
        "currency": "usd",
        "isCustomPricing": False,
        "billingType": "SUBSCRIPTION",
        "recurrence": "1 month",
        "recurrenceUnit": 1,
        "recurrenceType": "MONTH",
        "status": "active",
        "product": {
            "id": "00000000-0000-0000-0000-000000000002",
            "identifier": "orbit",
            "name": "Orbit",
            "taxCode": "saas",
        },
        "plan": {
            "identifier": "pro",
            "name": "Pro",
            "description": "For teams",
            "version": 3,
        },
        "files": [],
        "links": [{"name": "Manual", "url": "https://example.com/manual"}],
        "license": [],
        "canceledAt": None,
        "cancellationReason": None,
        "cancellationFeedback": None,
        "cancellationComment": None,
        "createdOn": "2026-01-31T10:30:15Z",
        "modifiedOn": "2026-01-31T10:30:15Z",
    }
    assert features["sso"]["value"] is True
    assert features["seats"]["value"] == 5
    assert features["seats"]["hardLimit"] is True
    assert features["seats"]["featureDetails"]["units"] == {"singular": "seat", "plural": "seats"}


async def test_what_is_no_subscription_is_not_found(happened, reading):
    Buyer(happened).subscribes()
    async with reading(happened) as client:
        for unknown in (uuid4(), "nonsense"):
            answer = await client.get(f"/subscriptions/{unknown}/")
            assert answer.status_code == 404
            assert answer.json()["detail"] == "Subscription not found."


async def test_a_one_time_record_has_no_period(happened, reading):
    one = Buyer(happened).subscribes(period=ChargePeriod.ONE_TIME)
    async with reading(happened) as client:
        record = (await client.get(f"/subscriptions/{one.id}/")).json()
    assert record["billingType"] == "ONE_TIME"
    assert record["recurrence"] == ""
    nothing = ("recurrenceUnit", "recurrenceType", "billingPeriodStartTime", "nextInvoiceDate")
    assert [record[name] for name in nothing] == [None] * 4


async def test_the_list_needs_a_customer_and_known_words(happened, reading):
    Buyer(happened).subscribes()
    async with reading(happened) as client:
        missing = await client.get("/subscriptions/")
        assert (missing.status_code, list(missing.json())) == (400, ["customer_id"])
        for params, field in (
            ({"status": "active,cancelled"}, "status"),
            ({"modified_on_after": "yesterday"}, "modified_on_after"),
            ({"start_date_before": "2026-13-01"}, "start_date_before"),
            ({"page_size": 0}, "page_size"),
        ):
            answer = await client.get("/subscriptions/", params={"customer_id": "ada", **params})
            assert (answer.status_code, list(answer.json())) == (400, [field])
        assert await rows(client, customer_id="nobody") == []


async def test_a_canceled_record_leaves_the_list_but_not_its_status(happened, reading):
    ada = Buyer(happened)
    stays, goes = ada.subscribes(), ada.subscribes(name="goes")
    goes.ends(at=JAN_31 + DAY)
    never = ada.subscribes(name="never", status=Status.INCOMPLETE)
    never.expires(at=JAN_31 + DAY)
    async with reading(happened) as client:
        assert [row["id"] for row in await rows(client)] == [str(stays.id)]
        ended = await rows(client, status="canceled,incomplete_expired")
        assert [row["id"] for row in ended] == [str(never.id), str(goes.id)]
        record = (await client.get(f"/subscriptions/{goes.id}/")).json()
        assert record["status"] == "canceled"
        assert record["endDate"] == "2026-02-01"
        assert record["canceledAt"] == "2026-02-01T10:30:15Z"
        assert record["cancellationReason"] == "CANCELLED_BY_MERCHANT"
        assert record["nextInvoiceDate"] is None
        record = (await client.get(f"/subscriptions/{never.id}/")).json()
        assert record["status"] == "incomplete_expired"


async def test_a_scheduled_end_shows_and_can_be_taken_back(happened, reading):
    far = datetime(2126, 2, 28, tzinfo=UTC)
    ada = Buyer(happened)
    ending, staying = ada.subscribes(name="ending"), ada.subscribes(name="staying")
    ending.will_end(far, at=JAN_31 + DAY)
    staying.will_end(far, at=JAN_31 + DAY)
    staying.stays(at=JAN_31 + 2 * DAY)
    async with reading(happened) as client:
        staying, ending = await rows(client)
    assert ending["status"] == "active"
    assert ending["endDate"] == "2126-02-28"
    assert ending["canceledAt"] == "2026-02-01T10:30:15Z"
    assert ending["cancellationFeedback"] == "UNUSED"
    assert ending["cancellationComment"] == "Too quiet"
    assert staying["endDate"] is staying["canceledAt"] is staying["cancellationComment"] is None
    assert staying["nextInvoiceDate"] == "2026-02-28T10:30:15Z"


async def test_an_end_that_has_passed_leaves_the_list_before_anybody_records_it(happened, reading):
    ada = Buyer(happened)
    ada.subscribes().will_end(JAN_31 + 2 * DAY, at=JAN_31 + DAY)
    async with reading(happened) as client:
        assert await rows(client) == []
        (record,) = await rows(client, status="active")
        assert record["endDate"] == "2026-02-02"
        assert record["nextInvoiceDate"] is None


async def test_a_test_clock_says_what_time_it_is(happened, reading):
    clock = uuid4()
    created = test_clock.TestClockCreated(name=None, frozen_time=JAN_31, occurred_at=JAN_31)
    happened(ORGANIZATION, (clock, created))
    ada = Buyer(happened, clock=clock)
    ada.subscribes(name="ends").will_end(JAN_31 + 7 * DAY, at=JAN_31)
    trial = ada.subscribes(status=Status.TRIALING, trial_days=14)
    async with reading(happened) as client:
        assert len(await rows(client)) == 2
        record = (await client.get(f"/subscriptions/{trial.id}/")).json()
        assert record["trialDaysRemaining"] == 14
        assert record["nextInvoiceDate"] == "2026-02-14T10:30:15Z"
    advanced = test_clock.TestClockAdvanceFinished(
        frozen_time=JAN_31 + timedelta(days=7, microseconds=1), occurred_at=JAN_31
    )
    happened.commands.clear()
    happened(ORGANIZATION, (clock, advanced))
    async with reading(happened) as client:
        (record,) = await rows(client)
        assert record["id"] == str(trial.id)
        assert record["trialDaysRemaining"] == 7


async def test_the_list_is_filtered_by_dates_and_paged(happened, reading):
    ada = Buyer(happened)
    for number in range(3):
        ada.subscribes(name=number, at=JAN_31 + number * DAY)
    async with reading(happened) as client:
        days = [row["startDate"] for row in await rows(client)]
        assert days == ["2026-02-02", "2026-02-01", "2026-01-31"]
        assert len(await rows(client, start_date_after="2026-02-01")) == 2
        assert len(await rows(client, start_date_before="2026-01-31")) == 1
        assert len(await rows(client, modified_on_after="2026-02-01T10:30:15.2Z")) == 1
        assert len(await rows(client, modified_on_before="2026-02-01T11:30:16+01:00")) == 2
        page = {"customer_id": "ada", "page_size": 2, "page": 2}
        second = (await client.get("/subscriptions/", params=page)).json()
        assert [row["startDate"] for row in second["results"]] == ["2026-01-31"]
        assert (second["count"], second["next"]) == (3, None)
        assert "customer_id=ada" in second["previous"]


async def test_a_replaced_record_is_seen_by_its_status_alone(happened, database_url, reading):
    one = Buyer(happened).subscribes()
    async with reading(happened) as client:
        async with await AsyncConnection.connect(with_views(database_url), autocommit=True) as db:
            (newest,) = (await store.load(db, SUBSCRIPTIONS, [one.id])).values()
            records = {
                (key := uuid4()): (None, superseded(newest, key, JAN_31 + number * DAY))
                for number in range(1, 4)
            }
            tables = {"subscriptions": SUBSCRIPTIONS}
            await execute(db, store.saving(tables, {"subscriptions": records}))
        (row,) = await rows(client)
        assert (row["id"], row["status"]) == (str(one.id), "active")
        assert (await client.get(f"/subscriptions/{one.id}/")).json() == row
        old = await rows(client, status="superseded")
        assert {record["id"] for record in old} == {str(one.id)}
        assert sorted(record["endDate"] for record in old) == [
            "2026-02-01",
            "2026-02-02",
            "2026-02-03",
        ]
        assert {record["startDate"] for record in old} == {"2026-01-31"}
        assert len(await rows(client, status="superseded,active")) == 4
        for record in records:
            assert (await client.get(f"/subscriptions/{record}/")).status_code == 404
