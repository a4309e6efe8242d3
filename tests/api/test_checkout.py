"""Checkout sessions over HTTP: made, shown, completed, expired (spec, wire 16)."""

import asyncio
import re
from datetime import timedelta

import pytest

from app.wiring import with_views
from projections import timers, timers_of_checkouts
from projections.all_views import VIEWS
from replay.verify import verify
from tests.adapters.receiver import Receiver
from tests.api.test_charges import SILENT, sells_once
from tests.api.test_subscriptions import AUTHENTICATE, DECLINED, VISA, sells
from tests.catalog_requests import USD_MONTHLY, create_plan, create_product, priced
from tests.engines import positions, running
from tests.hosted_buyer import SALE, HostedBuyer, begin
from tests.webhooks.deliveries import bodies, drained, subscribe, until


pytestmark = pytest.mark.anyio

LISTED = {
    *("id", "customer", "product", "billingAddress", "discountCode", "taxId", "currency"),
    *("currencySymbol", "status", "createdOn", "selectedData", "offeringData", "data"),
    *("customFieldsData", "metadata", "customization", "trialPeriod"),
}
ORDER = {
    *("id", "status", "paidAt", "createdOn", "billingType", "isTrial", "amountSubtotal"),
    *("amountDiscount", "amountTax", "amountTotal", "saleCurrency", "saleCurrencySymbol"),
    *("invoiceId", "amountSubtotalUnits", "amountDiscountUnits", "amountTaxUnits"),
    "amountTotalUnits",
}
SUBSCRIPTION = {
    *("id", "recurrence", "billingPeriodStartTime", "billingPeriodEndTime", "startDate"),
    *("endDate", "status", "amount", "currency", "trialDaysRemaining", "billingType"),
    *("recurrenceUnit", "recurrenceType"),
}


async def shown(client, session_id):
    answer = await client.get(f"/checkout/sessions/{session_id}/")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def codes(client, session_id):
    page = (await client.get(f"/checkout/sessions/{session_id}/events/")).json()
    return [entry["code"].removeprefix("checkout_session.") for entry in page["results"]]


async def refused(client, **fields):
    body = {name: value for name, value in (SALE | fields).items() if value is not None}
    answer = await client.post("/checkout/", json=body)
    assert answer.status_code == 400, answer.text
    return answer.json()


async def booked_once(client):
    return (await client.get("/transaction/")).json()["count"] == 1


