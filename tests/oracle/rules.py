"""Calendar, rounding and shares, from the written rules alone (design 6 and 7).

Nothing here is imported from the engine: two implementations only catch each other's errors when
they share nothing.
"""

import calendar
from datetime import timedelta
from fractions import Fraction


MONTHS = {"MONTHLY": 1, "THREE_MONTHS": 3, "SIX_MONTHS": 6, "YEARLY": 12}
DAYS = {"DAILY": 1, "WEEKLY": 7, "TWENTY_EIGHT_DAYS": 28}
EXPONENTS = {"USD": 2, "EUR": 2, "JPY": 0, "KWD": 3}
COUNTRIES = {0: "US", 7: "ES", 19: "DE", 20: "FR"}
"""Where a customer lives who pays so many percent of tax."""
MINIMUMS = {"USD": 50, "EUR": 50, "JPY": 50, "KWD": 500}


def rounded(exact):
    """Half away from zero, to whole units."""
    exact = Fraction(exact)
    whole, rest = divmod(abs(exact.numerator) * 2, exact.denominator * 2)
    if rest >= exact.denominator:
        whole += 1
    return whole if exact > 0 else -whole


def later_months(anchor, months):
    """The same day and time some months on, or the last day of a month that is too short."""
    month = anchor.month - 1 + months
    year, month = anchor.year + month // 12, month % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return anchor.replace(year=year, month=month, day=min(anchor.day, last))


def boundary(anchor, period, n):
    """Where period n begins: always counted from the anchor."""
    if period in DAYS:
        return anchor + timedelta(days=DAYS[period] * n)
    return later_months(anchor, MONTHS[period] * n)


def microseconds(span):
    """A span of time as a whole number."""
    return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds


def share_left(at, start, end, paused=timedelta(0)):
    """What part of a period is left, paused time not counted in either."""
    whole = microseconds(end - start - paused)
    return min(Fraction(1), max(Fraction(0), Fraction(microseconds(end - at), whole)))


def split(total, exact_parts):
    """Whole units for exact parts: floors, then one each to the largest remainders."""
    floors = [part.numerator // part.denominator for part in exact_parts]
    left = total - sum(floors)
    order = sorted(
        range(len(exact_parts)),
        key=lambda i: (-(exact_parts[i] - floors[i]), -exact_parts[i], i),
    )
    for i in order[:left]:
        floors[i] += 1
    return floors


def exclusive_tax(net, percent):
    """Tax on top of rounded lines."""
    return rounded(net * Fraction(percent) / 100)


def inclusive_tax(gross, percent):
    """The tax that rounded lines contain."""
    rate = Fraction(percent) / 100
    return rounded(gross * rate / (1 + rate))


def after_discounts(exact, offs):
    """Percentages first, then fixed amounts; never below zero, nothing rounded."""
    left = Fraction(exact)
    for off in offs:
        if off.percent is not None:
            left -= left * Fraction(off.percent, 100)
    for off in offs:
        if off.percent is None:
            left -= min(left, off.units)
    return left


def discount_of(subtotal, offs):
    """The same on a sum of rounded lines, rounded after each percentage."""
    left = subtotal
    for off in offs:
        if off.percent is not None:
            left -= rounded(left * Fraction(off.percent, 100))
    for off in offs:
        if off.percent is None:
            left -= min(left, off.units)
    return subtotal - left


def after_shares(lines, offs):
    """What is left of each line when the discounts of a bill are shared out over its lines."""
    left = list(lines)
    for off in sorted(offs, key=lambda each: each.percent is None):
        whole = sum(left)
        taken = min(whole, off.units)
        if off.percent is not None:
            taken = rounded(whole * Fraction(off.percent, 100))
        if whole:
            shares = split(taken, [Fraction(taken * line, whole) for line in left])
            left = [line - share for line, share in zip(left, shares, strict=True)]
    return left


def fee_parts(gross, processed, *, currency, recurring, international):
    """The parts of a Merchant of Record's fee in whole units (wire 30.5)."""
    base = Fraction("2.9") if processed < 500_000 else Fraction("3.5")
    rates = {"base_fee": base}
    if international:
        rates["international_fee"] = Fraction("1.5")
    if recurring:
        rates["subscription_fee"] = Fraction("0.7")
    if currency != "USD":
        rates["conversion_fee"] = Fraction("1.0")
    fixed = {"USD": 40, "EUR": 40, "GBP": 35, "JPY": 60}.get(currency, 0)
    exact = {"fixed_fee": Fraction(fixed)}
    exact |= {name: gross * rate / 100 for name, rate in rates.items()}
    total = rounded(sum(exact.values()))
    parts = split(total, list(exact.values()))
    return {name: units for name, units in zip(exact, parts, strict=True) if units}
