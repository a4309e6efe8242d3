"""Pauses over HTTP: access, dates and money on a test clock, and every refusal."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from tests.api.test_subscriptions import VISA, sells
from tests.catalog_requests import USD_MONTHLY
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

JAN_1 = "2025-01-01T00:00:00Z"
PRO = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
IMMEDIATE = {"cancellationType": "IMMEDIATE"}


class Story:
    """One customer on a test clock with one monthly subscription."""

    def __init__(self, engine, client, clock, path):
        self.engine, self.client, self.clock, self.path = engine, client, clock, path

    async def to(self, day):
        body = {"frozenTime": day if "T" in day else f"{day}T00:00:00Z"}
        answer = await self.client.post(f"/test-clocks/{self.clock}/advance/", json=body)
        assert answer.status_code == 200, answer.text

    async def post(self, verb, body=None, status=200):
        answer = await self.client.post(f"{self.path}/{verb}/", json=body or {})
        assert answer.status_code == status, answer.text
        return answer.json()

    async def record(self):
        return (await self.client.get(f"{self.path}/")).json()

    async def invoices(self):
        return (await self.client.get("/invoices/")).json()["results"]


@asynccontextmanager
async def subscribed(database_url, *prices, card=VISA, start=JAN_1, **wanted):
    """A story that begins on 1 January 2025 with a paid month."""
    async with running(database_url) as (engine, client):
        await sells(client, *(prices or (USD_MONTHLY,)))
        clock = (await client.post("/test-clocks/", json={"name": "t", "frozenTime": start})).json()
        await client.post("/customers/", json={"customerId": "ada", "testClockId": clock["id"]})
        if card:
            details = {"number": card, "expMonth": 4, "expYear": 2040, "cvc": "123"}
            body = {"customerId": "ada", "card": details}
            assert (await client.post("/payment-methods/", json=body)).status_code == 201
        sold = await client.post("/subscriptions/create/", json=PRO | wanted)
        assert sold.status_code == 201, sold.text
        yield Story(engine, client, clock["id"], f"/subscriptions/{sold.json()['id']}")


async def test_case_100_over_http(database_url):
    async with subscribed(database_url) as story:
        await story.to("2025-01-15")
        record = await story.post("pause", {"pauseMonths": 2})
        assert record["status"] == "paused"
        assert record["resumesAt"] == "2025-03-15T00:00:00Z"
        assert record["nextInvoiceDate"] == "2025-04-01T00:00:00Z"
        assert record["billingPeriodEndTime"] == "2025-02-01T00:00:00Z"
        await story.to("2025-03-14")
        assert (await story.record())["status"] == "paused"
        await story.to("2025-03-15")
        record = await story.record()
        assert (record["status"], record["resumesAt"]) == ("active", None)
        assert record["billingPeriodEndTime"] == record["nextInvoiceDate"]
        assert record["nextInvoiceDate"] == "2025-04-01T00:00:00Z"
        assert len(await story.invoices()) == 1
        await story.to("2025-04-01")
        assert len(await story.invoices()) == 2
        assert (await story.record())["billingPeriodEndTime"] == "2025-05-01T00:00:00Z"


async def test_resuming_early_gives_access_and_bills_earlier(database_url):
    async with subscribed(database_url) as story:
        await story.to("2025-01-15")
        await story.post("pause", {"resumes_at": "2025-06-01"})
        await story.to("2025-01-20")
        record = await story.post("resume")
        assert (record["status"], record["nextInvoiceDate"]) == ("active", "2025-02-06T00:00:00Z")
        await story.to("2025-06-02")
        starts = [invoice["createdOn"][:10] for invoice in await story.invoices()]
        assert starts[-1] == "2025-01-01"
        assert sorted(starts)[1:] == [f"2025-0{month}-06" for month in (2, 3, 4, 5)]


async def test_what_is_refused_changes_nothing(database_url):
    async with subscribed(database_url) as story:
        for body, field in (
            ({}, "pauseMonths"),
            ({"pauseMonths": 0}, "pauseMonths"),
            ({"pauseMonths": "2"}, "pauseMonths"),
            ({"pauseMonths": 1.5}, "pauseMonths"),
            ({"pauseMonths": 10**30}, "pauseMonths"),
            ({"pauseMonths": 1, "resumesAt": "2026-01-01"}, "resumesAt"),
            ({"resumesAt": "2024-12-31"}, "resumesAt"),
            ({"resumesAt": JAN_1}, "resumesAt"),
            ({"resumesAt": "soon"}, "resumesAt"),
        ):
            before = await positions(story.engine)
            assert list(await story.post("pause", body, 400)) == [field]
            assert await positions(story.engine) == before
        assert (await story.post("resume", status=400))["code"] == "not_paused"
        await story.post("cancel")
        refused = await story.post("pause", {"pauseMonths": 1}, 400)
        assert refused["code"] == "scheduled_to_cancel"
        await story.post("cancel", IMMEDIATE)
        for verb, body in (("pause", {"pauseMonths": 1}), ("resume", None)):
            refused = await story.post(verb, body, 400)
            assert refused["code"] == "subscription_already_ended"


async def test_an_unknown_subscription_is_404(database_url):
    async with running(database_url) as (_, client):
        for number in ("nonsense", "00000000-0000-4000-8000-000000000000"):
            for verb, body in (("pause", {"pauseMonths": 1}), ("resume", {})):
                answer = await client.post(f"/subscriptions/{number}/{verb}/", json=body)
                assert (answer.status_code, answer.json()["code"]) == (
                    404,
                    "subscription_not_found",
                )


async def test_two_pauses_at_once_make_one(database_url):
    async with subscribed(database_url) as story:
        await story.to("2025-01-15")
        path, body = f"{story.path}/pause/", {"pauseMonths": 1}
        answers = await asyncio.gather(*(story.client.post(path, json=body) for _ in range(5)))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]
        path = f"{story.path}/resume/"
        answers = await asyncio.gather(*(story.client.post(path, json={}) for _ in range(5)))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]


@pytest.mark.parametrize("kind", ["IMMEDIATE", "CURRENT_PERIOD_ENDS"])
async def test_canceling_a_paused_one_ends_it_at_once(database_url, kind):
    async with subscribed(database_url) as story:
        await story.to("2025-01-15")
        await story.post("pause", {"pauseMonths": 2})
        await story.to("2025-01-20")
        await story.post("cancel", {"cancellationType": kind, "cancellationFeedback": "UNUSED"})
        record = await story.record()
        assert (record["status"], record["endDate"]) == ("canceled", "2025-01-20")
        assert (record["nextInvoiceDate"], record["resumesAt"]) == (None, None)
        assert record["canceledAt"] == "2025-01-20T00:00:00Z"
        await story.to("2025-07-01")
        assert (await story.record())["status"] == "canceled"
        assert len(await story.invoices()) == 1
