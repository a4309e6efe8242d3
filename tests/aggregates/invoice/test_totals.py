"""The cases of currency, rounding, tax and discounts (cases.md 4 and 5)."""

from fractions import Fraction
from uuid import UUID

import pytest

from aggregates.invoice.totals import add_up
from kernel.discount import DiscountTerms, Duration, PriceOff
from kernel.lines import InvoiceLine, LineOrigin
from kernel.money import Money, round_half_away
from kernel.price import TaxBehavior
from kernel.tax import TaxRelief, TaxTerms


def line(units, currency="USD", **fields):
    exact = Fraction(units)
    return InvoiceLine(
        **{
            "name": "Pro",
            "description": "Monthly",
            "quantity": 1,
            "unit_price": "",
            "amount": Money(round_half_away(exact), currency),
            "numerator": exact.numerator,
            "denominator": exact.denominator,
            "period": None,
            "feature": None,
            "origin": LineOrigin(UUID(int=1), 1),
            **fields,
        }
    )


def percent(percentage, number=1):
    return discount(PriceOff(percentage=percentage), number)


def fixed(units, currency="USD", number=2):
    return discount(PriceOff(amount=Money(units, currency)), number)


def discount(off, number):
    return DiscountTerms(id=UUID(int=number), name="", off=off, duration=Duration.ONCE, cycles=1)


def tax(rate, *, inclusive=False, **fields):
    behavior = TaxBehavior.INCLUSIVE if inclusive else TaxBehavior.EXCLUSIVE
    return TaxTerms(country="DE", tax_code="", percent=rate, behavior=behavior, **fields)


def bill(*lines, discounts=(), tax=None):
    currency = lines[0].amount.currency
    return add_up(lines, currency=currency, discounts=discounts, tax=tax)


def sums(*lines, **fields):
    totals = bill(*lines, **fields).totals
    return tuple(m.units for m in (totals.subtotal, totals.discount, totals.tax, totals.total))


def test_case_57_35_percent_off_90_units_takes_32():
    assert sums(line(90), discounts=[percent(35)]) == (90, 32, 0, 58)


def test_case_61_exclusive_tax_is_added():
    assert sums(line(999), tax=tax("20")) == (999, 0, 200, 1199)


def test_case_62_inclusive_tax_is_contained():
    assert sums(line(1200), tax=tax("20", inclusive=True)) == (1200, 0, 200, 1200)


def test_case_64_inclusive_tax_without_decimals():
    assert sums(line(1000, "JPY"), tax=tax("10", inclusive=True)) == (1000, 0, 91, 1000)


def test_case_66_tax_is_taken_of_rounded_lines_on_the_invoice_and_on_its_credit():
    part = Fraction(20000 * 29, 30)
    assert sums(line(part), tax=tax("25")) == (19333, 0, 4833, 24166)
    assert sums(line(-part, is_prorated=True), tax=tax("25")) == (-19333, 0, -4833, -24166)


def test_case_68_a_percentage_is_taken_of_the_subtotal_and_shared_out():
    worked = bill(line(333), line(333), line(333), discounts=[percent(10)])
    assert worked.totals.discount.units == 100
    assert [each.discount.units for each in worked.lines] == [34, 33, 33]


def test_case_69_every_part_of_a_credit_is_negative():
    worked = bill(line(-3000, is_prorated=True), line(-2000, is_prorated=True), tax=tax("20"))
    assert worked.totals.total.units == -6000
    assert [each.amount.units for each in worked.taxes] == [-1000]
    assert [each.base.units for each in worked.taxes] == [-5000]


def test_case_72_100_percent_off_leaves_nothing_to_tax():
    assert sums(line(5000), discounts=[percent(100)], tax=tax("20")) == (5000, 5000, 0, 0)


def test_case_74_a_fixed_discount_is_capped():
    assert sums(line(2000), discounts=[fixed(3000)], tax=tax("20")) == (2000, 2000, 0, 0)


def test_percentages_come_before_fixed_amounts_each_of_what_is_left():
    worked = bill(line(10000), discounts=[fixed(500), percent(10, 3), percent(50, 4)])
    assert [each.amount.units for each in worked.discounts] == [1000, 4500, 500]
    assert [each.id.int for each in worked.discounts] == [3, 4, 2]


def test_prorated_lines_keep_out_of_the_discounts():
    worked = bill(line(1000), line(-250, is_prorated=True), discounts=[fixed(5000)])
    assert [each.discounted for each in worked.lines] == [0, -250]


def test_each_rate_has_its_own_tax_and_a_line_keeps_the_rate_it_says():
    old = line(-1000, is_prorated=True, tax=tax("20"))
    worked = bill(old, line(2000), tax=tax("10"))
    assert [(t.terms.percent, t.amount.units) for t in worked.taxes] == [("20", -200), ("10", 200)]


RELIEVED = {"relief": TaxRelief.BUSINESS_TAX_ID}


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (tax("20", **RELIEVED), (1200, 0, 0, 1200)),
        (tax("20", inclusive=True, **RELIEVED), (1200, 0, 0, 1200)),
        (tax("20", inclusive=True, lowers_price=True, **RELIEVED), (1000, 0, 0, 1000)),
    ],
)
def test_a_business_tax_id_removes_tax_and_may_lower_an_inclusive_price(terms, expected):
    assert sums(line(1200), tax=terms) == expected


def test_a_lowered_line_still_multiplies_out():
    lowered = tax("20", inclusive=True, lowers_price=True, **RELIEVED)
    (even,) = bill(line(3600, quantity=3), tax=lowered).lines
    assert (even.quantity, even.unit_price, even.amount.units) == (3, "10.00", 3000)
    (odd,) = bill(line(1000, quantity=3), tax=lowered).lines
    assert (odd.quantity, odd.unit_price, odd.description) == (1, "8.33", "3 units, Monthly")


def test_three_decimals():
    assert sums(line(10000, "KWD"), discounts=[percent(15)], tax=tax("5")) == (
        10000,
        1500,
        425,
        8925,
    )
