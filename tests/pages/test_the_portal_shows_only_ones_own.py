"""A customer sees and touches nothing of another, whatever the address, the form or the cookie."""

import re
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from app.operations import organization
from pages.portal.routes import PAGES
from tests.api.test_two_organizations import caller
from tests.engines import positions, running
from tests.pages.portal_browser import (
    Browser,
    customer,
    device,
    plans,
    sign_in,
    subscribe,
    subscribed,
    token_of,
)


pytestmark = pytest.mark.anyio

ROOT = "/portal/default/"
PLAN = {"plan": "max", "period": "MONTHLY"}
OWN_PAGES = {"sign-out/", "invoices/", "payment-methods/", "payment-methods/add/", "details/"}
"""Pages whose address names nothing: they are about whoever is signed in."""


async def things(client, name, subscription):
    """What somebody has, by the name of the path parameter."""
    [invoice] = (await client.get(f"/invoices/?customer_id={name}")).json()["results"]
    [method] = (await client.get(f"/payment-methods/?customer_id={name}")).json()["results"]
    key_id, instance = await device(client, name)
    return {
        "subscription": subscription,
        "number": (invoice["id"], method["id"]),
        "license": key_id,
        "instance": instance,
        "file": uuid4(),
    }


def addresses(theirs):
    """Every page that names something, about what is somebody else's."""
    invoice, method = theirs["number"]
    for path, methods in PAGES.items():
        if path not in OWN_PAGES:
            number = invoice if path.startswith("invoices") else method
            named = path.format(**{**theirs, "number": number})
            for verb in methods:
                yield verb, named


def test_every_page_is_either_ones_own_or_names_something():
    assert {path for path in PAGES if "{" not in path} == OWN_PAGES


@asynccontextmanager
async def two(database_url):
    """Ada is signed in; what is eve's and what is not ada's in another organization."""
    async with (
        subscribed(database_url, "ada", "eve") as (engine, client, browser, ids),
        caller(engine, "other") as other,
    ):
        await plans(other)
        await customer(other, "ada")
        elsewhere = await things(other, "ada", await subscribe(other, "ada"))
        eves = await things(client, "eve", ids["eve"])
        yield engine, client, browser, (eves, elsewhere)


async def test_what_is_another_customers_does_not_exist(database_url):
    async with two(database_url) as (engine, _, browser, others):
        await browser.opens(ROOT)
        form = browser.form("Sign out").hidden
        before = await positions(engine)
        for theirs in others:
            for verb, path in addresses(theirs):
                page = await browser.http.request(
                    verb, f"{ROOT}{path}", data=form if verb == "POST" else None
                )
                assert page.status_code == 404, (verb, path)
                assert "eve" not in page.text
        assert await positions(engine) == before


