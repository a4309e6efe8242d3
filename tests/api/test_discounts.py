"""Discounts over HTTP: made, redeemed, switched, archived, refused."""

import asyncio

import pytest

from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import positions, running


pytestmark = pytest.mark.anyio

HALF = {"discountType": "PERCENTAGE", "percentageOff": 50, "duration": "ONCE", "code": "Half"}
FIVE = {
    "discount_type": "FIXED",
    "amount_off": "5.00",
    "currency": "usd",
    "duration": "REPEATING",
    "duration_in_cycles": 2,
}


async def make(client, **changes):
    answer = await client.post("/discount/", json=HALF | changes)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_what_is_made_is_shown(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        wanted = {"appliesTo": [{"product": "acme", "plan": "pro", "chargePeriod": "MONTHLY"}]}
        product = (await client.get("/catalog/products/")).json()["results"][0]
        wanted["appliesTo"][0]["product"] = product["identifier"]
        limits = {"maxRedemptions": 3, "expiresAt": "2090-01-01T00:00:00Z", "name": "Half off"}
        record = await make(client, **wanted, **limits)
        assert record | {"id": "", "createdOn": "", "modifiedOn": ""} == {
            "id": "",
            "code": "Half",
            "name": "Half off",
            "discountType": "PERCENTAGE",
            "percentageOff": 50,
            "amountOff": None,
            "amountOffUnits": None,
            "currency": None,
            "duration": "ONCE",
            "durationInCycles": None,
            "maxRedemptions": 3,
            "redemptionCount": 0,
            "expiresAt": "2090-01-01T00:00:00Z",
            "appliesTo": [
                {
                    "product": {key: product[key] for key in ("id", "identifier", "name")},
                    "plan": record["appliesTo"][0]["plan"],
                    "chargePeriod": "MONTHLY",
                }
            ],
            "enabled": True,
            "status": "active",
            "createdOn": "",
            "modifiedOn": "",
        }
        assert record["appliesTo"][0]["plan"]["identifier"] == "pro"
        assert (await client.get(f"/discount/{record['id']}")).json() == record
        assert (await client.get("/discount/")).json()["results"] == [record]


async def test_a_fixed_amount_goes_in_and_out_in_both_units(database_url):
    async with running(database_url) as (_, client):
        first = (await client.post("/discount/", json=FIVE)).json()
        shown = ("amountOff", "amountOffUnits", "currency", "durationInCycles")
        assert [first[key] for key in shown] == ["5.00", 500, "USD", 2]
        assert len(first["code"]) == 10
        dinar = {"amount_off": None, "amountOffUnits": 1500, "currency": "KWD"}
        second = (await client.post("/discount/", json=FIVE | dinar)).json()
        assert [second[key] for key in shown] == ["1.500", 1500, "KWD", 2]
        yen = {"amount_off": 700, "amountOffUnits": 700, "currency": "JPY"}
        third = (await client.post("/discount/", json=FIVE | yen)).json()
        assert [third[key] for key in shown] == ["700", 700, "JPY", 2]


async def test_a_code_reduces_the_first_invoice_and_is_counted(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        made = await make(client)
        sold = await client.post("/subscriptions/create/", json=PRO | {"discountCode": "HALF"})
        assert (sold.status_code, sold.json()["amount"]) == (201, "20.00"), sold.text
        (invoice,) = (await client.get("/invoices/")).json()["results"]
        assert (invoice["amountSubtotal"], invoice["amountDiscount"]) == ("20.00", "10.00")
        assert (invoice["amountTotal"], invoice["amountTotalUnits"]) == ("10.00", 1000)
        (order,) = (await client.get("/orders/")).json()["results"]
        assert order["amountDiscount"] == "10.00"
        (paid,) = (await client.get("/transaction/")).json()["results"]
        assert paid["amountTotal"] == 10.0
        shown = (await client.get(f"/discount/{made['id']}/")).json()
        assert (shown["redemptionCount"], shown["status"]) == (1, "active")


async def test_disabled_archived_and_enabled_again(database_url):
    async with running(database_url) as (engine, client):
        made = await make(client)
        path = f"/discount/{made['id']}/"
        off = await client.patch(path, json={"enabled": False})
        assert (off.status_code, off.json()["status"]) == (200, "disabled")
        before = await positions(engine)
        assert (await client.patch(path, json={"enabled": False})).status_code == 200
        assert await positions(engine) == before
        assert (await client.patch(path, json={"enabled": True})).json()["status"] == "active"
        assert (await client.delete(path)).status_code == 204
        assert (await client.get("/discount/")).json()["count"] == 0
        assert (await client.get("/discount/?status=archived")).json()["count"] == 1
        assert (await client.get(path)).json()["status"] == "archived"
        for again in (await client.delete(path), await client.patch(path, json={"enabled": True})):
            assert (again.status_code, again.json()["code"]) == (400, "discount_archived")
        taken = await client.post("/discount/", json=HALF | {"code": "hALF"})
        assert (taken.status_code, taken.json()["code"]) == (409, "discount_code_taken")


async def test_status_follows_time_and_use(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        await customer(client, VISA)
        await make(client, code="one", maxRedemptions=1)
        await make(client, code="later", expiresAt="2090-01-01")
        await client.post("/subscriptions/create/", json=PRO | {"discountCode": "one"})
        page = (await client.get("/discount/", params={"status": "active"})).json()
        assert [each["code"] for each in page["results"]] == ["later"]
        page = (await client.get("/discount/?status=expired,archived")).json()
        assert [(each["code"], each["status"]) for each in page["results"]] == [("one", "expired")]
        assert (await client.get("/discount/?status=gone")).status_code == 400


async def test_case_80_of_many_at_once_as_many_win_as_the_limit_allows(database_url):
    async with running(database_url) as (_, client):
        await sells(client)
        made = await make(client, code="three", maxRedemptions=3)
        for number in range(8):
            await customer(client, VISA, f"buyer-{number}")

        async def buy(number):
            body = PRO | {"customerId": f"buyer-{number}", "discountCode": "three"}
            return await client.post("/subscriptions/create/", json=body)

        answers = await asyncio.gather(*(buy(number) for number in range(8)))
        won = [answer for answer in answers if answer.status_code == 201]
        lost = {answer.json()["code"] for answer in answers if answer.status_code != 201}
        assert (len(won), lost) == (3, {"discount_used_up"})
        shown = (await client.get(f"/discount/{made['id']}/")).json()
        assert (shown["redemptionCount"], shown["status"]) == (3, "expired")
        assert (await client.get("/invoices/")).json()["count"] == 3


@pytest.mark.parametrize(
    ("changes", "status", "where"),
    [
        ({"discountType": "GIFT"}, 400, "discountType"),
        ({"discountType": None}, 400, "discountType"),
        ({"duration": "SOMETIMES"}, 400, "duration"),
        ({"percentageOff": 0}, 400, "percentageOff"),
        ({"percentageOff": 101}, 400, "percentageOff"),
        ({"percentageOff": 12.5}, 400, "percentageOff"),
        ({"percentageOff": None}, 400, "percentageOff"),
        ({"currency": "USD"}, 400, "currency"),
        ({"amountOffUnits": 100}, 400, "amountOffUnits"),
        ({"duration": "REPEATING"}, 400, "durationInCycles"),
        ({"durationInCycles": 2}, 400, "durationInCycles"),
        ({"duration": "REPEATING", "durationInCycles": 0}, 400, "durationInCycles"),
        ({"code": ""}, 400, "code"),
        ({"code": "two words"}, 400, "code"),
        ({"code": "x" * 65}, 400, "code"),
        ({"code": "taken"}, 409, "detail"),
        ({"maxRedemptions": 0}, 400, "maxRedemptions"),
        ({"maxRedemptions": "3"}, 400, "maxRedemptions"),
        ({"expiresAt": "2001-01-01"}, 400, "expiresAt"),
        ({"expiresAt": "soon"}, 400, "expiresAt"),
        ({"appliesTo": [{"product": "none"}]}, 400, "appliesTo"),
        ({"appliesTo": [{"plan": "pro"}]}, 400, None),
        ({"appliesTo": [{"product": None}]}, 400, None),
        ({"appliesTo": "pro"}, 400, "appliesTo"),
        ({"enabled": "perhaps"}, 400, "enabled"),
        ({"name": "a\x00b"}, 400, "name"),
        (FIVE | {"discountType": "FIXED"}, 400, "percentageOff"),
    ],
)
async def test_bad_input_leaves_the_log_untouched(database_url, changes, status, where):
    async with running(database_url) as (engine, client):
        await sells(client)
        await make(client, code="Taken")
        before = await positions(engine)
        answer = await client.post("/discount/", json=HALF | changes)
        assert answer.status_code == status, answer.text
        if where:
            assert where in answer.json()
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"amount_off": None}, "amountOff"),
        ({"amount_off": "5.001"}, "amountOff"),
        ({"amount_off": "0"}, "amountOff"),
        ({"amount_off": "NaN"}, "amountOff"),
        ({"amount_off": "-5"}, "amountOff"),
        ({"amount_off": "5.00", "amountOffUnits": 499}, "amountOffUnits"),
        ({"amount_off": None, "amountOffUnits": 0}, "amountOffUnits"),
        ({"currency": None}, "currency"),
        ({"currency": "XXX"}, "currency"),
        ({"currency": "JPY", "amount_off": "5.50"}, "amountOff"),
    ],
)
async def test_bad_amounts_leave_the_log_untouched(database_url, changes, where):
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        answer = await client.post("/discount/", json=FIVE | changes)
        assert (answer.status_code, list(answer.json())) == (400, [where]), answer.text
        assert await positions(engine) == before


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ({"code": "other"}, "unknown_discount_code"),
        ({"enabled": False}, "discount_disabled"),
        ({"appliesTo": [{"product": "PRODUCT", "chargePeriod": "YEARLY"}]}, "not_applicable"),
        (FIVE | {"currency": "EUR", "percentageOff": None}, "currency_mismatch"),
    ],
)
async def test_codes_that_do_not_work_sell_nothing(database_url, made, code):
    async with running(database_url) as (engine, client):
        await sells(client)
        await customer(client, VISA)
        product = (await client.get("/catalog/products/")).json()["results"][0]["id"]
        for row in made.get("appliesTo", ()):
            row["product"] = product
        if "discount_type" in made:
            made = made | {"discountType": made["discount_type"]}
        await make(client, **made)
        before = await positions(engine)
        answer = await client.post("/subscriptions/create/", json=PRO | {"discountCode": "half"})
        assert answer.status_code == 400, answer.text
        assert answer.json()["code"].endswith(code)
        assert "detail" in answer.json()
        assert await positions(engine) == before


@pytest.mark.parametrize("path", ["nonsense", "00000000-0000-4000-8000-000000000000"])
async def test_an_unknown_discount_is_404(database_url, path):
    async with running(database_url) as (_, client):
        for answer in (
            await client.get(f"/discount/{path}/"),
            await client.patch(f"/discount/{path}/", json={"enabled": True}),
            await client.delete(f"/discount/{path}/"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, "discount_not_found")


async def test_an_idempotency_key_makes_one_code(database_url):
    async with running(database_url) as (_, client):
        body = {key: value for key, value in HALF.items() if key != "code"}
        headers = {"Idempotency-Key": "code-1"}
        first = await client.post("/discount/", json=body, headers=headers)
        second = await client.post("/discount/", json=body, headers=headers)
        assert first.content == second.content
        other = (await client.post("/discount/", json=body)).json()
        assert other["code"] != first.json()["code"]
