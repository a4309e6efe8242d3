"""What a customer sees and does in the portal: plans, invoices, ways to pay, details."""

import re
from urllib.parse import quote, urlencode

import pytest

from tests.catalog_requests import USD_MONTHLY, create_feature, create_product, priced
from tests.engines import positions, running
from tests.pages.portal_browser import (
    DECLINED,
    MASTERCARD,
    VISA,
    Browser,
    customer,
    device,
    plans,
    sign_in,
    subscribe,
    subscribed,
)


pytestmark = pytest.mark.anyio

ROOT = "/portal/default/"


async def test_a_new_customer_finds_empty_rooms_that_say_so(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada", card=None)
        browser = await sign_in(engine, client)
        assert "No subscriptions yet" in browser.text
        await browser.follows("Invoices")
        assert "No invoices yet" in browser.text
        await browser.follows("Payment methods")
        assert "No payment method yet" in browser.text
        await browser.close()


async def test_a_subscription_is_told_in_words(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        assert "Orbit Pro Active" in browser.text
        assert "$20.00 per month" in browser.text
        assert "Next payment on" in browser.text
        await browser.follows("Manage")
        assert "Change plan" in browser.text
        await client.post(
            f"/subscriptions/{ids['ada']}/cancel/", json={"cancellationType": "IMMEDIATE"}
        )
        await browser.opens(ROOT)
        assert "Ended" in browser.text
        await browser.follows("Orbit Pro")
        assert "Change plan" not in browser.text
        assert "Cancel subscription" not in browser.text


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Abonnements"), ("fr", "Abonnements"), ("es", "Suscripciones")]
)
async def test_it_speaks_the_visitors_language_on_every_page(database_url, language, said):
    async with subscribed(database_url) as (_, _, browser, _):
        await browser.opens(f"{ROOT}?locale={language}")
        assert said in browser.text
        [tabs] = re.findall(r'<nav class="tabs".*?</nav>', browser.page.text, re.DOTALL)
        links = re.findall(r'href="([^"]*)"', tabs)
        assert len(links) == 4
        for link in links:
            await browser.opens(link)
            assert f'<html lang="{language}' in browser.page.text


async def test_another_plan_costs_what_was_shown(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/plan/")
        assert "$200.00 per year" in browser.text
        assert "$50.00 per month" in browser.text
        before = await positions(engine)
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/plan/review/?choice=max+MONTHLY")
        assert "Change to Max" in browser.text
        shown = re.search(r"To pay today \$([\d.]+)", browser.text)[1]
        assert await positions(engine) == before
        await browser.presses(f"Pay ${shown} and change")
        assert "Your plan is changed" in browser.text
        assert "Orbit Max" in browser.text
        newest = (await client.get("/invoices/?customer_id=ada")).json()["results"][0]
        assert newest["amountTotal"] == shown
        assert newest["status"] == "PAID"


async def test_when_something_changed_meanwhile_the_amounts_are_shown_anew(database_url):
    async with subscribed(database_url) as (engine, client, browser, ids):
        path = f"{ROOT}subscriptions/{ids['ada']}/plan/review/?choice=max+MONTHLY"
        await browser.opens(path)
        button = re.search(r"Pay \$[\d.]+ and change", browser.text)[0]
        body = {"currencyCode": "USD", "amount": "-5.00", "reason": "a gift"}
        assert (await client.post("/customers/ada/balance/", json=body)).status_code == 201
        before = await positions(engine)
        page = await browser.presses(button)
        assert page.status_code == 409
        assert "Something changed meanwhile" in browser.text
        assert await positions(engine) == before
        fresh = re.search(r"Pay \$[\d.]+ and change", browser.text)[0]
        assert fresh != button
        await browser.presses(fresh)
        assert "Your plan is changed" in browser.text


async def test_a_change_that_cannot_be_paid_is_told(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        await browser.opens(f"{ROOT}payment-methods/add/")
        card = {"number": DECLINED, "expiry": "04/40", "cvc": "123", "default": "yes"}
        await browser.presses("Save card", **card)
        assert "The card is saved" in browser.text
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/plan/review/?choice=max+MONTHLY")
        await browser.presses(re.search(r"Pay \$[\d.]+ and change", browser.text)[0])
        assert "the payment did not go through" in browser.text
        assert "Payment overdue" in browser.text
        await browser.follows("See the invoices")
        assert "Payment failed" in browser.text
        await browser.follows("Pay")
        assert (await client.get("/subscriptions/?customer_id=ada")).json()["count"] == 1
        card = {"number": VISA, "expiry": "04/40", "cvc": "123"}
        await browser.presses("Pay $", **card)
        assert "Paid. Thank you." in browser.text


async def test_without_a_card_a_change_holds_once_it_is_paid(database_url):
    """Nobody has a plan that costs something because a button was pressed."""
    async with running(database_url) as (engine, client):
        await plans(client)
        pro = (await client.get("/catalog/plans/pro/")).json()
        body = {"name": "Free", "product": pro["product"]}
        assert (await client.post("/catalog/plans/", json=body)).status_code == 201
        free = {"prices": [{"priceType": "FREE", "currency": "USD"}]}
        await client.post("/catalog/plans/free/prices/bulk/", json=free)
        assert (await client.post("/catalog/plans/free/publish/")).status_code == 200
        await customer(client, "ada", card=None)
        sale = {"customerId": "ada", "planIdentifier": "free", "chargePeriod": "ONE_TIME"}
        number = (await client.post("/subscriptions/create/", json=sale)).json()["id"]
        browser = await sign_in(engine, client)
        path = f"{ROOT}subscriptions/{number}/plan/review/?choice=pro+MONTHLY"
        await browser.opens(path)
        await browser.presses("Pay $20.00 and change")
        link = browser.page.url.path
        held = (await client.get(f"/subscriptions/{number}/")).json()
        assert (held["plan"]["identifier"], held["status"]) == ("free", "active")
        assert (await browser.opens(path)).status_code == 400
        assert "waits for its payment" in browser.text
        await browser.opens(f"{ROOT}subscriptions/{number}/")
        assert "Pro begins once its invoice is paid" in browser.text
        assert "Change plan" not in browser.text
        await browser.follows("Pay the invoice")
        assert browser.page.url.path == link
        card = {"number": VISA, "expiry": "04/40", "cvc": "123"}
        await browser.presses("Pay $20.00", **card)
        assert "Paid. Thank you." in browser.text
        await engine.positions.wait(await engine.store.head(), 10)
        held = (await client.get(f"/subscriptions/{number}/")).json()
        assert (held["plan"]["identifier"], held["status"]) == ("pro", "active")
        await browser.opens(f"{ROOT}subscriptions/{number}/")
        assert "begins once" not in browser.text
        await browser.close()


@pytest.mark.parametrize(
    "query",
    [
        "",
        "choice=",
        "choice=max",
        "choice=max+NEVER",
        "plan=max",
        "period=MONTHLY",
        "choice=%00+MONTHLY",
    ],
)
async def test_an_address_of_no_plan_is_nothing(database_url, query):
    async with subscribed(database_url) as (_, _, browser, ids):
        page = await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/plan/review/?{query}")
        assert page.status_code in {400, 404}


async def test_an_unknown_plan_is_refused_in_words(database_url):
    async with subscribed(database_url) as (engine, _, browser, ids):
        path = f"{ROOT}subscriptions/{ids['ada']}/plan/review/?choice="
        before = await positions(engine)
        for choice in ("gone+MONTHLY", "max+YEARLY", "pro+ONE_TIME"):
            page = await browser.opens(f"{path}{choice}")
            assert page.status_code == 400
            assert "To pay today" not in browser.text
        assert await positions(engine) == before


async def test_moving_to_the_newest_version(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        path = f"{ROOT}subscriptions/{ids['ada']}/"
        await browser.opens(path)
        assert "newer version" not in browser.text
        page = await browser.opens(f"{path}newest/")
        assert page.status_code == 400
        assert "You have the newest version already" in browser.text
        charges = [{"chargePeriod": "MONTHLY", "priceData": {"amount": "30.00"}}]
        await client.post("/catalog/plans/pro/prices/bulk/", json=priced({"charges": charges}))
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200
        await browser.opens(path)
        await browser.follows("See what it costs")
        assert "$30.00 per month" in browser.text
        button = "Pay" if "Pay $" in browser.text else "Move now"
        await browser.presses(button)
        assert "You have the newest version of your plan" in browser.text
        assert "$30.00 per month" in browser.text
        assert (await client.get(f"/subscriptions/{ids['ada']}/")).json()["plan"]["version"] == 2


async def test_invoices_are_listed_and_printed(database_url):
    async with subscribed(database_url) as (_, client, browser, _):
        [invoice] = (await client.get("/invoices/?customer_id=ada")).json()["results"]
        await browser.opens(f"{ROOT}invoices/")
        assert invoice["id"] in browser.text
        assert "$20.00" in browser.text
        assert "Paid" in browser.text
        page = await browser.opens(f"{ROOT}invoices/{invoice['id']}/pdf/")
        assert page.headers["content-type"] == "application/pdf"
        assert page.content.startswith(b"%PDF")
        assert page.headers["cache-control"] == "no-store"
        for wrong in ("?page=2", "?page=999999", "INV-1/pdf", "%2e%2e/pdf", "x/pdf"):
            assert (await browser.opens(f"{ROOT}invoices/{wrong}")).status_code == 404
        for odd in ("?page=0", "?page=-1", "?page=x", "?page=9999999999"):
            assert (await browser.opens(f"{ROOT}invoices/{odd}")).status_code == 200


async def test_many_invoices_come_page_by_page(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        product = await create_product(client)
        body = {"name": "Once", "product": product["id"]}
        await client.post("/catalog/plans/", json=body)
        once = {"charges": [{"chargePeriod": "ONE_TIME", "priceData": {"amount": "1.00"}}]}
        await client.post("/catalog/plans/once/prices/bulk/", json=priced(once))
        await client.post("/catalog/plans/once/publish/")
        sale = {"planIdentifier": "once", "chargePeriod": "ONE_TIME", "customerId": "ada"}
        for _ in range(21):
            assert (await client.post("/charges/", json=sale)).status_code == 201
        browser = await sign_in(engine, client)
        await browser.opens(f"{ROOT}invoices/")
        first = set(re.findall(r"INV-[\w-]+", browser.text))
        await browser.follows("Older")
        second = set(re.findall(r"INV-[\w-]+", browser.text))
        assert (len(first), len(second), len(first & second)) == (20, 1, 0)
        await browser.follows("Newer")
        assert set(re.findall(r"INV-[\w-]+", browser.text)) == first
        await browser.close()


async def test_ways_to_pay_are_added_chosen_and_removed(database_url):
    async with subscribed(database_url) as (_, client, browser, _):
        await browser.opens(f"{ROOT}payment-methods/")
        assert "•••• 4242 Default" in browser.text
        assert "Remove" not in browser.text
        await browser.follows("Add a card")
        await browser.presses("Save card", number=MASTERCARD, expiry="04/40", cvc="123")
        assert "The card is saved" in browser.text
        await browser.presses("Make default")
        assert "•••• 4444 Default" in browser.text
        await browser.presses("Yes, remove it")
        assert "4242" not in browser.text
        [left] = (await client.get("/payment-methods/?customer_id=ada")).json()["results"]
        assert (left["methodData"]["last4"], left["isDefault"]) == ("4444", True)


async def test_a_card_form_saves_one_card_however_often_it_is_sent(database_url):
    async with subscribed(database_url) as (_, client, browser, _):
        await browser.opens(f"{ROOT}payment-methods/add/")
        form = browser.form("Save card")
        for _ in range(2):
            await browser.sends(form, number=MASTERCARD, expiry="04/40", cvc="123")
            assert "The card is saved" in browser.text
        listed = (await client.get("/payment-methods/?customer_id=ada")).json()
        assert listed["count"] == 2


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"number": "4242 4242 4242 4241"}, "Check the card number."),
        ({"number": "4111 1111 1111 1111"}, "Only test cards are accepted here"),
        ({"expiry": "13/40"}, "Enter the expiry"),
        ({"expiry": "01/20"}, "The card has expired."),
        ({"cvc": "x"}, "security code"),
    ],
)
async def test_a_mistyped_card_is_told_and_never_shown_again(database_url, typed, said):
    async with subscribed(database_url) as (engine, _, browser, _):
        await browser.opens(f"{ROOT}payment-methods/add/")
        before = await positions(engine)
        card = {"number": MASTERCARD, "expiry": "04/40", "cvc": "123"} | typed
        page = await browser.presses("Save card", **card)
        assert page.status_code == 400
        assert said in browser.text
        assert card["number"] not in browser.page.text
        assert await positions(engine) == before


async def test_billing_details_are_ones_own_to_change(database_url):
    async with subscribed(database_url) as (_, client, browser, _):
        await browser.opens(f"{ROOT}details/")
        assert 'value="Ada"' in browser.page.text
        typed = {
            "name": "Ada <Lovelace>",
            "line1": "Unter den Linden 1",
            "line2": "",
            "postal_code": "10117",
            "city": "Berlin",
            "state": "",
            "country": "DE",
            "tax_id": "DE136695976",
        }
        await browser.presses("Save", **typed)
        assert "Your billing details are saved" in browser.text
        known = (await client.get("/customers/ada/")).json()
        assert known["name"] == "Ada <Lovelace>"
        assert known["billingAddress"]["city"] == "Berlin"
        assert known["taxId"] == "DE136695976"
        assert known["email"] == "ada@example.com"
        await browser.presses("Save", **dict.fromkeys(typed, ""), email="eve@example.com")
        known = (await client.get("/customers/ada/")).json()
        assert (known["name"], known["billingAddress"], known["taxId"]) == (None, None, None)
        assert known["email"] == "ada@example.com"


@pytest.mark.parametrize(
    "typed",
    [{"country": "Germany"}, {"country": "XX"}, {"name": "x" * 501}, {"postal_code": "1" * 33}],
)
async def test_wrong_details_are_told_beside_the_field(database_url, typed):
    async with subscribed(database_url) as (engine, _, browser, _):
        await browser.opens(f"{ROOT}details/")
        before = await positions(engine)
        page = await browser.presses("Save", **typed)
        assert page.status_code == 400
        assert f'id="{next(iter(typed))}-problem">Check this field.' in browser.page.text
        assert await positions(engine) == before


async def test_links_of_a_plan_are_there(database_url):
    async with running(database_url) as (engine, client):
        product = await create_product(client)
        links = [{"name": "Handbook", "url": "https://docs.example/handbook"}]
        body = {"name": "Pro", "product": product["id"], "links": links}
        await client.post("/catalog/plans/", json=body)
        await client.post("/catalog/plans/pro/prices/bulk/", json=priced(USD_MONTHLY))
        await client.post("/catalog/plans/pro/publish/")
        await customer(client, "ada")
        number = await subscribe(client, "ada")
        browser: Browser = await sign_in(engine, client)
        await browser.opens(f"{ROOT}subscriptions/{number}/")
        assert 'href="https://docs.example/handbook"' in browser.page.text
        await browser.close()


async def test_a_license_key_and_what_uses_it(database_url):
    async with subscribed(database_url) as (_, client, browser, ids):
        key_id, _ = await device(client, "ada", "Laptop <1>")
        await device(client, "ada", "Phone")
        await browser.opens(f"{ROOT}subscriptions/{ids['ada']}/")
        key = (await client.get(f"/licenses/{key_id}/")).json()["licenseKey"]
        assert key in browser.text
        assert "In use: 2 of 3" in browser.text
        assert "Laptop <1>" in browser.text
        form = browser.form("Deactivate")
        await browser.sends(form)
        assert "its place is free" in browser.text
        assert "In use: 1 of 3" in browser.text
        assert "Phone" not in browser.text
        assert "its place is free" in (await browser.sends(form)).text
        assert "In use: 1 of 3" in browser.text


async def test_more_seats_for_what_was_shown(database_url):
    async with running(database_url) as (engine, client):
        seats = await create_feature(client)
        product = await create_product(client)
        await client.post("/catalog/plans/", json={"name": "Team", "product": product["id"]})
        each = {
            "feature": seats["id"],
            "charges": [
                {
                    "chargePeriod": "MONTHLY",
                    "priceData": {"amount": "5.00"},
                    "advanced": {"min_quantity": 2, "max_quantity": 9},
                }
            ],
        }
        body = priced(USD_MONTHLY, each)
        answer = await client.post("/catalog/plans/team/prices/bulk/", json=body)
        assert answer.status_code == 200, answer.text
        granted = {"planEntitlements": [{"feature": seats["id"], "details": {"value": 2}}]}
        await client.post("/catalog/plans/team/features/", json=granted)
        assert (await client.post("/catalog/plans/team/publish/")).status_code == 200
        await customer(client, "ada")
        number = await subscribe(client, "ada", "team")
        browser = await sign_in(engine, client)
        path = f"{ROOT}subscriptions/{number}/plan/review/?choice=team+MONTHLY"
        await browser.opens(path)
        assert "This is what you have now." in browser.text
        assert "To pay today" not in browser.text
        assert "Seats" in browser.text
        assert 'value="2"' in browser.page.text
        assert (await browser.opens(f"{path}&q.seats=99")).status_code == 400
        assert "Change to Team" in browser.text
        assert "This quantity is not on offer." in browser.text
        assert 'value="99"' in browser.page.text
        await browser.opens(f"{path}&q.seats=4")
        assert "$40.00 per month" in browser.text
        assert "Team: Monthly" in browser.text
        assert "Team: Seats: Monthly" in browser.text
        page = await browser.opens(f"{path}&q.seats=10")
        assert page.status_code == 400
        assert "not on offer" in browser.text
        await browser.opens(f"{path}&q.seats=4")
        form = browser.form("Pay $")
        before = await positions(engine)
        assert (await browser.sends(form, **{"q.seats": "9"})).status_code == 403
        assert await positions(engine) == before
        await browser.sends(form)
        assert "Your plan is changed" in browser.text
        assert "4 seats" in browser.text
        await browser.close()


async def test_the_form_for_cards_is_no_place_to_test_many(database_url):
    async with subscribed(database_url) as (engine, _, browser, _):
        await browser.opens(f"{ROOT}payment-methods/add/")
        form = browser.form("Save card")
        before = await positions(engine)
        wrong = {"number": "4242 4242 4242 4241", "expiry": "04/40", "cvc": "123"}
        answers = [await browser.sends(form, **wrong) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [400] * 10 + [429]
        assert int(answers[-1].headers["retry-after"]) > 0
        assert "Too many tries" in browser.text
        assert await positions(engine) == before


async def test_a_customer_on_a_test_clock_lives_there_in_the_portal_too(database_url):
    async with running(database_url) as (engine, client):
        body = {"name": "c", "frozenTime": "2040-01-31T00:00:00Z"}
        clock = (await client.post("/test-clocks/", json=body)).json()["id"]
        await plans(client)
        await customer(client, "ada", testClockId=clock)
        number = await subscribe(client, "ada")
        browser = await sign_in(engine, client)
        await browser.opens(f"{ROOT}subscriptions/{number}/")
        assert "Next payment on February 29, 2040" in browser.text
        await browser.opens(f"{ROOT}subscriptions/{number}/plan/review/?choice=max+MONTHLY")
        assert "To pay today $30.00" in browser.text
        await browser.presses("Pay $30.00 and change")
        assert "Your plan is changed" in browser.text
        path = f"/test-clocks/{clock}/advance/"
        moved = await client.post(path, json={"frozenTime": "2040-03-01T00:00:00Z"})
        assert moved.status_code == 200, moved.text
        await browser.opens(f"{ROOT}subscriptions/{number}/")
        assert "Next payment on March 31, 2040" in browser.text
        await browser.close()


ODD = ["", "\x00", "é", "\u202e", "x" * 2_000, "<script>", "' OR 1=1", "-1", "1e400", "٣", "\ud800"]
FORMS = {
    "subscriptions/{}/cancel/": ("Continue", ["reason", "comment"]),
    "subscriptions/{}/pause/": ("Pause the subscription", ["choice"]),
    "subscriptions/{}/plan/review/?choice=max+MONTHLY": ("Pay $", ["preview"]),
    "payment-methods/add/": ("Save card", ["number", "expiry", "cvc", "default"]),
    "details/": ("Save", ["name", "tax_id", "line1", "postal_code", "country"]),
}


@pytest.mark.parametrize("path", FORMS)
async def test_whatever_is_typed_is_answered_in_words(database_url, path):
    button, names = FORMS[path]
    async with subscribed(database_url) as (_, client, browser, ids):
        offers = [{"cancellationFeedback": "UNUSED", "offerType": "PAUSE", "durations": [1]}]
        body = {"enabled": True, "offers": offers}
        await client.patch("/organizations/retention-settings/", json=body)
        browser.http.headers["content-type"] = "application/x-www-form-urlencoded"
        for text in ODD:
            await browser.opens(f"{ROOT}{path.format(ids['ada'])}")
            form = browser.form(button)
            fields = form.hidden | dict.fromkeys(names, text)
            content = urlencode(fields, errors="surrogatepass")
            page = await browser.http.post(form.path, content=content)
            assert page.status_code < 500, (text, page.text)
            assert "<script>" not in page.text


@pytest.mark.parametrize("text", ODD[:-1])
async def test_whatever_an_address_says_is_answered_in_words(database_url, text):
    async with subscribed(database_url) as (_, _, browser, ids):
        one = f"{ROOT}subscriptions/{ids['ada']}/"
        for path in (
            f"{one}plan/review/?{urlencode({'choice': f'{text} MONTHLY'})}",
            f"{one}plan/review/?{urlencode({'plan': 'max', 'period': 'MONTHLY', 'q.x': text})}",
            f"{ROOT}subscriptions/{quote(text, safe='')}/",
            f"{ROOT}invoices/{quote(text, safe='')}/pdf/",
            f"{one}files/{quote(text, safe='')}/",
            f"{ROOT}invoices/?{urlencode({'page': text})}",
            f"/portal/{quote(text, safe='')}/",
            f"{ROOT}?{urlencode({'locale': text})}",
        ):
            page = await browser.opens(path)
            assert page.status_code < 500, path
            assert "<script>" not in page.text
