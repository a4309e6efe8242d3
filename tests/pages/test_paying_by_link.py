"""The page behind a payment link, as a browser without JavaScript uses it."""

import asyncio
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import asynccontextmanager
from html import unescape

import httpx
import pytest

from tests.catalog_requests import plan_on_sale
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

VISA = "4242 4242 4242 4242"
DECLINED = "4000 0000 0000 0002"
AUTHENTICATE = "4000 0025 0000 3155"
SILENT = "4000 0000 0020 0032"
PRO = {"planIdentifier": "pro", "chargePeriod": "MONTHLY", "customerId": "ada"}
SUBMITTED = {"Content-Type": "application/x-www-form-urlencoded"}


class Browser:
    """One browser window: cookies, forms, redirects."""

    def __init__(self, engine):
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(engine.pages_app()),
            base_url="https://billing.example",
            follow_redirects=True,
        )

    async def opens(self, path):
        self.path = path
        self.page = await self.http.get(path)
        return self.page

    def form(self, way="card"):
        for form in re.findall(r"<form.*?</form>", self.page.text, re.DOTALL):
            hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
            if hidden["way"] == way:
                return hidden
        raise AssertionError(f"no form to pay by {way}")

    async def pays(self, number=None, /, **fields):
        form = self.form("saved" if number is None else "card")
        if number is not None:
            form |= {"number": number, "expiry": "04 / 40", "cvc": "123"}
        self.page = await self.http.post(self.path, data=form | fields)
        return self.page

    @property
    def text(self):
        plain = re.sub(r"<style.*?</style>|<[^>]+>", " ", self.page.text, flags=re.DOTALL)
        return " ".join(unescape(plain).split())

    @property
    def text_but_for_test_cards(self):
        text, removed = re.subn(r"The card 4242.*?asks the bank\.", "", self.text)
        assert removed == 1
        return text


@asynccontextmanager
async def owing(database_url, saved=None):
    """A subscription that waits for its first payment, and a browser at the link."""
    async with running(database_url) as (engine, client):
        await plan_on_sale(client)
        await client.post("/customers/", json={"customerId": "ada", "name": "Ada Lovelace"})
        if saved:
            card = {"number": saved, "expMonth": 4, "expYear": 2040, "cvc": "123"}
            body = {"customerId": "ada", "card": card}
            assert (await client.post("/payment-methods/", json=body)).status_code == 201
        answer = await client.post("/subscriptions/create/", json=PRO)
        assert answer.status_code == 201, answer.text
        browser = Browser(engine)
        await browser.opens((await invoice(client))["paymentLink"])
        try:
            yield engine, client, browser
        finally:
            await browser.http.aclose()


async def invoice(client):
    [found] = (await client.get("/invoices/")).json()["results"]
    return found


async def settled(engine, client):
    await engine.positions.wait(await engine.store.head(), 60)
    return await invoice(client)


async def test_merchant_and_amount_are_all_that_is_shown(database_url):
    async with owing(database_url) as (_, client, browser):
        page = browser.page
        assert page.status_code == 200
        assert "Default" in browser.text
        assert "20.00" in browser.text
        for secret in ("Ada", "ada", "Pro", (await invoice(client))["id"]):
            assert secret not in browser.text
        assert "<script" not in page.text
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page.text)
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"
        style = await browser.http.get(re.search(r'href="([^"]+css[^"]*)"', page.text)[1])
        assert "prefers-color-scheme: dark" in style.text


@pytest.mark.parametrize("number", [VISA, VISA.replace(" ", ""), VISA.replace(" ", "-")])
async def test_a_card_pays_and_the_subscription_is_active(database_url, number):
    async with owing(database_url) as (engine, client, browser):
        page = await browser.pays(number)
        assert (page.status_code, page.request.method) == (200, "GET")
        assert "Paid. Thank you." in browser.text
        paid = await settled(engine, client)
        assert (paid["status"], paid["subscription"]["status"]) == ("PAID", "active")
        assert paid["paymentMethod"]["last4"] == "4242"
        assert paid["paymentLink"] is None
        methods = (await client.get("/payment-methods/?customer_id=ada")).json()
        assert methods["count"] == 0
        assert "Paid. Thank you." in (await browser.opens(browser.path)).text


