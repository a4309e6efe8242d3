"""A life in which everything happens: every kind is heard, every object is as it is documented."""

import pytest

from kernel.event_kinds import EventKind
from tests.adapters.receiver import Receiver
from tests.api.test_charges import BOOST, shop
from tests.api.test_subscriptions import DECLINED, PRO, VISA, sells
from tests.engines import running
from tests.hosted_buyer import HostedBuyer, begin
from tests.webhooks.deliveries import bodies, drained, subscribe, until
from tests.webhooks.object_fields import INTERNAL, OBJECTS, complaints


pytestmark = pytest.mark.anyio

ADDRESS = {"line1": "1 Road", "city": "London", "postalCode": "N1", "country": "GB"}
ELSEWHERE = {EventKind.FEATURE_USAGE_ALERT}
"""Told by usage: tests/api/test_usage_over_time.py."""


async def post(client, path, body=None, status=(200, 201)):
    answered = await client.post(path, json=body or {})
    assert answered.status_code in status, answered.text
    return answered.json()


async def card(client, name, number=VISA):
    typed = {"number": number, "expMonth": 4, "expYear": 2090, "cvc": "123"}
    return await post(client, "/payment-methods/", {"customerId": name, "card": typed})


async def buys_at_a_checkout(engine, client):
    """Ada, who then gets a part of it back."""
    buyer = HostedBuyer(engine, await begin(client, metadata={"aB": {"c_d": 1}}))
    await buyer.enters(name="Ada", billing_address=None)
    await buyer.pays(VISA)
    (order,) = (await client.get("/orders/")).json()["results"]
    await post(client, "/refunds/", {"orderId": order["id"], "amountUnits": 500})
    await client.patch("/customers/ada/", json={"name": "Ada L.", "billingAddress": ADDRESS})


async def changes_and_leaves(client):
    """Bob, on a test clock: a trial, another plan, a pause, the end."""
    frozen = {"name": "t", "frozenTime": "2026-01-31T00:00:00Z"}
    clock = (await post(client, "/test-clocks/", frozen))["id"]

    async def advance(day):
        await post(client, f"/test-clocks/{clock}/advance/", {"frozenTime": f"{day}T00:00:00Z"})

    bob = {"customerId": "bob", "testClockId": clock, "billingAddress": ADDRESS}
    await post(client, "/customers/", bob)
    await card(client, "bob")
    second = await card(client, "bob", "5555 5555 5555 4444")
    sold = PRO | {"customerId": "bob", "trialEnd": "2026-02-10T00:00:00Z"}
    made = await client.patch(f"/payment-methods/{second['id']}/", json={"isDefault": True})
    assert made.status_code == 200, made.text
    path = f"/subscriptions/{(await post(client, '/subscriptions/create/', sold))['id']}"
    await advance("2026-03-11")
    await post(client, f"{path}/update/", {"planIdentifier": "pro", "chargePeriod": "YEARLY"})
    await post(client, f"{path}/pause/", {"pauseMonths": 1})
    await advance("2026-03-12")
    await post(client, f"{path}/resume/")
    await post(client, f"{path}/cancel/", {"cancellationType": "IMMEDIATE"})
    deleted = await client.delete(f"/payment-methods/{second['id']}/")
    assert deleted.status_code in {200, 204}, deleted.text


async def test_a_charge_is_told_in_order(database_url):
    async with running(database_url) as (engine, client), Receiver() as there:
        await shop(client)
        await subscribe(client, there.url)
        await post(client, "/charges/", BOOST)
        await until(lambda: drained(engine))
        assert [body["type"] for body in bodies(there)] == [
            *("invoice.created", "order.created", "invoice.paid", "order.updated"),
            "subscription.created",
        ]
        assert not any(
            complaints(shown, OBJECTS[shown["object"]], shown["object"])
            for shown in (body["data"]["object"] for body in bodies(there))
        )


async def cannot_pay(client):
    await post(client, "/customers/", {"customerId": "cleo"})
    await card(client, "cleo", DECLINED)
    await post(client, "/subscriptions/create/", PRO | {"customerId": "cleo"})


PRICES = {
    "charges": [
        {"chargePeriod": "MONTHLY", "priceData": {"amount": "20.00"}},
        {"chargePeriod": "YEARLY", "priceData": {"amount": "200.00"}},
    ]
}


