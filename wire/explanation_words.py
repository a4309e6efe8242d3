"""How an amount came about, in words that an auditor can check with a pencil."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from kernel.interval import Period
from kernel.lines import InvoiceLine, PeriodPart
from kernel.money import exponent, round_half_away


PLACES = 4
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def line(found: InvoiceLine) -> str:
    """``5 x Pro: Seats at 15.00 USD, from 21 Nov 2026 to 21 Dec 2026: 7500/1 = 7500``."""
    exact = Fraction(found.numerator, found.denominator)
    return f"{_what(found, exact)}: {rounding(exact)}"


def rounding(exact: Fraction) -> str:
    """An exact figure of minor units and what it was rounded to."""
    fraction = f"{exact.numerator}/{exact.denominator}"
    units = round_half_away(exact)
    if exact.denominator == 1:
        return f"{fraction} = {units}"
    return f"{fraction} ≈ {_approximately(exact)}, rounded to {units}"


def percent(text: str) -> str:
    """``19.00`` as people write it: ``19 %``."""
    whole = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{whole} %"


def _what(found: InvoiceLine, exact: Fraction) -> str:
    if found.part is not None:
        return f"{found.name}, {found.description}: {_worked_out(found.part, exact)}"
    currency = found.amount.currency
    each = Fraction(found.unit_price) * 10 ** exponent(currency)
    if each * found.quantity != exact:
        return f"{found.name}, {found.description}"
    price = f"{found.name} at {found.unit_price} {currency}"
    many = price if found.quantity == 1 else f"{found.quantity:,} x {price}"
    return many if found.period is None else f"{many}, {_bounds(found.period)}"


def _worked_out(part: PeriodPart, exact: Fraction) -> str:
    """``2549 x 1161763 of 2678400 seconds``, and why a credit is less than that."""
    price = Fraction(part.numerator, part.denominator)
    way = f"{price} x {_seconds(part.left)} of {_seconds(part.whole)} seconds"
    return way if abs(exact) == part.worth else f"{way}, less what was not paid or is given back"


def _seconds(microseconds: int) -> str:
    exact = Decimal(microseconds).scaleb(-6)
    return f"{exact.normalize():f}"


def _bounds(period: Period) -> str:
    start, end = period.start, period.end
    first, last = (f"{at.day} {_MONTHS[at.month - 1]} {at.year}" for at in (start, end))
    return f"from {first} to {last}"


def _approximately(exact: Fraction) -> str:
    scaled = round_half_away(exact * 10**PLACES)
    whole, decimals = divmod(abs(scaled), 10**PLACES)
    return f"{'-' if scaled < 0 else ''}{whole}.{decimals:0{PLACES}}"
