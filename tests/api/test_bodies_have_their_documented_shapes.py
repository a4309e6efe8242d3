"""What OpenAPI says an answer looks like is what it looks like, key by key and type by type."""

import pytest
from pydantic import TypeAdapter

from read_api.balances import BalancePage
from tests.billing_facts import JAN_31, a_whole_life
from wire.customer import CustomerOut
from wire.http.documented import Page
from wire.invoice import InvoiceOut
from wire.order import OrderEventOut, OrderOut
from wire.refund import RefundOut
from wire.subscription import SubscriptionOut
from wire.transaction import TransactionOut


pytestmark = pytest.mark.anyio


def same_keys(shape, rows):
    return all(row.keys() == shape.__annotations__.keys() for row in rows)


async def test_every_list_of_a_whole_life(happened, reading):
    ada, first = a_whole_life(happened)
    paid = first.is_billed(at=JAN_31)
    paid.is_paid(at=JAN_31)
    every = "incomplete,incomplete_expired,active,trialing,past_due,paused,canceled,superseded"
    shapes = {
        "/customers/": CustomerOut,
        f"/subscriptions/?customer_id=ada&status={every}": SubscriptionOut,
        "/invoices/": InvoiceOut,
        "/orders/": OrderOut,
        f"/orders/{paid.order_number}/events/": OrderEventOut,
        "/refunds/": RefundOut,
        "/transaction/": TransactionOut,
    }
    async with reading(happened) as client:
        for path, shape in shapes.items():
            page = (await client.get(path)).json()
            assert page["results"], path
            TypeAdapter(Page[shape]).validate_python(page, strict=False)
            assert same_keys(shape, page["results"]), path
        balance = (await client.get(f"/customers/{ada.customer_id}/balance/")).json()
    TypeAdapter(BalancePage).validate_python(balance, strict=True)
    assert balance.keys() == BalancePage.__annotations__.keys()