@pytest.mark.parametrize(
    ("number", "said", "status"),
    [
        (DECLINED, "The card was declined. Nothing was charged.", "PAYMENT_FAILED"),
        (AUTHENTICATE, "The bank wants you to confirm this payment", "OPEN"),
    ],
)
async def test_a_refusal_is_said_in_words_and_another_card_pays(database_url, number, said, status):
    async with owing(database_url) as (engine, client, browser):
        await browser.pays(number)
        assert said in browser.text
        assert (await settled(engine, client))["status"] == status
        await browser.pays(VISA)
        assert "Paid. Thank you." in browser.text


async def test_an_unknown_outcome_is_checked_and_not_tried_again(database_url):
    async with owing(database_url) as (engine, _, browser):
        await browser.pays(SILENT)
        assert "Your payment is being checked" in browser.text
        assert browser.page.headers["refresh"]
        assert "<form" not in browser.page.text
        before = await positions(engine)
        await browser.opens(browser.path)
        assert await positions(engine) == before


async def test_the_saved_method_pays_without_being_shown(database_url):
    async with owing(database_url, saved=AUTHENTICATE) as (engine, client, browser):
        assert "3155" not in browser.text_but_for_test_cards
        await browser.pays()
        assert "The bank wants you to confirm this payment" in browser.text
        assert (await settled(engine, client))["attemptCount"] == 2


async def test_no_saved_method_is_offered_when_there_is_none(database_url):
    async with owing(database_url) as (_, _, browser):
        assert "saved payment method" not in browser.text
        page = await browser.pays(VISA, way="saved")
        assert page.status_code == 400
        assert "no saved payment method" in browser.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"number": "4242 4242 4242 4241"}, "Check the card number."),
        ({"number": ""}, "Check the card number."),
        ({"number": "4111 1111 1111 1111"}, "Only test cards are accepted here"),
        ({"expiry": "13/40"}, "Enter the expiry"),
        ({"expiry": "soon"}, "Enter the expiry"),
        ({"expiry": "01/20"}, "The card has expired."),
        ({"cvc": "x"}, "security code"),
    ],
)
async def test_a_mistyped_card_is_told_and_never_shown_again(database_url, fields, said):
    async with owing(database_url) as (engine, _, browser):
        before = await positions(engine)
        page = await browser.pays(VISA, **fields)
        assert page.status_code == 400
        assert said in browser.text
        typed = {"number": VISA, "expiry": "04 / 40"} | fields
        shown = browser.text_but_for_test_cards
        assert all(value not in shown for value in typed.values() if len(value) > 3)
        assert await positions(engine) == before
        await browser.pays(VISA)
        assert "Paid. Thank you." in browser.text


