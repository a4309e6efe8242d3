"""Where the money of a refund went, in the explanation of its invoice."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from aggregates.invoice.events import BalanceUse
from aggregates.order.events import OrderRefundStarted
from kernel.money import Money
from kernel.refund import RefundShares
from wire.explained_refunds import refunds_out
from wire.explained_sums import _balance


def usd(units):
    return Money(units, "USD")


@pytest.mark.parametrize(
    ("method", "where"),
    [
        (5000, "all to the payment method"),
        (3675, "3675 to the payment method and 1325 to the customer's balance"),
        (0, "all to the customer's balance"),
    ],
)
def test_both_destinations_are_told(method, where):
    shares = RefundShares(amount=usd(5000), tax=usd(799), method=usd(method))
    begun = OrderRefundStarted(
        order_id=UUID(int=1),
        refund_id=UUID(int=2),
        shares=shares,
        occurred_at=datetime(2026, 11, 21, tzinfo=UTC),
    )
    (told,) = refunds_out([begun])
    assert told["words"] == f"50.00 USD, 4201 + 799 tax = 5000, {where}: on its way"


def test_a_credit_that_grows_is_a_sum_with_its_sign():
    use = BalanceUse(starting=usd(-1325), applied=usd(-284), ending=usd(-1609), due=usd(0))
    assert _balance(use).endswith(": -1325 + (-284) = -1609")
