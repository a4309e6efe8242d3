"""The timeline of an order: what happened to all orders of the same subscription."""

from datetime import timedelta

import pytest

from tests.billing_facts import JAN_31, Buyer


pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def test_it_tells_of_every_order_of_the_subscription(happened, reading):
    ada = Buyer(happened)
    one = ada.subscribes(with_order=True)
    first = one.is_billed(at=JAN_31)
    first.is_declined(at=JAN_31)
    ada.subscribes(name="other").is_billed(at=JAN_31).is_paid(at=JAN_31)
    first.is_paid(at=JAN_31 + DAY)
    second = one.is_billed(at=JAN_31 + 30 * DAY, renewal=True)
    async with reading(happened) as client:
        answer = await client.get(f"/orders/{first.order_number}/events/")
        entries = answer.json()["results"]
        assert answer.json()["count"] == len(entries)
        pending = await client.get(f"/orders/{second.order_number}/events/")
        assert pending.status_code == 404
        page = {"page_size": 3, "page": 2}
        middle = await client.get(f"/orders/{first.order_number}/events/", params=page)
        assert middle.json()["results"] == entries[3:6]
    told = [(entry["order"], entry["code"], entry["status"]) for entry in entries]
    old, new = first.order_number, second.order_number
    assert told == [
        (new, "order.created", "pending"),
        (old, "order.completed", "success"),
        (old, "invoice.paid", "success"),
        (old, "payment.succeeded", "success"),
        (old, "payment.failed", "failed"),
        (old, "order.created", "pending"),
        (old, "subscription.created", "success"),
    ]
    numbers = [entry["id"] for entry in entries]
    assert numbers == sorted(set(numbers), reverse=True)
    money = entries[3]
    assert money["title"] == "Payment succeeded"
    assert money["timestamp"] == "2026-02-01T10:30:15Z"
    assert money["metadata"] == {"primary": "+29.99", "secondary": "visa •••• 4242"}


async def test_nothing_due_is_complete_at_once_and_failing_is_told(happened, reading):
    ada = Buyer(happened)
    free = ada.subscribes().is_billed(at=JAN_31, due=0)
    never = ada.subscribes(name="never").is_billed(at=JAN_31)
    never.fails(at=JAN_31 + DAY)
    async with reading(happened) as client:
        for sold, codes in (
            (free, ["order.completed", "invoice.paid", "order.created"]),
            (never, ["order.failed", "order.created"]),
        ):
            answer = await client.get(f"/orders/{sold.order_number}/events/")
            assert [entry["code"] for entry in answer.json()["results"]] == codes
