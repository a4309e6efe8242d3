"""The way into the portal: a link, a button, a cookie, and nothing that tells the secret."""

import asyncio
import logging
import re

import pytest

from aggregates.portal_session.token import read
from tests.engines import positions, running
from tests.pages.portal_browser import HOST, Browser, customer, sign_in, subscribed, token_of


pytestmark = pytest.mark.anyio

ROOT = "/portal/default/"
COOKIE = "billstream_portal"


async def test_a_link_leads_to_a_button_and_the_button_in(database_url, caplog):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        token = await token_of(client)
        browser = Browser(engine)
        caplog.set_level(logging.DEBUG, "app")
        before = await positions(engine)
        page = await browser.opens(f"{ROOT}?token={token}")
        assert page.status_code == 200
        assert "a•••@example.com" in browser.text
        assert "ada@example.com" not in page.text
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"
        assert await positions(engine) == before
        browser.http.follow_redirects = False
        answer = await browser.presses("Continue")
        assert (answer.status_code, answer.headers["location"]) == (303, ROOT)
        assert token not in answer.request.url.raw_path.decode()
        kept = next(c for c in answer.headers.get_list("set-cookie") if c.startswith(f"{COOKIE}="))
        flags = {part.strip().lower() for part in kept.split(";")[1:]}
        assert {"httponly", "samesite=lax", "secure", "path=/portal/default"} <= flags
        assert not any(flag.startswith(("max-age", "expires", "domain")) for flag in flags)
        page = await browser.opens(ROOT)
        assert "No subscriptions yet" in browser.text
        assert "ada@example.com" in browser.text
        for secret in (token, read(token).secret):
            assert secret not in page.text
            assert secret not in caplog.text
        await browser.close()


