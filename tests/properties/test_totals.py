"""Whatever is sold, discounted and taxed: the sums of an invoice hold to the last unit."""

from fractions import Fraction
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from aggregates.invoice.totals import add_up
from kernel.discount import DiscountTerms, Duration, PriceOff
from kernel.lines import InvoiceLine, LineOrigin
from kernel.money import Money, round_half_away
from kernel.price import TaxBehavior
from kernel.tax import TaxRelief, TaxTerms


CURRENCIES = st.sampled_from(["JPY", "USD", "KWD"])
PERCENTS = st.integers(0, 10_000).map(lambda hundredths: f"{hundredths / 100:.2f}")


@st.composite
def tax_terms(draw):
    behavior = draw(st.sampled_from([TaxBehavior.INCLUSIVE, TaxBehavior.EXCLUSIVE]))
    relief = draw(st.sampled_from(TaxRelief))
    relieved = relief is not TaxRelief.NONE and behavior is TaxBehavior.INCLUSIVE
    return TaxTerms(
        country=draw(st.sampled_from(["DE", "US", "JP"])),
        tax_code="",
        percent=draw(PERCENTS),
        behavior=behavior,
        relief=relief,
        lowers_price=relieved and draw(st.booleans()),
    )


@st.composite
def bills(draw):
    currency = draw(CURRENCIES)

    def line(number):
        prorated = draw(st.booleans())
        exact = Fraction(
            draw(st.integers(-(10**8) if prorated else 0, 10**8)), draw(st.integers(1, 10**6))
        )
        return InvoiceLine(
            name=f"line {number}",
            description="",
            quantity=draw(st.integers(1, 5)),
            unit_price="",
            amount=Money(round_half_away(exact), currency),
            numerator=exact.numerator,
            denominator=exact.denominator,
            period=None,
            feature=None,
            origin=LineOrigin(UUID(int=1), 1),
            is_prorated=prorated,
            tax=draw(st.none() | tax_terms()),
        )

    def discount(number):
        fixed = Money(draw(st.integers(1, 10**8)), currency)
        percentage = PriceOff(percentage=draw(st.integers(1, 100)))
        return DiscountTerms(
            id=UUID(int=number),
            name="",
            off=draw(st.sampled_from([PriceOff(amount=fixed), percentage])),
            duration=Duration.ONCE,
            cycles=1,
        )

    return {
        "lines": [line(number) for number in range(draw(st.integers(1, 5)))],
        "currency": currency,
        "discounts": [discount(number) for number in range(draw(st.integers(0, 4)))],
        "tax": draw(st.none() | tax_terms()),
    }


def units(amounts):
    return sum(amount.units for amount in amounts)


@given(bills())
def test_lines_discounts_and_taxes_sum_to_the_totals(bill):
    sums = add_up(**bill)
    totals = sums.totals
    assert units(line.amount for line in sums.lines) == totals.subtotal.units
    assert units(line.discount for line in sums.lines if line.discount) == totals.discount.units
    assert units(off.amount for off in sums.discounts) == totals.discount.units
    assert units(tax.amount for tax in sums.taxes) == totals.tax.units
    added = units(tax.amount for tax in sums.taxes if not tax.terms.is_inclusive)
    assert totals.total.units == totals.subtotal.units - totals.discount.units + added
    taxed = [line for line in sums.lines if line.tax]
    assert units(tax.base for tax in sums.taxes) == sum(line.discounted for line in taxed)


@given(bills())
def test_no_line_is_discounted_below_nothing_and_no_part_of_a_period_twice(bill):
    for line in add_up(**bill).lines:
        if line.is_prorated:
            assert line.discount is None
        else:
            assert 0 <= line.discounted <= line.amount.units


@given(bills())
def test_every_line_is_its_exact_figure_rounded_once(bill):
    for line in add_up(**bill).lines:
        assert line.amount.units == round_half_away(Fraction(line.numerator, line.denominator))


@given(bills(), st.data())
def test_a_credit_never_gives_back_more_tax_than_was_invoiced(bill, data):
    bill["lines"] = [line for line in bill["lines"] if not line.is_prorated]
    sums = add_up(**bill)
    for tax in sums.taxes:
        credited = -data.draw(st.integers(0, max(tax.base.units, 0)))
        assert 0 >= tax.terms.tax_on(credited) >= -tax.amount.units
        assert tax.terms.tax_on(-tax.base.units) == -tax.amount.units


@given(bills())
def test_what_is_relieved_of_tax_has_none(bill):
    for tax in add_up(**bill).taxes:
        if tax.terms.relief is not TaxRelief.NONE:
            assert tax.amount.units == 0