async def test_a_form_of_ones_own_does_nothing_to_anothers(database_url):
    """The seals name what a form is about: swapping the address or the fields breaks them."""
    async with two(database_url) as (engine, client, browser, (eves, _)):
        [own] = (await client.get("/subscriptions/?customer_id=ada")).json()["results"]
        offers = [{"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1]}]
        body = {"enabled": True, "offers": offers}
        await client.patch("/organizations/retention-settings/", json=body)
        forms = []
        for path, button in (
            (f"subscriptions/{own['id']}/cancel/", "Continue"),
            (f"subscriptions/{own['id']}/pause/", "Pause the subscription"),
            (f"subscriptions/{own['id']}/plan/review/?choice=max+MONTHLY", "Pay $"),
        ):
            await browser.opens(f"{ROOT}{path}")
            forms.append(browser.form(button))
        before = await positions(engine)
        for form in forms:
            swapped = form.path.replace(own["id"], eves["subscription"])
            assert swapped != form.path
            page = await browser.http.post(swapped, data={**form.hidden, "reason": "UNUSED"})
            assert page.status_code == 404
        assert await positions(engine) == before


async def test_every_form_is_sealed(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        offers = [
            {"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1]},
            {"cancellationFeedback": "TOO_COMPLEX", "offerType": "SUPPORT"},
        ]
        body = {"enabled": True, "offers": offers}
        await client.patch("/organizations/retention-settings/", json=body)
        [method] = (await client.get("/payment-methods/?customer_id=ada")).json()["results"]
        key_id, instance = await device(client, "ada")
        mine = {
            "subscription": ids["ada"],
            "number": method["id"],
            "license": key_id,
            "instance": instance,
            "file": uuid4(),
        }
        await browser.opens(ROOT)
        other = browser.form("Sign out").hidden
        before = await positions(engine)
        for path, methods in PAGES.items():
            if "POST" in methods:
                address = f"{ROOT}{path.format(**mine)}"
                for form in ({}, {"nonce": "1", "seal": "0" * 64}, {"nonce": "é", "seal": "é"}):
                    page = await browser.http.post(address, data={**PLAN, **form})
                    assert page.status_code == 403, (address, page.status_code)
                if path != "sign-out/":
                    page = await browser.http.post(address, data={**PLAN, **other})
                    assert page.status_code == 403
        assert await positions(engine) == before
        cross = {"Sec-Fetch-Site": "cross-site"}
        page = await browser.http.post(f"{ROOT}sign-out/", data=other, headers=cross)
        assert page.status_code == 403


async def test_a_form_of_one_visit_is_none_of_another(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        second = await sign_in(engine, client)
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/cancel/")
        form = browser.form("Continue")
        page = await second.http.post(form.path, data={**form.hidden, "reason": "OTHER"})
        assert page.status_code == 403
        await second.close()


async def test_nobody_who_is_not_signed_in_sees_a_page(database_url):
    async with subscribed(database_url) as (engine, client, _, ids):
        [invoice] = (await client.get("/invoices/?customer_id=ada")).json()["results"]
        stranger = Browser(engine)
        key_id, instance = await device(client, "ada")
        mine = {
            "subscription": ids["ada"],
            "license": key_id,
            "instance": instance,
            "file": uuid4(),
        }
        before = await positions(engine)
        for path, methods in PAGES.items():
            named = path.format(**mine, number=invoice["id"])
            for verb in methods:
                for spelled in (named, named.rstrip("/")):
                    page = await stranger.http.request(verb, f"{ROOT}{spelled}")
                    assert page.status_code == 403
                    assert "You are not signed in" in page.text
        assert await positions(engine) == before
        await stranger.close()


async def test_a_visit_is_to_one_organization(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        async with caller(engine, "other") as other:
            await customer(other, "ada")
            browser = await sign_in(engine, client)
            [cookie] = [c for c in browser.http.cookies.jar if c.name == "billstream_portal"]
            stolen = {"Cookie": f"billstream_portal={cookie.value}"}
            stranger = Browser(engine)
            page = await stranger.http.get("/portal/other/", headers=stolen)
            assert page.status_code == 403
            token = await token_of(other)
            assert (await stranger.opens(f"{ROOT}?token={token}")).status_code == 403
            assert (await stranger.opens(f"/portal/other/?token={token}")).status_code == 200
            await stranger.presses("Continue")
            [theirs] = [c for c in stranger.http.cookies.jar if c.name == "billstream_portal"]
            assert theirs.path == "/portal/other"
            assert (await stranger.opens(ROOT)).status_code == 403
            assert (await stranger.opens("/portal/other/")).status_code == 200
            await stranger.close()
            await browser.close()


async def test_whatever_follows_a_slug_finds_nothing_of_others(database_url):
    async with running(database_url) as (engine, _):
        tenant, _ = await organization(engine, "default-2", merchant_of_record=False)
        browser = Browser(engine)
        for path in (f"/portal/{tenant.slug}/", "/portal/default2/", "/portal/DEFAULT/"):
            assert (await browser.opens(path)).status_code in {403, 404}
        assert re.search("not signed in|nothing here", browser.text)
        await browser.close()