async def test_a_session_is_made_and_shown(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        metadata = {"nestedKey": {"snake_case": [1, None]}}
        answer = await client.post("/checkout/", json=SALE | {"metadata": metadata})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        assert set(made) == {"checkoutUrl", "checkoutSessionId"}
        session_id = made["checkoutSessionId"]
        assert re.fullmatch(r"cs_[0-9A-Za-z]{45}", session_id)
        assert made["checkoutUrl"].endswith(f"/checkout/{session_id}/")
        session = await shown(client, session_id)
        assert set(session) == LISTED | {"order", "subscription", "paymentMethod"}
        assert (session["status"], session["currency"]) == ("open", "usd")
        assert session["metadata"] == metadata
        assert session["customer"] == {
            "customerId": "ada",
            "name": None,
            "email": "ada@example.com",
        }
        assert session["selectedData"]["plan"] == {"identifier": "pro", "name": "Pro"}
        (plan,) = session["offeringData"]["plans"]
        assert plan["prices"] == [{"chargePeriod": "MONTHLY", "amount": "20.00", "currency": "USD"}]
        assert [session[name] for name in ("order", "subscription", "paymentMethod")] == [None] * 3
        listed = (await client.get("/checkout/sessions/")).json()
        assert listed["count"] == 1
        assert set(listed["results"][0]) == LISTED
        known = (await client.get("/customers/ada/")).json()
        assert (known["email"], known["metadata"]) == ("ada@example.com", {})
        assert await codes(client, session_id) == ["created"]


async def test_lists_are_filtered(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        first = await begin(client)
        second = await begin(client, customerId="bob", email="bob@example.com")
        await HostedBuyer(engine, second).pays(VISA)

        async def found(**query):
            page = (await client.get("/checkout/sessions/", params=query)).json()
            return [session["id"] for session in page["results"]]

        assert await found() == [second, first]
        assert await found(status="success") == [second]
        assert await found(status="open,expired") == [first]
        assert await found(search="BOB@") == [second]
        assert await found(search=first[-8:]) == [first]
        assert await found(search="orbit") == [second, first]
        assert await found(start_date="2999-01-01") == []
        assert await found(end_date="2000-01-01") == []
        wrong = await client.get("/checkout/sessions/", params={"status": "nonsense"})
        assert wrong.status_code == 400
        for path in ("", "events/"):
            missing = await client.get(f"/checkout/sessions/cs_nothing/{path}")
            assert missing.status_code == 404


async def test_what_is_missing_or_wrong_is_named(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        before = await positions(engine)
        for name in ("successUrl", "planIdentifier", "chargePeriod"):
            assert set(await refused(client, **{name: None})) == {name}
        wrong = {
            "successUrl": "javascript:alert(1)",
            "cancelUrl": "/relative",
            "email": "nobody",
            "trialPeriod": 0,
            "defaultBillingCountry": "Germany",
            "billingPeriodsEnabled": "MONTHLY,SOMETIMES",
            "customAmount": 0,
            "taxBehavior": "MAYBE",
            "currencyCode": "XXXX",
        }
        for name, value in wrong.items():
            assert name in await refused(client, **{name: value}), name
        assert "taxBehavior" in await refused(client, customAmount=5, currencyCode="USD")
        assert "currencyCode" in await refused(client, customAmount=5, taxBehavior="EXCLUSIVE")
        assert "chargePeriod" in await refused(client, billingPeriodsEnabled="yearly")
        assert (await refused(client, discountCode="NOPE"))["code"] == "unknown_discount_code"
        assert (await refused(client, planIdentifier="none"))["code"] == "unknown_plan"
        assert (await refused(client, chargePeriod="YEARLY"))["code"] == "period_not_offered"
        assert "lockEmail" in await refused(client, email=None, lockEmail=True)
        assert await positions(engine) == before


async def test_every_field_has_two_spellings_and_means_the_same(database_url):
    async with running(database_url) as (_, client):
        yearly = {"chargePeriod": "YEARLY", "priceData": {"amount": "200.00"}}
        await sells(client, {"charges": [*USD_MONTHLY["charges"], yearly]})
        body = {
            "plan_identifier": "pro",
            "charge_period": "monthly",
            "success_url": "https://shop.example/thanks",
            "cancel_url": "https://shop.example/back",
            "customer_id": "eve",
            "email": "eve@example.com",
            "lock_email": True,
            "billing_periods_enabled": "monthly, Yearly",
            "plans_enabled": "pro",
            "discounts_enabled": False,
            "custom_amount": 12.5,
            "tax_behavior": "INCLUSIVE",
            "currency_code": "usd",
            "trial_period": 9,
            "default_billing_country": "de",
            "ip_address": "8.8.8.8",
        }
        answer = await client.post("/checkout/", json=body)
        assert answer.status_code == 201, answer.text
        session = await shown(client, answer.json()["checkoutSessionId"])
        assert session["trialPeriod"] == 9
        assert session["billingAddress"]["country"] == "DE"
        data = session["data"]
        assert data["billingPeriodsEnabled"] == ["MONTHLY", "YEARLY"]
        assert (data["customAmount"], data["taxBehavior"]) == ("12.50", "INCLUSIVE")
        assert (data["lockEmail"], data["discountsEnabled"]) == (True, False)
        assert data["cancelUrl"] == "https://shop.example/back"


async def test_without_a_customer_one_is_created_under_a_generated_id(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        session = await shown(client, await begin(client, customerId=None))
        generated = session["customer"]["customerId"]
        assert (await client.get(f"/customers/{generated}/")).status_code == 200


async def test_the_same_idempotency_key_makes_one_session(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        headers = {"Idempotency-Key": "checkout-1"}
        first = await client.post("/checkout/", json=SALE, headers=headers)
        again = await client.post("/checkout/", json=SALE, headers=headers)
        assert (first.content, first.status_code) == (again.content, again.status_code)
        assert (await client.get("/checkout/sessions/")).json()["count"] == 1
        other = await client.post(
            "/checkout/", json=SALE | {"email": "x@y.example"}, headers=headers
        )
        assert other.status_code == 422


async def test_the_address_of_the_buyer_decides_when_nothing_says_better(database_url):
    async with running(database_url) as (_, client):
        await create_plan(client, await create_product(client))
        euro = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": "18.00"}}]}
        prices = priced()["prices"] + priced(euro, currency="EUR")["prices"]
        answer = await client.post("/catalog/plans/pro/prices/bulk/", json={"prices": prices})
        assert answer.status_code == 200, answer.text
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200
        rates = [{"country": "DE", "percent": 19}]
        await client.patch("/organizations/settings/", json={"taxRates": rates})
        cases = {
            "85.214.132.117": ("eur", "DE"),
            "2a02:8108::1": ("eur", "DE"),
            "8.8.8.8": ("usd", "US"),
            "10.0.0.1": ("usd", None),
            "nonsense": ("usd", None),
        }
        for number, (address, (currency, country)) in enumerate(cases.items()):
            made = await begin(client, customerId=f"c{number}", ipAddress=address)
            session = await shown(client, made)
            billing = session["billingAddress"]
            assert (session["currency"], billing and billing["country"]) == (currency, country)
        named = await begin(client, ipAddress="85.214.132.117", currencyCode="USD")
        assert (await shown(client, named))["currency"] == "usd"


async def test_a_purchase_is_told_in_order_and_shown(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        metadata = {"cart": {"camelCase": 1}}
        session_id = await begin(client, metadata=metadata)
        async with Receiver() as receiver:
            await subscribe(client, receiver.url)
            buyer = HostedBuyer(engine, session_id)
            await buyer.enters(name="Ada")
            assert (await buyer.pays(DECLINED)).failure.code == "card_declined"
            assert (await shown(client, session_id))["status"] == "open"
            assert (await buyer.pays(AUTHENTICATE)).awaits_authentication
            assert (await shown(client, session_id))["status"] == "processing"
            assert (await buyer.confirms()).status == "success"
            await until(lambda: drained(engine))
            sent = bodies(receiver)
        kinds = [body["type"] for body in sent]
        done = kinds.index("checkout.completed")
        assert kinds.index("subscription.created") > done
        assert kinds.index("invoice.paid") > done
        assert [kinds.count(k) for k in ("checkout.completed", "subscription.created")] == [1, 1]
        completed = sent[done]["data"]["object"]
        assert completed["object"] == "checkout_session"
        assert completed["metadata"] == metadata
        assert (completed["amount"], completed["amount_units"]) == ("20.00", 2000)
        assert "subscription_id" not in completed
        assert completed["data"]["success_url"] == SALE["successUrl"]
        session = await shown(client, session_id)
        assert session["status"] == "success"
        assert set(session["order"]) == ORDER
        assert set(session["subscription"]) == SUBSCRIPTION
        assert session["subscription"]["status"] == "active"
        assert session["order"]["status"] == "COMPLETE"
        assert session["paymentMethod"]["last4"] == "3155"
        saved = (await client.get("/payment-methods/?customer_id=ada")).json()
        assert [method["methodData"]["last4"] for method in saved["results"]] == ["3155"]
        orders = (await client.get("/orders/")).json()["results"]
        assert sorted(order["status"] for order in orders) == ["COMPLETE", "FAILED"]
        records = (await client.get("/subscriptions/?customer_id=ada")).json()
        assert records["count"] == 1
        assert await codes(client, session_id) == [
            "payment_completed",
            "authentication_passed",
            "authentication_required",
            "payment_attempted",
            "payment_failed",
            "payment_attempted",
            "customer_details_updated",
            "created",
        ]
        await is_as_the_log_says(database_url, engine)


async def test_two_tabs_that_race_on_a_whole_engine_buy_once(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        buyer = HostedBuyer(engine, await begin(client))
        tabs = [await buyer.command(VISA) for _ in range(5)]
        await asyncio.gather(*(buyer.do(tab) for tab in tabs))
        assert (await buyer.waits(1)).status == "success"
        assert (await client.get("/invoices/")).json()["count"] == 1
        assert await until(lambda: booked_once(client))
        assert (await client.get("/subscriptions/?customer_id=ada")).json()["count"] == 1
        assert (await client.get("/payment-methods/?customer_id=ada")).json()["count"] == 1


async def test_a_trial_begins_with_an_authorized_card(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        session_id = await begin(client, trialPeriod=10)
        assert (await HostedBuyer(engine, session_id).pays(VISA)).status == "success"
        session = await shown(client, session_id)
        assert session["subscription"]["status"] == "trialing"
        assert session["subscription"]["trialDaysRemaining"] == 10
        assert session["order"]["isTrial"] is True
        assert (await client.get("/transaction/")).json()["count"] == 0
        assert (await client.get("/payment-methods/?customer_id=ada")).json()["count"] == 1


async def test_a_one_time_plan_is_bought(database_url):
    async with running(database_url) as (engine, client):
        await sells_once(client)
        session_id = await begin(client, planIdentifier="boost", chargePeriod="ONE_TIME")
        assert (await HostedBuyer(engine, session_id).pays(VISA)).status == "success"
        session = await shown(client, session_id)
        assert (session["order"]["billingType"], session["order"]["amountTotal"]) == (
            "ONE_TIME",
            "49.00",
        )
        assert session["subscription"]["recurrence"] == ""


async def test_answers_to_custom_fields_reach_session_order_and_invoice(database_url):
    fields = [
        {"key": "vatRef", "label": "Reference", "required": True},
        {"key": "seats_in", "label": "Rows", "type": "number"},
        {"key": "color", "label": "Color", "type": "dropdown", "options": ["red", "blue"]},
    ]
    async with running(database_url) as (engine, client):
        await sells(client)
        path = "/organizations/checkout-settings/"
        twice = await client.patch(path, json={"customFields": [fields[0], fields[0]]})
        assert twice.status_code == 400
        changed = await client.patch(path, json={"customFields": fields})
        assert changed.status_code == 200, changed.text
        assert (await client.get(path)).json() == changed.json()
        assert [field["type"] for field in changed.json()["customFields"]] == [
            "TEXT",
            "NUMBER",
            "DROPDOWN",
        ]
        session_id = await begin(client)
        buyer = HostedBuyer(engine, session_id)
        wrong = await buyer.quote(custom_fields={"color": "green", "seats_in": "many"})
        assert set(wrong.problems) == {"customFields.color", "customFields.seats_in"}
        given = {"vatRef": "A-1", "seats_in": "2.50", "color": "red", "unknown": "x"}
        await buyer.enters(custom_fields=given)
        assert (await buyer.pays(VISA)).status == "success"
        kept = {"vatRef": "A-1", "seats_in": "2.50", "color": "red"}
        assert (await shown(client, session_id))["customFieldsData"] == kept
        (order,) = (await client.get("/orders/")).json()["results"]
        (invoice,) = (await client.get("/invoices/")).json()["results"]
        assert order["customFieldsData"] == invoice["customFieldsData"] == kept


async def test_a_session_on_a_test_clock_expires_when_the_clock_says(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        body = {"name": "c", "frozenTime": "2040-01-31T12:00:00Z"}
        clock = (await client.post("/test-clocks/", json=body)).json()["id"]
        made = {"customerId": "ada", "testClockId": clock}
        assert (await client.post("/customers/", json=made)).status_code == 201
        await client.patch("/organizations/settings/", json={"checkoutExpiryHours": 3})
        session_id = await begin(client)
        assert (await shown(client, session_id))["createdOn"] == "2040-01-31T12:00:00Z"
        waiting = await begin(client)
        assert (await HostedBuyer(engine, waiting).pays(AUTHENTICATE)).awaits_authentication
        target = {"frozenTime": "2040-01-31T15:00:00Z"}
        moved = await client.post(f"/test-clocks/{clock}/advance/", json=target)
        assert moved.status_code == 200, moved.text
        assert (await shown(client, session_id))["status"] == "expired"
        assert await codes(client, session_id) == ["expired", "abandoned", "created"]
        assert (await shown(client, waiting))["status"] == "expired"
        (order,) = (await client.get("/orders/")).json()["results"]
        assert order["status"] == "FAILED"
        await is_as_the_log_says(database_url, engine)


async def is_as_the_log_says(database_url, engine):
    verified = await verify(with_views(database_url), engine.store, VIEWS, None, lambda *_: None)
    assert verified.differing == 0


async def test_an_authorization_that_nobody_answered_is_asked_after(database_url, monkeypatch):
    monkeypatch.setattr(timers_of_checkouts, "FIRST_QUESTION", timedelta(milliseconds=200))
    async with running(database_url) as (engine, client):
        await sells(client)
        session_id = await begin(client, trialPeriod=5)
        now = await HostedBuyer(engine, session_id).pays(SILENT)
        assert now.status in {"processing", "success"}

        async def trialing():
            session = await shown(client, session_id)
            return session["subscription"] and session["subscription"]["status"] == "trialing"

        assert await until(trialing)
        assert (await client.get("/checkout/sessions/")).json()["results"][0]["status"] == "success"
        await is_as_the_log_says(database_url, engine)


async def test_a_payment_that_nobody_answered_is_asked_after(database_url, monkeypatch):
    monkeypatch.setattr(timers, "FIRST_QUESTION", timedelta(milliseconds=200))
    async with running(database_url) as (engine, client):
        await sells(client)
        session_id = await begin(client)
        await HostedBuyer(engine, session_id).pays(SILENT)

        async def active():
            session = await shown(client, session_id)
            return session["subscription"] and session["subscription"]["status"] == "active"

        assert await until(active)
        assert await until(lambda: booked_once(client))


async def test_the_same_session_twice_is_one(database_url):
    """A key that is sent to two processes at once."""
    async with running(database_url) as (_, client), running(database_url, "none") as (_, other):
        await sells(client)
        headers = {"Idempotency-Key": "checkout-at-once"}
        both = await asyncio.gather(
            *(each.post("/checkout/", json=SALE, headers=headers) for each in (client, other) * 3)
        )
        made = {answer.content for answer in both if answer.status_code == 201}
        assert len(made) == 1
        assert {answer.status_code for answer in both} <= {201, 409}
        assert (await client.get("/checkout/sessions/")).json()["count"] == 1


async def test_two_processes_that_race_buy_once(database_url):
    async with running(database_url) as (engine, client), running(database_url, "none") as other:
        await sells(client)
        here = HostedBuyer(engine, await begin(client))
        there = HostedBuyer(other[0], here.session_id)
        tabs = [(buyer, await buyer.command(VISA)) for buyer in (here, there) * 4]
        await asyncio.gather(*(buyer.do(tab) for buyer, tab in tabs))
        assert (await here.waits(1)).status == "success"
        assert (await client.get("/invoices/")).json()["count"] == 1
        assert await until(lambda: booked_once(client))


async def test_case_80_of_five_checkouts_one_gets_the_last_redemption(database_url):
    off = {"name": "Half", "discountType": "PERCENTAGE", "percentageOff": 50, "duration": "ONCE"}
    async with running(database_url) as (engine, client):
        await sells(client)
        body = {"code": "HALF", "maxRedemptions": 1, **off}
        assert (await client.post("/discount/", json=body)).status_code == 201
        buyers = [
            HostedBuyer(engine, await begin(client, customerId=f"c{number}", discountCode="HALF"))
            for number in range(5)
        ]
        tries = [buyer.do(await buyer.command(VISA)) for buyer in buyers]
        came = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(not isinstance(each, Exception) for each in came) == 1
        assert {each.code for each in came if isinstance(each, Exception)} == {"discount_used_up"}
        (discount,) = (await client.get("/discount/")).json()["results"]
        assert discount["redemptionCount"] == 1


async def test_a_change_that_waits_for_its_payment_is_shown_of_what_a_checkout_sold(database_url):
    async with running(database_url) as (engine, client):
        await sells(client)
        await HostedBuyer(engine, await begin(client)).pays(VISA)
        product = (await client.get("/catalog/products/")).json()["results"][0]
        await create_plan(client, product, name="Max")
        prices = {"charges": [{"chargePeriod": "MONTHLY", "priceData": {"amount": "90.00"}}]}
        await client.post("/catalog/plans/max/prices/bulk/", json=priced(prices))
        assert (await client.post("/catalog/plans/max/publish/")).status_code == 200
        card = {"number": AUTHENTICATE, "expMonth": 4, "expYear": 2040, "cvc": "123"}
        await client.post(
            "/payment-methods/", json={"customerId": "ada", "card": card, "isDefault": True}
        )
        methods = (await client.get("/payment-methods/?customer_id=ada")).json()["results"]
        paid = next(method for method in methods if method["methodData"]["last4"] == "4242")
        assert (await client.delete(f"/payment-methods/{paid['id']}/")).status_code < 300
        (record,) = (await client.get("/subscriptions/?customer_id=ada")).json()["results"]
        change = {
            "planIdentifier": "max",
            "chargePeriod": "MONTHLY",
            "paymentBehavior": "activate_on_payment",
        }
        answer = await client.post(f"/subscriptions/{record['id']}/update/", json=change)
        assert answer.status_code == 200, answer.text
        query = "/subscriptions/?customer_id=ada&status=incomplete"
        assert (await client.get(query)).json()["count"] == 1


async def test_a_licensed_plan_gives_one_key_and_none_for_what_was_refused(database_url):
    async with running(database_url) as (engine, client):
        await create_plan(client, await create_product(client), license={"enabled": True})
        await client.post("/catalog/plans/pro/prices/bulk/", json=priced())
        assert (await client.post("/catalog/plans/pro/publish/")).status_code == 200
        buyer = HostedBuyer(engine, await begin(client))
        await buyer.pays(DECLINED)
        assert (await client.get("/licenses/")).json()["count"] == 0
        await buyer.pays(VISA)
        (record,) = (await client.get("/subscriptions/?customer_id=ada")).json()["results"]
        assert len(record["license"]) == 1
        assert (await client.get("/licenses/")).json()["count"] == 1
