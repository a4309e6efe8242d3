"""Money as integer minor units, with the one rounding rule of the engine (design 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from kernel.errors import Invalid


ZERO_DECIMAL = frozenset(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split()
)
THREE_DECIMAL = frozenset("BHD IQD JOD KWD LYD OMR TND".split())
TWO_DECIMAL = frozenset(
    """AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD
    CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
    GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR
    RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW""".split()
)
CURRENCIES = ZERO_DECIMAL | TWO_DECIMAL | THREE_DECIMAL

MAX_UNITS = 10**15
"""No single amount reaches this many minor units: far beyond any price, far below 64 bits."""


class UnknownCurrency(Invalid):
    """Not an ISO 4217 currency code."""

    code = "unknown_currency"


class MixedCurrencies(Invalid):
    """Amounts of different currencies cannot be added."""

    code = "mixed_currencies"


def exponent(currency: str) -> int:
    """Decimal places of the currency: JPY 0, USD 2, KWD 3. Raises UnknownCurrency."""
    if currency in TWO_DECIMAL:
        return 2
    if currency in ZERO_DECIMAL:
        return 0
    if currency in THREE_DECIMAL:
        return 3
    raise UnknownCurrency(f"{currency!r} is not an ISO 4217 currency code.")


def round_half_away(value: Fraction) -> int:
    """The one rounding of the engine: to the nearest unit, halves away from zero (design 7)."""
    doubled = 2 * abs(value.numerator) + value.denominator
    magnitude = doubled // (2 * value.denominator)
    return magnitude if value >= 0 else -magnitude


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units of a currency: ``Money(999, "USD")`` is 9.99 dollars."""

    units: int
    currency: str

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.units + other.units, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.units - other.units, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.units, self.currency)

    def times(self, factor: Fraction | int) -> Money:
        """Multiply exactly, then round once, half away from zero."""
        return Money(round_half_away(Fraction(factor) * self.units), self.currency)

    def split(self, weights: Sequence[int]) -> tuple[Money, ...]:
        """Share out so that the parts sum to the whole (design 7: floor, then remainders)."""
        return tuple(Money(units, self.currency) for units in split_units(self.units, weights))

    def decimal(self) -> str:
        """The decimal string in major units, as the wire shows it: ``"9.99"``, ``"1000"``."""
        return decimal_string(self.units, self.currency)

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise MixedCurrencies(f"{self.currency} and {other.currency} cannot be added.")


def split_units(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Split ``total`` by ``weights``: floors first, then one unit each to the largest fractions.

    Ties go to the larger part, then to the earlier one. A negative total splits like its opposite.
    Weights are not negative; if all are zero the parts are equal.
    """
    if total < 0:
        return tuple(-part for part in split_units(-total, weights))
    if not any(weights):
        weights = [1] * len(weights)
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    rest = total - sum(parts)
    order = sorted(
        range(len(weights)),
        key=lambda i: (-(total * weights[i] % whole), -weights[i], i),
    )
    for i in order[:rest]:
        parts[i] += 1
    return tuple(parts)


def decimal_string(units: int, currency: str) -> str:
    """Minor units as a decimal string with the currency's places: (999, "USD") is ``"9.99"``."""
    places = exponent(currency)
    if places == 0:
        return str(units)
    sign = "-" if units < 0 else ""
    digits = str(abs(units)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def parse_units(amount: str | int | Decimal, currency: str) -> int:
    """Major units to minor units, exactly. Raises Invalid when there are too many decimals."""
    places = exponent(currency)
    try:
        scaled = Decimal(amount).scaleb(places)
    except (ArithmeticError, ValueError):
        raise Invalid(f"{amount!r} is not an amount.") from None
    if not scaled.is_finite() or abs(scaled) >= MAX_UNITS:
        raise Invalid("The amount is out of range.")
    units = int(scaled)
    if units != scaled:
        raise Invalid(f"{currency} has {places} decimal places.")
    return units