async def test_the_page_is_no_place_to_test_many_cards(database_url):
    async with owing(database_url) as (engine, _, browser):
        before = await positions(engine)
        form = browser.form() | {"number": "4242 4242 4242 4241", "expiry": "04/40", "cvc": "123"}
        answers = [await browser.http.post(browser.path, data=form) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [400] * 10 + [429]
        assert await positions(engine) == before


async def test_no_card_number_is_kept(database_url, caplog):
    async with owing(database_url) as (engine, _, browser):
        await browser.pays(VISA)
        async with engine.store.pool.connection() as db:
            found = await db.execute("SELECT string_agg(encode(data, 'escape'), ' ') FROM events")
            text = (await found.fetchone())[0]
        assert "4242" in text
        assert "424242424242" not in text
        assert "424242424242" not in caplog.text


async def test_twice_the_button_and_two_tabs_charge_once(database_url):
    async with owing(database_url) as (engine, client, browser):
        tab = Browser(engine)
        await tab.opens(browser.path)
        pages = await asyncio.gather(
            browser.pays(VISA), browser.pays(VISA), tab.pays(VISA), tab.pays("5555 5555 5555 4444")
        )
        assert {page.status_code for page in pages} == {200}
        assert all("Paid. Thank you." in page.text for page in pages)
        await tab.http.aclose()
        paid = await settled(engine, client)
        assert (paid["status"], paid["attemptCount"]) == ("PAID", 1)
        async with engine.store.pool.connection() as db:
            found = await db.execute("SELECT count(*) FROM simulated_payments")
            assert (await found.fetchone())[0] == 1


async def test_an_old_form_tries_nothing(database_url):
    async with owing(database_url) as (engine, client, browser):
        old = browser.form()
        await browser.pays(DECLINED)
        form = old | {"number": VISA, "expiry": "04/40", "cvc": "123"}
        page = await browser.http.post(browser.path, data=form)
        assert page.status_code == 200
        assert "did not go through" in page.text
        assert (await settled(engine, client))["attemptCount"] == 1


async def test_only_a_form_of_ours_is_taken(database_url):
    async with owing(database_url) as (engine, _, browser):
        before = await positions(engine)
        card = browser.form() | {"number": VISA, "expiry": "04/40", "cvc": "123"}
        forged = [
            (card | {"seal": "0" * 64}, None),
            (card | {"seal": "é"}, None),
            (card | {"attempt": "2"}, None),
            ({key: value for key, value in card.items() if key != "seal"}, None),
            (card, {"Sec-Fetch-Site": "cross-site"}),
        ]
        for form, headers in forged:
            page = await browser.http.post(browser.path, data=form, headers=headers)
            assert page.status_code == 403, form
        browser.http.cookies.clear()
        assert (await browser.http.post(browser.path, data=card)).status_code == 403
        nonsense = await browser.http.post(browser.path, content=b"\xff", headers=SUBMITTED)
        assert nonsense.status_code == 400
        assert await positions(engine) == before


async def test_a_tampered_link_leads_nowhere(database_url):
    async with owing(database_url) as (_, _, browser):
        token = browser.path.rpartition("/")[2]
        signed = urlsafe_b64decode(token + "==")
        flipped = [
            urlsafe_b64encode(signed[:i] + bytes([signed[i] ^ 1]) + signed[i + 1 :])
            for i in range(0, len(signed), 7)
        ]
        tokens = [text.decode().rstrip("=") for text in flipped]
        last = token[:-1] + chr(ord(token[-1]) + 1)
        for wrong in (*tokens, last, token[:-1], token + "A", token + "!", "x", "é" * 86):
            for page in (
                await browser.http.get(f"/pay/{wrong}"),
                await browser.http.post(f"/pay/{wrong}", data={"way": "saved"}),
            ):
                assert page.status_code == 404, wrong
                assert "There is nothing here" in page.text
        assert (await browser.http.get("/pay/")).status_code == 404
        assert (await browser.http.get(f"/pay/{token}/")).status_code == 200


async def test_what_expired_can_no_longer_be_paid(database_url):
    async with running(database_url) as (engine, client):
        await plan_on_sale(client)
        clock = (
            await client.post("/test-clocks/", json={"frozenTime": "2026-01-01T00:00:00Z"})
        ).json()
        body = {"customerId": "ada", "testClockId": clock["id"]}
        assert (await client.post("/customers/", json=body)).status_code == 201
        assert (await client.post("/subscriptions/create/", json=PRO)).status_code == 201
        link = (await invoice(client))["paymentLink"]
        path = f"/test-clocks/{clock['id']}/advance/"
        moved = await client.post(path, json={"frozenTime": "2026-01-03T00:00:00Z"})
        assert moved.status_code in (200, 202), moved.text
        browser = Browser(engine)
        for _ in range(200):
            await browser.opens(link)
            if "can no longer be paid" in browser.text:
                break
            await asyncio.sleep(0.05)
        assert "can no longer be paid" in browser.text
        assert "<form" not in browser.page.text
        await browser.http.aclose()


async def confirmed(browser):
    """The payer goes to the bank and says yes; where the browser is sent back to."""
    link = unescape(re.search(r'class="button primary wide" href="([^"]+)"', browser.page.text)[1])
    page = await browser.http.get(link)
    proof = re.search(r'name="proof" value="([^"]+)"', page.text)[1]
    return link, {"proof": proof, "answer": "confirm"}


async def test_confirmed_twice_or_in_two_tabs_it_is_charged_once(database_url):
    async with owing(database_url) as (engine, client, browser):
        await browser.pays(AUTHENTICATE)
        link, form = await confirmed(browser)
        pages = await asyncio.gather(*(browser.http.post(link, data=form) for _ in range(3)))
        assert all("Paid. Thank you." in page.text for page in pages)
        paid = await settled(engine, client)
        assert (paid["status"], paid["attemptCount"]) == ("PAID", 2)


async def test_the_bank_takes_no_answer_from_elsewhere_and_leads_nowhere_else(database_url):
    async with owing(database_url) as (_, _, browser):
        await browser.pays(AUTHENTICATE)
        link, form = await confirmed(browser)
        for wrong, headers in (
            (form | {"proof": "x"}, None),
            ({"answer": "confirm"}, None),
            (form, {"Sec-Fetch-Site": "cross-site"}),
        ):
            page = await browser.http.post(link, data=wrong, headers=headers)
            assert page.status_code == 403
        bank = link.partition("?")[0]
        for back in ("https://elsewhere.example/", "//elsewhere.example/pay/", "/docs", ""):
            page = await browser.http.post(bank, params={"back": back}, data=form)
            assert page.status_code == 404
