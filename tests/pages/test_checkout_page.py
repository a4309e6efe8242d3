"""The checkout page without a browser: what its forms do twice, late, forged and at once."""

import asyncio
import re
from contextlib import asynccontextmanager
from html import escape, unescape

import httpx
import pytest

from tests.api.test_subscriptions import sells
from tests.catalog_requests import USD_MONTHLY, create_plan, priced
from tests.engines import positions, running
from tests.hosted_buyer import begin


pytestmark = pytest.mark.anyio

VISA = {"number": "4242 4242 4242 4242", "expiry": "04 / 40", "cvc": "123"}
DECLINED = VISA | {"number": "4000 0000 0000 0002"}
SILENT = VISA | {"number": "4000 0000 0020 0032"}
YEARLY = {"chargePeriod": "YEARLY", "priceData": {"amount": "200.00"}}
BOTH = {"charges": [*USD_MONTHLY["charges"], YEARLY]}


class Tab:
    """A browser tab on one session."""

    def __init__(self, engine, session_id):
        self.path = f"/checkout/{session_id}/"
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(engine.pages_app()), base_url="https://billing.example"
        )

    async def opens(self):
        self.page = await self.http.get(self.path)
        return self.page

    @property
    def form(self):
        return dict(re.findall(r'name="(\w+)"(?: id="\w+")? value="([^"]*)"', self.page.text))

    @property
    def hidden(self):
        return {name: self.form[name] for name in ("seal", "attempt", "quote")}

    async def sends(self, fields, path="", **more):
        self.page = await self.http.post(self.path + path, data=fields, **more)
        if self.page.status_code == 303:
            assert self.page.headers["location"] == self.path
            await self.opens()
        return self.page

    async def pays(self, card=VISA, **fields):
        buyer = {"email": "ada@example.com", "action": "pay"}
        return await self.sends(self.hidden | buyer | card | fields)

    @property
    def text(self):
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.page.text)).split())


@asynccontextmanager
async def buying(database_url, *prices, **fields):
    """A session, and a tab that is open on it."""
    async with running(database_url) as (engine, client):
        await sells(client, *prices)
        session_id = await begin(client, **fields)
        tab = Tab(engine, session_id)
        await tab.opens()
        try:
            yield engine, client, tab
        finally:
            await tab.http.aclose()


async def bought(engine, client):
    await engine.positions.wait(await engine.store.head(), 60)
    found = await client.get("/subscriptions/", params={"customer_id": "ada"})
    return [each["status"] for each in found.json()["results"]]


async def test_buying_leads_to_the_merchant_and_tells_it_nothing(database_url):
    async with buying(database_url) as (engine, client, tab):
        policy = tab.page.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?! src)| on\w+=| style=", tab.page.text)
        page = await tab.pays()
        assert page.headers["refresh"] == "0; url=https://shop.example/thanks"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert await bought(engine, client) == ["active"]
        before = await positions(engine)
        assert (await tab.opens()).headers["refresh"]
        assert await positions(engine) == before


async def test_any_address_of_the_merchant_can_be_led_to(database_url):
    url = "https://bücher.example/danke/ø?a=1&b=%20;c=→#ende"
    async with buying(database_url, successUrl=url) as (_, _, tab):
        page = await tab.pays()
        shown = "https://b%C3%BCcher.example/danke/%C3%B8?a=1&b=%20;c=%E2%86%92#ende"
        assert page.headers["refresh"] == f"0; url={shown}"
        assert f'href="{escape(url)}"' in page.text


async def test_every_button_pressed_at_once_buys_once(database_url):
    async with buying(database_url) as (engine, client, tab):
        other = Tab(engine, tab.path.split("/")[2])
        await other.opens()
        pages = await asyncio.gather(tab.pays(), tab.pays(), other.pays(), other.pays(DECLINED))
        assert {page.status_code for page in pages} == {200}
        if (await tab.opens()).headers.get("refresh") is None:  # the declined card came first
            await tab.pays()
        assert await bought(engine, client) == ["active"]
        async with engine.store.pool.connection() as db:
            found = await db.execute(
                "SELECT count(*) FROM simulated_payments WHERE outcome = 'succeeded'"
            )
            assert (await found.fetchone())[0] == 1
        await other.http.aclose()


@pytest.mark.parametrize("trial", [None, 7])
async def test_a_first_period_for_nothing_does_not_hide_that_it_renews(database_url, trial):
    gift = {"discountType": "PERCENTAGE", "percentageOff": 100, "duration": "ONCE", "code": "GIFT"}
    async with running(database_url) as (engine, client):
        await sells(client)
        assert (await client.post("/discount/", json=gift)).status_code == 201
        tab = Tab(engine, await begin(client, discountCode="GIFT", trialPeriod=trial))
        await tab.opens()
        assert "$0.00" in tab.text
        assert "Renews every month until you cancel." in tab.text
        assert "Nothing to pay" not in tab.text