async def test_opening_the_link_again_leads_in_only_who_is_in(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        token = await token_of(client)
        browser, thief = Browser(engine), Browser(engine)
        await browser.opens(f"{ROOT}?token={token}")
        await browser.presses("Continue")
        await browser.opens(f"{ROOT}?token={token}")
        assert str(browser.page.url) == f"{HOST}{ROOT}"
        page = await thief.opens(f"{ROOT}?token={token}")
        assert page.status_code == 403
        assert "no longer valid" in thief.text
        await browser.close()
        await thief.close()


async def test_two_windows_with_one_link_let_one_in(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        token = await token_of(client)
        windows = [Browser(engine) for _ in range(5)]
        for window in windows:
            await window.opens(f"{ROOT}?token={token}")
        pages = await asyncio.gather(*(window.presses("Continue") for window in windows))
        assert sorted(page.status_code for page in pages) == [200, 403, 403, 403, 403]
        for window in windows:
            inside = (await window.opens(ROOT)).status_code == 200
            assert inside == (COOKIE in window.http.cookies)
            await window.close()


async def test_what_a_browser_came_with_is_never_made_good(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        planted = f"{'0' * 32}.{'A' * 43}"
        browser = Browser(engine)
        browser.http.cookies.set(COOKIE, planted, domain="billing.example", path="/portal/default")
        assert (await browser.opens(ROOT)).status_code == 403
        browser.http.cookies.set(COOKIE, planted, domain="billing.example", path="/portal/default")
        await browser.opens(f"{ROOT}?token={await token_of(client)}")
        await browser.presses("Continue")
        [kept] = {c.value for c in browser.http.cookies.jar if c.name == COOKIE}
        assert kept != planted
        other = Browser(engine)
        other.http.cookies.set(COOKIE, planted, domain="billing.example", path="/portal/default")
        assert (await other.opens(ROOT)).status_code == 403
        await browser.close()
        await other.close()


@pytest.mark.parametrize("cookie", ["", "x", "0" * 32, f"{'0' * 32}.{'é' * 43}", "a.b", "é"])
async def test_nonsense_is_nobody(database_url, cookie):
    async with running(database_url) as (engine, _):
        browser = Browser(engine)
        headers = {"Cookie": f"{COOKIE}={cookie}".encode()}
        page = await browser.http.get(ROOT, headers=headers)
        assert page.status_code == 403
        await browser.close()


@pytest.mark.parametrize(
    "token", ["", "x", "cpt-:", "cpt-" + "0" * 8, "é", f"cpt-{'0' * 8}-0000-4000-8000-{'0' * 12}"]
)
async def test_a_wrong_token_says_nothing(database_url, token):
    async with running(database_url) as (engine, _):
        browser = Browser(engine)
        page = await browser.opens(f"{ROOT}?token={token}")
        assert page.status_code == 403
        assert "no longer valid" in browser.text
        assert "<form" not in page.text
        await browser.close()


async def test_whoever_tries_many_tokens_has_to_wait(database_url):
    async with running(database_url) as (engine, _):
        browser = Browser(engine)
        answers = [(await browser.opens(f"{ROOT}?token=x")).status_code for _ in range(25)]
        assert answers[:20] == [403] * 20
        assert answers[-1] == 429
        await browser.close()


async def test_only_a_button_that_was_shown_here_lets_in(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        token = await token_of(client)
        browser, other = Browser(engine), Browser(engine)
        await browser.opens(f"{ROOT}?token={token}")
        form = browser.form("Continue").hidden
        before = await positions(engine)
        for hidden, headers in (
            ({**form, "seal": "0" * 64}, {}),
            ({"token": token}, {}),
            (form, {"Sec-Fetch-Site": "cross-site"}),
        ):
            page = await browser.http.post(ROOT, data=hidden, headers=headers)
            assert page.status_code == 403
        assert (await other.http.post(ROOT, data=form)).status_code == 403
        assert await positions(engine) == before
        assert (await browser.presses("Continue")).status_code == 200
        await browser.close()
        await other.close()


async def test_another_email_address_ends_the_visit(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        path = f"{ROOT}subscriptions/{ids['ada']}/"
        assert (await browser.opens(path)).status_code == 200
        await client.patch("/customers/ada/", json={"email": "new@example.com"})
        page = await browser.opens(path)
        assert page.status_code == 403
        assert "You are not signed in" in browser.text
        assert COOKIE not in browser.http.cookies


async def test_signing_out_ends_it_also_for_a_copied_cookie(database_url):
    async with subscribed(database_url) as (engine, _, browser, _):
        copied = next(c.value for c in browser.http.cookies.jar if c.name == COOKIE)
        await browser.presses("Sign out")
        assert "You have signed out" in browser.text
        assert COOKIE not in browser.http.cookies
        thief = Browser(engine)
        thief.http.cookies.set(COOKIE, copied, domain="billing.example", path="/portal/default")
        assert (await thief.opens(ROOT)).status_code == 403
        await thief.close()


async def test_an_archived_customer_is_out(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        browser = await sign_in(engine, client)
        assert (await client.delete("/customers/ada/")).status_code == 204
        assert (await browser.opens(ROOT)).status_code == 403
        await browser.close()


async def test_a_portal_of_nobody_is_none(database_url):
    async with running(database_url) as (engine, _):
        browser = Browser(engine)
        for path in ("/portal/", "/portal/nobody/", "/portal/nobody/invoices", "/portal/a%2Fb/"):
            page = await browser.opens(path)
            assert page.status_code == 404
            assert "There is nothing here" in browser.text
        await browser.close()


async def test_no_page_asks_for_anything_from_elsewhere(database_url):
    async with subscribed(database_url) as (_, _, browser, ids):
        for path in ("", "invoices", "payment-methods", "details", f"subscriptions/{ids['ada']}"):
            page = await browser.opens(f"{ROOT}{path}")
            assert page.status_code == 200
            assert "<script" not in page.text
            assert " style=" not in page.text
            assert not re.search(r'(?:src|action)="(?:https?:)?//', page.text)
            assert "unsafe" not in page.headers["content-security-policy"]
            assert page.headers["cache-control"] == "no-store"
