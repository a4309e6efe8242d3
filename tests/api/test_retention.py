"""Retention offers over HTTP: settings, offers, the answers of each type, and every refusal."""

import asyncio

import pytest

from tests.adapters.receiver import Receiver
from tests.api.test_pausing import subscribed
from tests.engines import CLIENT_KEY, positions, running
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

SETTINGS = "/organizations/retention-settings/"
DISCOUNT = {
    "cancellationFeedback": "TOO_EXPENSIVE",
    "offerType": "DISCOUNT",
    "percentageOff": 20,
    "billingCycles": 2,
}
PAUSE = {"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1, 2, 3]}
SUPPORT = {"cancellationFeedback": "CUSTOMER_SERVICE", "offerType": "SUPPORT"}
NONE = {"cancellationFeedback": "OTHER", "offerType": "NONE"}
ALL = {
    "enabled": True,
    "supportUrl": "https://help.example.com/",
    "offers": [DISCOUNT, PAUSE, SUPPORT, NONE],
}
CHEAPER = {"offerType": "DISCOUNT", "cancellationFeedback": "TOO_EXPENSIVE"}
LATER = {"offerType": "PAUSE", "cancellationFeedback": "UNUSED", "pauseMonths": 2}
HELP = {"offerType": "SUPPORT", "cancellationFeedback": "CUSTOMER_SERVICE"}
PRICE = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": "49.99"}}]}
ONCE = {"charges": [{"chargePeriod": "ONE_TIME", "priceData": {"amount": "49.99"}}]}


async def configure(story, **changes):
    answer = await story.client.patch(SETTINGS, json=ALL | changes)
    assert answer.status_code == 200, answer.text


async def offers(story):
    answer = await story.client.get(f"{story.path}/retention/offers/")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def accept(story, body, status=200):
    return await story.post("retention/accept", body, status)


async def refused(story, body):
    """The 400, which leaves the log as it was."""
    before = await positions(story.engine)
    answer = await accept(story, body, 400)
    assert await positions(story.engine) == before
    return answer


async def test_settings_begin_switched_off_and_change_as_named(database_url):
    async with running(database_url) as (_, client):
        assert (await client.get(SETTINGS)).json() == {
            "enabled": False,
            "supportUrl": None,
            "repeatPolicy": {"maxAcceptances": 1, "withinMonths": None},
            "offers": [],
        }
        changed = await client.patch(SETTINGS, json={**ALL, "repeat_policy": {"within_months": 6}})
        assert changed.status_code == 200, changed.text
        assert changed.json() == {
            "enabled": True,
            "supportUrl": "https://help.example.com/",
            "repeatPolicy": {"maxAcceptances": 1, "withinMonths": 6},
            "offers": [DISCOUNT, PAUSE, {**SUPPORT, "url": None}, NONE],
        }
        policy = {"repeatPolicy": {"maxAcceptances": None}, "enabled": False}
        changed = (await client.patch(SETTINGS, json=policy)).json()
        assert changed["repeatPolicy"] == {"maxAcceptances": None, "withinMonths": 6}
        assert (changed["enabled"], len(changed["offers"])) == (False, 4)
        assert (await client.get(SETTINGS)).json() == changed


@pytest.mark.parametrize(
    "body",
    [
        {"offers": [{"offerType": "DISCOUNT", "cancellationFeedback": "OTHER"}]},
        {"offers": [DISCOUNT | {"percentageOff": 0}]},
        {"offers": [DISCOUNT | {"percentageOff": 101}]},
        {"offers": [DISCOUNT | {"billingCycles": 0}]},
        {"offers": [DISCOUNT | {"billingCycles": 121}]},
        {"offers": [PAUSE | {"durations": []}]},
        {"offers": [PAUSE | {"durations": [1, 1]}]},
        {"offers": [PAUSE | {"durations": [0]}]},
        {"offers": [DISCOUNT, DISCOUNT]},
        {"offers": [SUPPORT]},
        {"offers": [DISCOUNT | {"cancellationFeedback": "BORED"}]},
        {"offers": [DISCOUNT | {"offerType": "PRESENT"}]},
        {"supportUrl": "javascript:alert(1)"},
        {"repeatPolicy": {"maxAcceptances": 0}},
        {"repeatPolicy": {"withinMonths": -1}},
        {"enabled": "perhaps"},
    ],
)
async def test_settings_that_make_no_sense_are_refused(database_url, body):
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        answer = await client.patch(SETTINGS, json=body)
        assert answer.status_code == 400, answer.text
        assert "_" not in "".join(answer.json())
        assert "percentage_off" not in answer.text
        assert await positions(engine) == before


async def test_settings_are_of_the_server(database_url):
    async with running(database_url) as (_, client):
        headers = {"Authorization": f"Bearer {CLIENT_KEY}"}
        for method in (client.get, client.patch):
            assert (await method(SETTINGS, headers=headers)).status_code in {401, 403}


async def test_offers_are_those_that_could_be_accepted_now(database_url):
    async with subscribed(database_url) as story:
        assert await offers(story) == {"enabled": False, "offers": []}
        await configure(story)
        support = {**SUPPORT, "url": "https://help.example.com/"}
        assert await offers(story) == {"enabled": True, "offers": [DISCOUNT, PAUSE, support, NONE]}
        await story.post("cancel")
        assert (await offers(story))["offers"] == []
        await story.post("reactivate")
        assert len((await offers(story))["offers"]) == 4
        await accept(story, HELP)
        assert await offers(story) == {"enabled": True, "offers": []}
        await configure(story, repeatPolicy={"maxAcceptances": 2, "withinMonths": 1})
        assert len((await offers(story))["offers"]) == 4
        answer = await story.client.get("/subscriptions/nonsense/retention/offers/")
        assert answer.status_code == 404


async def test_a_trial_is_offered_what_does_not_pause(database_url):
    async with subscribed(database_url, trialEnd="2025-03-01") as story:
        await configure(story)
        shown = [offer["offerType"] for offer in (await offers(story))["offers"]]
        assert shown == ["DISCOUNT", "SUPPORT", "NONE"]
        assert (await refused(story, LATER))["code"] == "not_eligible"
        accepted = await accept(story, CHEAPER)
        assert accepted["appliesUntil"] == "2025-05-01T00:00:00Z"
        await story.to("2025-05-02")
        totals = [invoice["amountTotal"] for invoice in await story.invoices()]
        assert [float(total) for total in totals] == [20.0, 16.0, 16.0]


async def test_case_76_a_discount_over_its_cycles(database_url):
    async with subscribed(database_url, PRICE) as story:
        await configure(story)
        accepted = await accept(story, CHEAPER)
        assert accepted.pop("message")
        assert accepted == {
            "subscriptionId": story.path.split("/")[-1],
            "offerType": "DISCOUNT",
            "cancellationFeedback": "TOO_EXPENSIVE",
            "percentageOff": 20,
            "billingCycles": 2,
            "appliesUntil": "2025-04-01T00:00:00Z",
            "originalAmount": "49.99",
            "discountedAmount": "39.99",
        }
        record = await story.record()
        assert (record["status"], record["amount"]) == ("active", "49.99")
        await story.to("2025-04-02")
        totals = [invoice["amountTotal"] for invoice in reversed(await story.invoices())]
        assert [float(total) for total in totals] == [49.99, 39.99, 39.99, 49.99]


async def test_a_discount_of_one_invoice_has_no_end(database_url):
    async with subscribed(database_url) as story:
        await configure(story, offers=[DISCOUNT | {"billingCycles": 1, "percentageOff": 100}])
        accepted = await accept(story, CHEAPER)
        assert accepted["appliesUntil"] is None
        assert (accepted["originalAmount"], accepted["discountedAmount"]) == ("20.00", "0.00")


async def test_case_77_once_means_once(database_url):
    async with subscribed(database_url) as story:
        await configure(story)
        await accept(story, CHEAPER)
        for body in (CHEAPER, HELP, LATER):
            again = await refused(story, body)
            assert list(again) == ["detail", "code"]
            assert again["code"] == "offer_already_used"


async def test_case_78_the_offer_must_be_that_of_the_reason(database_url):
    async with subscribed(database_url) as story:
        await configure(story)
        wrong = await refused(story, LATER | {"cancellationFeedback": "TOO_EXPENSIVE"})
        assert wrong["code"] == "offer_not_configured"
        for reason, offer in (("OTHER", "NONE"), ("LOW_QUALITY", "NONE"), ("OTHER", "SUPPORT")):
            body = {"offerType": offer, "cancellationFeedback": reason}
            assert (await refused(story, body))["code"] == "nothing_offered"


async def test_an_accepted_pause_is_a_pause(database_url):
    async with subscribed(database_url) as story:
        await configure(story)
        await story.to("2025-01-15")
        accepted = await accept(story, LATER)
        assert (accepted["pauseMonths"], accepted["resumesAt"]) == (2, "2025-03-15T00:00:00Z")
        assert accepted.keys() == {
            *("message", "subscriptionId", "offerType", "cancellationFeedback"),
            *("pauseMonths", "resumesAt"),
        }
        assert (await story.record())["status"] == "paused"
        assert (await offers(story))["offers"] == []
        await story.to("2025-03-15")
        assert (await story.record())["status"] == "active"


async def test_support_changes_nothing_on_the_subscription(database_url):
    async with subscribed(database_url) as story:
        own = SUPPORT | {"url": "https://chat.example.com/"}
        await configure(story, offers=[own])
        before = await story.record()
        accepted = await accept(story, HELP)
        assert accepted["url"] == "https://chat.example.com/"
        assert accepted.keys() == {
            *("message", "subscriptionId", "offerType", "cancellationFeedback", "url")
        }
        assert await story.record() == before


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"offerType": "PRESENT"}, "offerType"),
        ({"offerType": None}, "offerType"),
        ({"cancellationFeedback": "BORED"}, "cancellationFeedback"),
        ({"pauseMonths": None}, "pauseMonths"),
        ({"pauseMonths": 0}, "pauseMonths"),
        ({"pauseMonths": 4}, "pauseMonths"),
        ({"pauseMonths": "2"}, "pauseMonths"),
    ],
)
async def test_field_errors_are_keyed_by_field(database_url, changes, field):
    async with subscribed(database_url) as story:
        await configure(story)
        answer = await refused(story, LATER | changes)
        assert list(answer) == [field]
        assert all(isinstance(message, str) for message in answer[field])
        if changes == {"offerType": "PRESENT"}:
            for word in ("DISCOUNT", "PAUSE", "SUPPORT", "NONE"):
                assert word in answer[field][0]