async def test_a_country_that_does_not_exist_takes_no_tax_off(database_url):
    rates = {"taxRates": [{"country": "DE", "percent": 19}]}
    async with running(database_url) as (engine, client):
        await sells(client)
        await client.patch("/organizations/settings/", json=rates)
        tab = Tab(engine, await begin(client, defaultBillingCountry="DE"))
        await tab.opens()
        for country in ("XX", "ZZ", "D3", "GERMANY"):
            await tab.pays(country=country)
            assert tab.page.status_code == 400
            assert "Choose a country." in tab.text
            assert "$23.80" in tab.text
        assert await Tab(engine, tab.path.split("/")[2]).opens()
        assert (await client.get("/invoices/")).json()["count"] == 0


async def test_an_old_form_buys_nothing(database_url):
    async with buying(database_url) as (engine, client, tab):
        old = tab.hidden
        await tab.pays(DECLINED)
        assert "The card was declined. Nothing was charged." in tab.text
        await tab.sends(old | VISA | {"email": "ada@example.com", "action": "pay"})
        assert "The card was declined." in tab.text
        assert await bought(engine, client) == []
        await tab.pays()
        assert await bought(engine, client) == ["active"]


async def test_nobody_pays_another_price_than_the_one_that_was_shown(database_url):
    async with buying(database_url, BOTH) as (engine, client, tab):
        page = await tab.pays(period="YEARLY")
        assert page.status_code == 409
        assert "look at it again" in tab.text
        assert "Pay $200.00" in tab.text
        assert await bought(engine, client) == []
        assert (await tab.pays(quote="")).status_code == 409
        await tab.opens()
        await tab.pays()
        assert await bought(engine, client) == ["active"]


async def test_what_is_not_sold_any_more_is_told_in_the_buyers_language(database_url):
    back = "https://shop.example/prices"
    async with buying(database_url, cancelUrl=back) as (engine, client, tab):
        form = tab.hidden | VISA | {"email": "ada@example.com", "action": "pay"}
        tab.http.headers["accept-language"] = "de"
        await client.patch("/organizations/checkout-settings/", json={"brandName": "Kellerei"})
        assert (await client.delete("/catalog/plans/pro/")).status_code == 204
        await engine.positions.wait(await engine.store.head(), 60)
        for page in (await tab.opens(), await tab.sends(form)):
            assert page.status_code == 400
            assert (
                "Diesen Tarif gibt es nicht mehr zu kaufen. Es wurde nichts abgebucht." in tab.text
            )
            assert "Kellerei" in tab.text
            assert f'href="{back}"' in page.text
        told = (await tab.http.post(f"{tab.path}price", data=form)).json()
        assert told == {"alert": "Diesen Tarif gibt es nicht mehr zu kaufen."}
        assert await bought(engine, client) == []


async def test_a_customer_who_was_archived_meanwhile_is_told_so(database_url):
    async with buying(database_url) as (_, client, tab):
        form = tab.hidden | VISA | {"email": "ada@example.com", "name": "Ada", "action": "pay"}
        assert (await client.delete("/customers/ada/")).status_code < 300
        for page in (await tab.sends(form), await tab.opens()):
            assert page.status_code == 400
            assert "The customer is archived and cannot buy. Nothing was charged." in tab.text


@pytest.mark.parametrize(
    ("language", "typed", "shown"),
    [
        ("de", "1.234,5", "1234,5"),
        ("fr", "1\u202f234,5", "1234,5"),
        ("de", "1234.5", "1234,5"),
        ("en", "1234.5", "1234.5"),
    ],
)
async def test_a_number_is_typed_as_it_is_written_where_the_buyer_is(
    database_url, language, typed, shown
):
    asked = {"key": "area", "label": "1,5 ha?", "type": "NUMBER", "required": True}
    async with buying(database_url) as (_, client, tab):
        tab.http.headers["accept-language"] = language
        fields = [asked, {"key": "note", "label": "Note", "type": "TEXT"}]
        await client.patch("/organizations/checkout-settings/", json={"customFields": fields})
        await tab.opens()
        answers = {"cf.area": typed, "cf.note": "1.234,5"}
        await tab.sends(tab.hidden | {"action": "update"} | answers)
        assert f'value="{shown}"' in tab.page.text
        session = (await client.get(f"/checkout/sessions/{tab.path.split('/')[2]}/")).json()
        assert session["customFieldsData"] == {"area": "1234.5", "note": "1.234,5"}


async def test_asking_for_a_price_keeps_nothing_unless_it_is_told_to(database_url):
    async with buying(database_url, BOTH) as (engine, _, tab):
        hidden, before = tab.hidden, await positions(engine)
        form = hidden | {"period": "YEARLY", "email": "nonsense", "tax_id": "x"}
        parts = (await tab.http.post(f"{tab.path}price", data=form)).json()
        assert "$200.00" in parts["summary"]
        assert parts["pay"] == "Pay $200.00"
        assert set(parts["problems"]) == {"email", "tax_id"}
        assert await positions(engine) == before
        await tab.http.post(f"{tab.path}price", data=form | {"keep": "1"})
        assert await positions(engine) == before + 1
        await tab.opens()
        assert "Pay $200.00" in tab.text


