"""Canceling in the portal as it is meant: reason, offer, accept or leave; and coming back."""

import asyncio

import pytest

from tests.engines import positions
from tests.pages.portal_browser import sign_in, subscribed


pytestmark = pytest.mark.anyio

ROOT = "/portal/default/"
OFFERS = [
    {
        "cancellationFeedback": "TOO_EXPENSIVE",
        "offerType": "DISCOUNT",
        "percentageOff": 25,
        "billingCycles": 2,
    },
    {"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1, 3]},
    {
        "cancellationFeedback": "TOO_COMPLEX",
        "offerType": "SUPPORT",
        "url": "https://help.example/talk",
    },
    {"cancellationFeedback": "OTHER", "offerType": "NONE"},
]


async def offering(client, **fields):
    body = {"enabled": True, "offers": OFFERS, **fields}
    answer = await client.patch("/organizations/retention-settings/", json=body)
    assert answer.status_code == 200, answer.text


async def leaving(browser, subscription, reason, comment=""):
    """The page that follows the reason."""
    await browser.opens(f"{ROOT}subscriptions/{subscription}/")
    await browser.follows("Cancel subscription")
    return await browser.presses("Continue", reason=reason, comment=comment)


async def record(client, subscription):
    return (await client.get(f"/subscriptions/{subscription}/")).json()


async def test_a_discount_keeps_a_customer(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await offering(client)
        before = await positions(engine)
        await leaving(browser, ids["ada"], "TOO_EXPENSIVE")
        assert "Stay, and pay 25% less" in browser.text
        assert "your next 2 invoices" in browser.text
        assert await positions(engine) == before
        await browser.presses("Stay with the discount")
        assert "Glad you stay" in browser.text
        assert (await record(client, ids["ada"]))["canceledAt"] is None
        await leaving(browser, ids["ada"], "TOO_EXPENSIVE")
        assert "Stay, and pay" not in browser.text


async def test_a_discount_is_given_once_however_often_the_button_is_pressed(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        await offering(client, repeatPolicy={"maxAcceptances": None})
        await leaving(browser, ids["ada"], "TOO_EXPENSIVE")
        form = browser.form("Stay with the discount")
        pages = await asyncio.gather(
            *(browser.http.post(form.path, data=form.hidden) for _ in range(4))
        )
        assert {page.status_code for page in pages} == {200}
        assert (await browser.sends(form)).status_code == 200
        preview = await client.post(f"/subscriptions/{ids['ada']}/update/preview/", json={})
        assert preview.json()["nextInvoice"]["amountDueUnits"] == 1500


async def test_a_pause_instead_of_leaving_and_back_early(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        await offering(client)
        await leaving(browser, ids["ada"], "UNUSED")
        assert "1 month 3 months" in browser.text
        await browser.presses("Pause the subscription", months="3")
        assert "Your subscription is paused" in browser.text
        assert (await record(client, ids["ada"]))["status"] == "paused"
        await browser.presses("Resume now")
        assert "active again" in browser.text
        assert (await record(client, ids["ada"]))["status"] == "active"


async def test_a_duration_that_is_not_offered_is_refused(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await offering(client)
        for months in ("2", "", "-1", "1e9", "٣"):
            await leaving(browser, ids["ada"], "UNUSED")
            before = await positions(engine)
            page = await browser.presses("Pause the subscription", months=months)
            assert page.status_code == 400
            assert await positions(engine) == before


async def test_support_is_shown_and_counted(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await offering(client)
        await leaving(browser, ids["ada"], "TOO_COMPLEX")
        await browser.presses("Talk to support")
        assert 'href="https://help.example/talk"' in browser.page.text
        accepted = [r for r in await engine.store.read(0, 1000) if "retention" in r.name]
        assert [r.fact.offer.value for r in accepted if hasattr(r.fact, "offer")] == ["SUPPORT"]
        assert (await record(client, ids["ada"]))["status"] == "active"


async def test_leaving_and_coming_back(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await offering(client)
        await leaving(browser, ids["ada"], "TOO_EXPENSIVE", "Too dear, <b>sorry</b>")
        await browser.presses("Cancel subscription")
        assert "You can take that back until it ends" in browser.text
        assert "Ends soon" in browser.text
        left = await record(client, ids["ada"])
        assert left["status"] == "active"
        assert left["endDate"] is not None
        assert left["cancellationReason"] == "CANCELLED_BY_CUSTOMER"
        assert left["cancellationFeedback"] == "TOO_EXPENSIVE"
        assert left["cancellationComment"] == "Too dear, <b>sorry</b>"
        [scheduled] = [
            r for r in await engine.store.read(0, 1000) if "cancellation_scheduled" in r.name
        ]
        assert scheduled.actor.startswith("portal:")
        await browser.presses("Keep the subscription")
        assert "Your subscription goes on" in browser.text
        assert (await record(client, ids["ada"]))["canceledAt"] is None


@pytest.mark.parametrize("enabled", [True, False])
async def test_without_an_offer_it_is_one_question(database_url, enabled):
    async with subscribed(database_url) as (_, client, browser, ids):
        await offering(client, enabled=enabled)
        await leaving(browser, ids["ada"], "OTHER")
        assert "You keep access until" in browser.text
        assert "or" not in browser.text.split()
        await browser.presses("Cancel subscription")
        assert (await record(client, ids["ada"]))["cancellationFeedback"] == "OTHER"


async def test_a_reason_must_be_chosen(database_url):
    async with subscribed(database_url) as (_, _, browser, ids):
        for reason in ("", "BECAUSE"):
            page = await leaving(browser, ids["ada"], reason, "kept <&> words")
            assert page.status_code == 400
            assert "Choose a reason." in browser.text
            assert "kept &lt;&amp;&gt; words" in page.text


async def test_the_reason_of_a_form_cannot_be_exchanged(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await offering(client)
        await leaving(browser, ids["ada"], "OTHER")
        form = browser.form("Cancel subscription")
        before = await positions(engine)
        assert (await browser.sends(form, reason="UNUSED")).status_code == 403
        assert await positions(engine) == before


async def test_what_the_merchant_ended_or_paused_is_the_merchants(database_url):
    async with subscribed(database_url, "ada", "bob") as (engine, client, browser, ids):
        await client.post(f"/subscriptions/{ids['ada']}/cancel/", json={})
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/")
        assert "Ends soon" in browser.text
        assert "Keep the subscription" not in browser.text
        await client.post(f"/subscriptions/{ids['bob']}/pause/", json={"pauseMonths": 1})
        bob = await sign_in(engine, client, "bob")
        await bob.opens(f"{ROOT}subscriptions/{ids['bob']}/")
        assert "Paused" in bob.text
        assert "Resume now" not in bob.text
        await bob.close()


async def test_a_pause_without_leaving_where_one_is_offered(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        path = f"{ROOT}subscriptions/{ids['ada']}/"
        await browser.opens(path)
        assert "Pause" not in browser.text
        await browser.opens(f"{path}pause/")
        assert "No pause at the moment" in browser.text
        await offering(client)
        await browser.opens(path)
        await browser.follows("Pause")
        page = await browser.presses("Pause the subscription", choice="UNUSED 2")
        assert page.status_code == 400
        await browser.opens(f"{path}pause/")
        await browser.presses("Pause the subscription", choice="OTHER 1")
        assert "no longer there" in browser.text
        await browser.opens(f"{path}pause/")
        await browser.presses("Pause the subscription", choice="UNUSED 1")
        assert "Your subscription is paused" in browser.text
        assert (await record(client, ids["ada"]))["status"] == "paused"
        await browser.opens(f"{path}pause/")
        assert "No pause at the moment" in browser.text
