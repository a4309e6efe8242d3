"""What a merchant hears of pauses and cancellations: exactly what changed, and what it was."""

import pytest

from app.wiring import with_views
from projections.all_views import VIEWS
from replay.verify import verify
from tests.adapters.receiver import Receiver
from tests.api.test_pausing import subscribed
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

JAN_1, JAN_15 = "2025-01-01T00:00:00Z", "2025-01-15T00:00:00Z"
FEB_1, FEB_6 = "2025-02-01T00:00:00Z", "2025-02-06T00:00:00Z"
KINDS = (
    *("subscription.paused", "subscription.resumed"),
    *("subscription.updated", "subscription.cancelled"),
)


class Heard:
    """The events since the last look, and that each leads back to the one before."""

    def __init__(self, story, there):
        self.story, self.there, self.seen, self.shown = story, there, 0, None

    async def next(self, *kinds):
        wanted = self.seen + len(kinds)
        await until(lambda: len(self.there.requests) >= wanted)
        await until(lambda: drained(self.story.engine))
        events = bodies(self.there)[self.seen :]
        assert [event["type"] for event in events] == list(kinds)
        self.seen = wanted
        for event in events:
            data = event["data"]
            if self.shown is not None:
                assert {**data["object"], **data["previous_attributes"]} == self.shown
        self.shown = events[-1]["data"]["object"]
        return [event["data"]["previous_attributes"] for event in events]


@pytest.fixture
def heard(database_url):
    """A story and what a merchant hears of it."""

    class Listening:
        async def __aenter__(self):
            self._story, self._there = subscribed(database_url), Receiver()
            story, there = await self._story.__aenter__(), await self._there.__aenter__()
            await subscribe(story.client, there.url, *KINDS)
            self.story = story
            return story, Heard(story, there)

        async def __aexit__(self, *failure):
            if not any(failure):
                await self._verify()
            await self._there.__aexit__(*failure)
            await self._story.__aexit__(*failure)

        async def _verify(self):
            store = self.story.engine.store
            found = await verify(with_views(database_url), store, VIEWS, None, lambda *_: None)
            assert found.differing == 0

    return Listening()


async def test_a_merchants_pause_and_its_end(heard):
    async with heard as (story, events):
        await story.to("2025-01-15")
        await story.post("pause", {"pauseMonths": 2})
        twice = await events.next("subscription.paused", "subscription.updated")
        was = {"status": "active", "resumes_at": None, "modified_on": JAN_1}
        assert twice == [was, was]
        await story.to("2025-01-20")
        await story.post("resume")
        twice = await events.next("subscription.resumed", "subscription.updated")
        was = {
            "status": "paused",
            "resumes_at": "2025-03-15T00:00:00Z",
            "billing_period_end_time": FEB_1,
            "modified_on": JAN_15,
        }
        assert twice == [was, was]
        assert events.shown["billing_period_end_time"] == FEB_6


async def test_a_pause_that_runs_out_is_told_at_its_instant(heard):
    async with heard as (story, events):
        await story.post("pause", {"resumesAt": "2025-01-15"})
        await events.next("subscription.paused", "subscription.updated")
        await story.to("2025-01-20")
        await events.next("subscription.resumed", "subscription.updated")
        assert events.shown["modified_on"] == JAN_15


async def test_case_96_scheduled_and_undone_is_null_then_a_day_then_null(heard):
    async with heard as (story, events):
        await story.to("2025-01-15")
        why = {"cancellationFeedback": "UNUSED", "cancellationComment": "Too quiet"}
        await story.post("cancel", why)
        told = {"cancellation_feedback": "UNUSED", "cancellation_comment": "Too quiet"}
        none = dict.fromkeys(["end_date", "canceled_at", "cancellation_reason", *told])
        assert await events.next("subscription.updated") == [{**none, "modified_on": JAN_1}]
        assert events.shown["end_date"] == "2025-02-01"
        await story.post("cancel")  # the same again: nothing is told
        await story.to("2025-01-20")
        await story.post("reactivate")
        (was,) = await events.next("subscription.updated")
        assert was == {
            "end_date": "2025-02-01",
            "canceled_at": JAN_15,
            "cancellation_reason": "CANCELLED_BY_MERCHANT",
            **told,
            "modified_on": JAN_15,
        }
        assert {name: events.shown[name] for name in none} == none


async def test_a_replaced_end_and_the_end_itself(heard):
    async with heard as (story, events):
        await story.post("cancel")
        await events.next("subscription.updated")
        await story.to("2025-01-15")
        wish = {"cancellationType": "SPECIFIC_DATE", "cancellationDate": "2025-01-25"}
        await story.post("cancel", wish)
        (was,) = await events.next("subscription.updated")
        assert was == {"end_date": "2025-02-01", "canceled_at": JAN_1, "modified_on": JAN_1}
        await story.to("2025-02-10")
        (was,) = await events.next("subscription.cancelled")
        assert was == {"status": "active", "modified_on": JAN_15}
        assert events.shown["canceled_at"] == JAN_15
        record = await story.record()
        assert (record["status"], record["endDate"]) == ("canceled", "2025-01-25")


async def test_a_paused_one_is_canceled(heard):
    async with heard as (story, events):
        await story.post("pause", {"pauseMonths": 1})
        await events.next("subscription.paused", "subscription.updated")
        await story.to("2025-01-15")
        await story.post("cancel", {"cancellationComment": "Enough"})
        (was,) = await events.next("subscription.cancelled")
        assert was["status"] == "paused"
        assert was["resumes_at"] == FEB_1
        record = await story.record()
        assert record["cancellationComment"] == "Enough"


async def test_a_trial_is_canceled(database_url):
    async with subscribed(database_url, trialEnd="2025-01-20") as story, Receiver() as there:
        await subscribe(story.client, there.url, *KINDS)
        events = Heard(story, there)
        await story.post("cancel")
        (was,) = await events.next("subscription.updated")
        assert was["end_date"] is None
        assert events.shown["status"] == "trialing"
        await story.to("2025-02-20")
        assert await events.next("subscription.cancelled") == [
            {"status": "trialing", "modified_on": JAN_1}
        ]
        assert await story.invoices() == []