async def test_missing_fields_are_named(database_url):
    async with subscribed(database_url) as story:
        answer = await refused(story, {})
        assert answer.keys() == {"offerType", "cancellationFeedback"}


async def test_switched_off_scheduled_to_cancel_and_ended_are_refused_with_detail(database_url):
    async with subscribed(database_url) as story:
        assert (await refused(story, HELP))["code"] == "retention_disabled"
        await configure(story)
        await story.post("cancel")
        assert (await refused(story, HELP))["code"] == "not_eligible"
        await story.post("reactivate")
        await story.post("pause", {"pauseMonths": 1})
        assert (await refused(story, CHEAPER))["code"] == "not_eligible"
        await story.post("cancel")
        assert (await refused(story, CHEAPER))["code"] == "not_eligible"
        answer = await story.client.post(
            "/subscriptions/00000000-0000-4000-8000-000000000000/retention/accept/", json=HELP
        )
        assert answer.status_code == 404


async def test_the_policy_forgets_what_is_long_ago(database_url):
    async with subscribed(database_url) as story:
        await configure(story, repeatPolicy={"maxAcceptances": 1, "withinMonths": 2})
        await story.to("2025-01-31")
        await accept(story, HELP)
        await story.to("2025-03-30")
        assert (await refused(story, HELP))["code"] == "offer_already_used"
        assert (await offers(story))["offers"] == []
        await story.to("2025-03-31")
        assert len((await offers(story))["offers"]) == 4
        await accept(story, HELP)


