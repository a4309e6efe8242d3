"""Deep pages: the same rows in the same order as reading page by page, with the exact count."""

from datetime import timedelta

import pytest

from app import documents
from tests.billing_facts import JAN_31, Buyer


pytestmark = pytest.mark.anyio


async def test_pages_beyond_the_first_join_what_is_live(happened, reading):
    ada, bob = Buyer(happened), Buyer(happened, "bob")
    one, two = ada.subscribes(), bob.subscribes()
    numbers = []
    for number in range(30):
        sold = (one, two)[number % 2].is_billed(at=JAN_31 + timedelta(seconds=number))
        sold.is_paid(at=JAN_31 + timedelta(days=1))
        sold.is_settled(at=JAN_31 + timedelta(days=1))
        numbers.append(sold.invoice_number)
    one.ends(at=JAN_31 + timedelta(days=2))
    async with reading(happened) as client:
        for path, params, expected in (
            ("/invoices/", {}, numbers[::-1]),
            ("/invoices/", {"customer_id": "ada"}, numbers[::2][::-1]),
            ("/transaction/", {}, numbers[::-1]),
            ("/transaction/", {"search": "bob"}, numbers[1::2][::-1]),
        ):
            seen = await every_page(client, path, {**params, "page_size": 7}, len(expected))
            orders = [row.get("order", {"invoiceId": row["id"]}) for row in seen]
            assert [order["invoiceId"] for order in orders] == expected, (path, params)
        assert {row["order"]["subscription"]["status"] for row in seen} == {"active"}
        for params in ({"page": 4}, {"page": 3, "customer_id": "ada"}):
            beyond = await client.get("/invoices/", params=params)
            assert (beyond.status_code, beyond.json()["detail"]) == (404, "Invalid page.")


async def every_page(client, path, params, count):
    seen, page = [], {"next": None}
    while not seen or page["next"]:
        url = page["next"]
        answer = await (client.get(url) if url else client.get(path, params=params))
        page = answer.json()
        assert page["count"] == count
        seen += page["results"]
    return seen


@pytest.mark.parametrize("more", [{}, {"search": "ada"}])
async def test_the_last_page_there_can_be_is_not_there(happened, reading, more):
    Buyer(happened).subscribes()
    async with reading(happened) as client:
        for path, methods in documents.core()["paths"].items():
            if "get" not in methods or "{" in path or "settings" in path or "/events/" in path:
                continue  # the feed goes on from a position, it has no numbered pages
            last = {"page": 2**53, "page_size": 2**53, "customer_id": "ada", **more}
            answer = await client.get(path.removeprefix("/api/v1"), params=last)
            assert (answer.status_code, answer.json()["code"]) == (404, "invalid_page"), path
