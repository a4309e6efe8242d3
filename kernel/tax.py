"""Tax: the rate that holds for a sale, and what an invoice records of it (design 7, wire 30.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kernel.money import Money, round_half_away
from kernel.price import TaxBehavior
from kernel.settings import TaxRate, percent


class TaxRelief(StrEnum):
    """Why a sale that has a rate is not taxed."""

    NONE = "none"
    BUSINESS_TAX_ID = "business_tax_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxTerms:
    """How something is taxed: ``percent`` is exact decimal text, as the table of rates has it.

    Relieved, nothing is taken; ``lowers_price`` says whether an inclusive price then drops by the
    tax that it would contain.
    """

    country: str
    tax_code: str
    percent: str
    behavior: TaxBehavior
    name: str = ""
    relief: TaxRelief = TaxRelief.NONE
    lowers_price: bool = False

    @property
    def rate(self) -> Fraction:
        """The factor by which tax is taken: 0 when relieved."""
        return Fraction(0) if self.relief is not TaxRelief.NONE else percent(self.percent)

    @property
    def is_inclusive(self) -> bool:
        """Amounts contain the tax."""
        return self.behavior is TaxBehavior.INCLUSIVE

    @property
    def price_factor(self) -> Fraction:
        """What a price is multiplied by before anything else: below 1 when it drops."""
        return 1 / (1 + percent(self.percent)) if self.lowers_price else Fraction(1)

    def tax_on(self, units: int) -> int:
        """The tax on (or in) rounded minor units, rounded once; negative on a credit."""
        rate = self.rate
        return round_half_away(units * rate / (1 + rate) if self.is_inclusive else units * rate)


UNTAXED = TaxTerms(country="", tax_code="", percent="0", behavior=TaxBehavior.EXCLUSIVE)
"""What a credit says of an invoice without tax: today's rate is not for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedTax:
    """One rate of an invoice: ``amount`` is the tax on the discounted lines, which are ``base``.

    An inclusive base contains the amount.
    """

    terms: TaxTerms
    base: Money
    amount: Money


def rate_for(rates: Iterable[TaxRate], country: str, tax_code: str) -> TaxRate | None:
    """The rate of a country for a tax code, else the country's general one, else none."""
    here = [rate for rate in rates if rate.country == country]
    exact = (rate for rate in here if rate.tax_code == tax_code)
    general = (rate for rate in here if not rate.tax_code)
    return next(exact, None) or next(general, None)
