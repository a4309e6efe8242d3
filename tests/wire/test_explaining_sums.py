"""Sums, taxes and refunds in the explanation of an invoice."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from aggregates.invoice.events import BalanceUse
from aggregates.order.events import OrderRefundStarted
from kernel.money import Money
from kernel.price import TaxBehavior
from kernel.refund import RefundShares
from kernel.tax import AppliedTax, TaxRelief, TaxTerms
from wire.explained_refunds import refunds_out
from wire.explained_sums import _balance, _levied


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


@pytest.mark.parametrize(
    ("lowers", "how"), [(False, ""), (True, "; each price was divided by 1 + 20 % first")]
)
def test_a_price_that_a_tax_id_lowered_is_told(lowers, how):
    terms = TaxTerms(
        country="FR",
        tax_code="",
        percent="20",
        behavior=TaxBehavior.INCLUSIVE,
        relief=TaxRelief.BUSINESS_TAX_ID,
        lowers_price=lowers,
    )
    told = _levied(AppliedTax(terms=terms, base=usd(1000), amount=usd(0)))
    assert told == f"of 1000: not taken, the customer has a valid business tax id{how}"