@pytest.mark.parametrize("body", [CHEAPER, LATER, HELP])
async def test_of_acceptances_at_once_one_wins(database_url, body):
    async with subscribed(database_url) as story:
        await configure(story)
        path = f"{story.path}/retention/accept/"
        answers = await asyncio.gather(*(story.client.post(path, json=body) for _ in range(4)))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
        lost = [answer.json() for answer in answers if answer.status_code == 400]
        expected = "not_eligible" if body is LATER else "offer_already_used"
        assert {each["code"] for each in lost} == {expected}


async def test_the_same_idempotency_key_gets_the_same_answer(database_url):
    async with subscribed(database_url) as story:
        await configure(story)
        headers = {"Idempotency-Key": "stay"}
        path = f"{story.path}/retention/accept/"
        first = await story.client.post(path, json=CHEAPER, headers=headers)
        again = await story.client.post(path, json=CHEAPER, headers=headers)
        assert (first.status_code, first.content) == (200, again.content)


async def test_nobody_is_told_of_an_acceptance_but_of_the_resumption(database_url):
    async with subscribed(database_url) as story, Receiver() as there:
        await configure(story, repeatPolicy={"maxAcceptances": None})
        await subscribe(story.client, there.url, "*")
        for body in (CHEAPER, HELP, LATER):
            await accept(story, body)
        await story.to("2025-01-20")
        await until(lambda: drained(story.engine))
        assert bodies(there) == []
        await story.post("resume")
        await until(lambda: len(there.requests) == 2)
        await until(lambda: drained(story.engine))
        kinds = [body["type"] for body in bodies(there)]
        assert kinds == ["subscription.resumed", "subscription.updated"]


async def test_a_one_time_purchase_is_offered_nothing(database_url):
    async with subscribed(database_url, ONCE, chargePeriod="ONE_TIME") as story:
        await configure(story)
        assert (await offers(story))["offers"] == []
        assert (await refused(story, HELP))["code"] == "not_eligible"


async def test_late_in_time_nothing_overflows(database_url):
    """A clock may stand in 8998: ends of pauses and discounts lie centuries after it."""
    yearly = {"charges": [{"chargePeriod": "YEARLY", "priceData": {"amount": "49.99"}}]}
    start = "8998-06-01T00:00:00Z"
    wanted = {"start": start, "chargePeriod": "YEARLY"}
    async with subscribed(database_url, yearly, **wanted) as story:
        many = [DISCOUNT | {"billingCycles": 120}, PAUSE | {"durations": [120]}]
        await configure(story, offers=many, repeatPolicy={"maxAcceptances": None})
        accepted = await accept(story, CHEAPER)
        assert accepted["appliesUntil"] == "9119-06-01T00:00:00Z"
        accepted = await accept(story, LATER | {"pauseMonths": 120})
        assert accepted["resumesAt"] == "9008-06-01T00:00:00Z"