async def test_another_plan_is_kept_with_what_it_sells_of_the_form(database_url):
    async with running(database_url) as (engine, client):
        await sells(client, BOTH)
        [product] = (await client.get("/catalog/products/")).json()["results"]
        await create_plan(client, product, name="Max")
        await client.post("/catalog/plans/max/prices/bulk/", json=priced({"charges": [YEARLY]}))
        assert (await client.post("/catalog/plans/max/publish/")).status_code == 200
        tab = Tab(engine, await begin(client, plansEnabled="pro,max"))
        await tab.opens()
        form = tab.hidden | {"plan": "max", "period": "MONTHLY", "keep": "1"}
        parts = (await tab.http.post(f"{tab.path}price", data=form)).json()
        assert (parts["problems"], parts["pay"]) == ({}, "Pay $200.00")


async def test_an_unknown_outcome_is_checked_and_not_tried_again(database_url):
    async with buying(database_url) as (engine, _, tab):
        hidden = tab.hidden
        await tab.pays(SILENT)
        assert "Your payment is being checked" in tab.text
        assert tab.page.headers["refresh"]
        assert "<form" not in tab.page.text
        before = await positions(engine)
        await tab.sends(hidden | VISA | {"email": "ada@example.com"})
        assert "Your payment is being checked" in tab.text
        assert (await tab.http.post(f"{tab.path}price", data=hidden)).json() == {"over": True}
        assert await positions(engine) == before


async def test_only_a_form_of_ours_is_taken(database_url):
    async with buying(database_url) as (engine, _, tab):
        form, before = tab.hidden | VISA | {"email": "ada@example.com"}, await positions(engine)
        for forged, headers in (
            (form | {"seal": "0" * 64}, None),
            ({k: v for k, v in form.items() if k != "seal"}, None),
            (form, {"Sec-Fetch-Site": "cross-site"}),
        ):
            for path in (tab.path, f"{tab.path}price"):
                answer = await tab.http.post(path, data=forged, headers=headers)
                assert answer.status_code == 403
        tab.http.cookies.clear()
        page = await tab.http.post(f"{tab.path}?locale=de", data=form)
        assert page.status_code == 403
        assert "es wurde nichts abgeschickt" in page.text
        assert f'href="{tab.path}?locale=de"' in page.text
        assert await positions(engine) == before


async def test_an_invented_session_leads_nowhere(database_url):
    async with buying(database_url) as (_, _, tab):
        session = tab.path.split("/")[2]
        last = "A" if session[-1] != "A" else "B"
        for wrong in ("x", "cs_", session[:-1], session[:-1] + last, session + "A", "é" * 48):
            for answer in (
                await tab.http.get(f"/checkout/{wrong}/"),
                await tab.http.post(f"/checkout/{wrong}/", data={}),
                await tab.http.post(f"/checkout/{wrong}/price", data={}),
            ):
                assert answer.status_code == 404, wrong


async def test_codes_cannot_be_guessed_for_long(database_url):
    async with buying(database_url) as (_, _, tab):
        form = tab.hidden
        for guess in range(10):
            page = await tab.http.post(
                f"{tab.path}price", data=form | {"discount_code": f"GUESS{guess}"}
            )
            assert "discount_code" in page.json()["problems"]
        page = await tab.http.post(f"{tab.path}price", data=form | {"discount_code": "GUESS10"})
        assert page.json() == {"alert": "Too many tries. Please wait a moment."}
        page = await tab.http.post(tab.path, data=form | {"discount_code": "X", "action": "code"})
        assert page.status_code == 429
        assert int(page.headers["retry-after"]) > 0
        assert f'href="{tab.path}"' in page.text


async def test_a_locked_email_stays(database_url):
    async with buying(database_url, lockEmail=True) as (engine, client, tab):
        assert "readonly" in tab.page.text
        await tab.pays(email="mallory@example.com")
        assert await bought(engine, client) == ["active"]
        customer = (await client.get("/customers/ada/")).json()
        assert customer["email"] == "ada@example.com"


async def test_what_is_entered_is_escaped_and_shown_again_but_no_card(database_url):
    async with buying(database_url) as (_, _, tab):
        name = "<script>alert(1)</script>"
        page = await tab.pays(name=name, email="nonsense")
        assert page.status_code == 400
        assert unescape(re.search(r'id="name" [^>]*value="([^"]*)"', page.text)[1]) == name
        assert "<script>alert" not in page.text
        assert "Enter an email address, such as name@example.com." in tab.text
        shown = page.text.replace("The card 4242 4242 4242 4242 pays", "")
        assert all(value not in shown for value in VISA.values() if len(value) > 3)