@pytest.fixture(scope="module")
async def life(module_database_url):
    """All that one endpoint heard, in order."""
    async with running(module_database_url) as (engine, client), Receiver() as there:
        await sells(client, PRICES)
        await subscribe(client, there.url)
        await buys_at_a_checkout(engine, client)
        await changes_and_leaves(client)
        await cannot_pay(client)
        await engine.positions.wait(await engine.store.head(), 60)
        await until(lambda: drained(engine), 60)
        return bodies(there)


async def test_every_kind_is_sent(life):
    assert {body["type"] for body in life} == set(EventKind) - ELSEWHERE


async def test_every_object_has_exactly_its_fields(life):
    assert {body["data"]["object"]["object"] for body in life} == OBJECTS.keys()
    wrong = [
        complaint
        for body in life
        for shown in [body["data"]["object"]]
        for complaint in complaints(shown, OBJECTS[shown["object"]], body["type"])
    ]
    assert not wrong, "\n".join(sorted(set(wrong)))


async def test_who_is_named_by_which_id(life):
    chosen = {"ada", "bob", "cleo"}
    for shown in (body["data"]["object"] for body in life):
        copy = shown.get("customer", {"customer_id": shown.get("customer_id")})
        assert copy["customer_id"] in chosen
        if shown["object"] in INTERNAL:
            assert shown["customer_id"] == copy["id"]
        elif "customer_id" in shown:
            assert shown["customer_id"] == copy["customer_id"]


OLD = {
    "customer.updated": {"name": None},
    "order.updated": {"status": "PENDING"},
    "order.refunded": {"status": "COMPLETE"},
    "invoice.paid": {"status": "OPEN", "paid_at": None},
    "subscription.cancelled": {"status": "active"},
}
"""The examples of wire 27.4, to the letter."""


@pytest.mark.parametrize("kind", OLD)
async def test_previous_attributes_are_those_of_the_examples(life, kind):
    found = [body["data"]["previous_attributes"] for body in life if body["type"] == kind]
    assert found
    assert OLD[kind].items() <= found[0].items()


async def test_a_change_of_plan_shows_the_whole_old_subscription(life):
    (changed,) = (body["data"] for body in life if body["type"] == "subscription.plan_changed")
    assert changed["previous_attributes"].keys() == changed["object"].keys()
    assert complaints(changed["previous_attributes"], OBJECTS["subscription"], "before") == []
    old, new = changed["previous_attributes"], changed["object"]
    assert (old["recurrence"], new["recurrence"]) == ("1 month", "1 year")


async def test_updates_lead_back_to_what_was_shown_before(life):
    """Nothing that an object shows changes without an event of it."""
    last = {}
    for body in life:
        data, shown = body["data"], body["data"]["object"]
        key = shown["object"], shown["id"]
        if key in last and timeless(last[key]) == timeless(shown):
            continue  # a second event of the same fact
        if key in last and "previous_attributes" in data:
            before = {**shown, **data["previous_attributes"]}
            assert timeless(before) == timeless(last[key]), body["type"]
        elif key in last:
            assert body["type"] in {"invoice.paid", *SAYS_NO_PAST}, body["type"]
        last[key] = shown


SAYS_NO_PAST = {
    *("invoice.payment_failed", "payment_method.deleted"),
    "subscription.trial_will_end",
}
LIVE = {
    *("customer", "modified_on", "subscriptions", "payment_link", "paymentLink"),
    *("attempt_count", "attemptCount"),
}
"""What other streams bring, and attempts of which the outcome is told."""


def timeless(shown):
    return {key: value for key, value in shown.items() if key not in LIVE}


async def test_a_purchase_at_a_checkout_is_told_in_order(life):
    heard = [body for body in life if _customer(body) == "ada"]
    kinds = [body["type"] for body in heard]
    paying = kinds.index("invoice.created")
    assert kinds[paying : paying + 7] == [
        *("invoice.created", "order.created", "checkout.completed", "payment_method.created"),
        *("invoice.paid", "order.updated", "subscription.created"),
    ]
    assert heard[paying + 6]["data"]["object"]["status"] == "active"


def _customer(body):
    shown = body["data"]["object"]
    return shown.get("customer", shown)["customer_id"]
