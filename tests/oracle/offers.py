"""The price list of all lives: what a plan costs per period, exactly, in major units."""

from dataclasses import dataclass, replace
from fractions import Fraction

from tests.oracle.rules import EXPONENTS


@dataclass(frozen=True)
class Offer:
    """One plan, period and currency."""

    plan: str
    period: str
    currency: str
    base: str
    seat: str | None = None
    trial_days: int = 0
    inclusive: bool = False
    is_custom: bool = False
    version: int = 1

    @property
    def recurs(self):
        return self.period != "ONE_TIME"

    def at(self, price):
        """The same for a price of its own, seats included."""
        return replace(self, base=price, seat=None, is_custom=True)

    def with_tax(self, *, inclusive):
        """The same with the tax in the price, or on top of it."""
        return replace(self, inclusive=inclusive)

    def parts(self, seats):
        """The exact minor units of each line of a whole period."""
        scale = 10 ** EXPONENTS[self.currency]
        found = [Fraction(self.base) * scale]
        if self.seat is not None:
            found.append(Fraction(self.seat) * seats * scale)
        return found


OFFERS = (
    Offer("basic", "MONTHLY", "USD", "10.00"),
    Offer("basic", "YEARLY", "USD", "100.00"),
    Offer("basic", "MONTHLY", "EUR", "9.99", inclusive=True),
    Offer("basic", "YEARLY", "EUR", "99.90", inclusive=True),
    Offer("pro", "MONTHLY", "USD", "33.33", seat="12.345"),
    Offer("pro", "THREE_MONTHS", "USD", "89.99", seat="30.00"),
    Offer("pro", "YEARLY", "USD", "333.30", seat="120.50"),
    Offer("wide", "MONTHLY", "JPY", "1000", seat="333.3"),
    Offer("wide", "MONTHLY", "KWD", "10.000", seat="0.0125"),
    Offer("wide", "SIX_MONTHS", "KWD", "55.555", seat="0.07"),
    Offer("often", "WEEKLY", "USD", "4.99"),
    Offer("often", "TWENTY_EIGHT_DAYS", "USD", "18.00"),
    Offer("often", "DAILY", "USD", "0.79"),
    Offer("dear", "MONTHLY", "USD", "2750.00"),
    Offer("tiny", "WEEKLY", "USD", "0.17"),
    Offer("tiny", "MONTHLY", "JPY", "49"),
    Offer("tiny", "MONTHLY", "KWD", "0.499"),
    Offer("try", "MONTHLY", "USD", "31.00", trial_days=7),
    Offer("try", "YEARLY", "USD", "240.00", trial_days=7),
    Offer("once", "ONE_TIME", "USD", "99.00"),
    Offer("free", "ONE_TIME", "USD", "0"),
)


VERSIONS = [
    (
        Offer("aged", "MONTHLY", "USD", month, seat=seat, version=number + 1),
        Offer("aged", "YEARLY", "USD", year, seat="21.50", version=number + 1),
    )
    for number, (month, seat, year) in enumerate(
        [
            ("20.00", "3.00", "199.00"),
            ("26.66", "3.00", "249.00"),
            ("14.50", "4.444", "249.00"),
            ("31.00", "0.05", "300.00"),
        ]
    )
]
"""A plan whose newest version is another one from time to time."""

TOLD = {"DISCOUNT": "TOO_EXPENSIVE", "PAUSE": "UNUSED", "SUPPORT": "CUSTOMER_SERVICE"}
"""The reason for which each retention offer is made."""
PERCENT_TO_STAY, CYCLES_TO_STAY, DURATIONS = 20, 2, (1, 2, 3)
ACCEPTANCES, WITHIN_MONTHS = 2, 6


def offer(plan, period, currency, version=1):
    """The one of that name, or None; what is free is free in every currency."""
    if (plan, period) == ("free", "ONE_TIME"):
        return Offer(plan, period, currency, "0")
    wanted = plan, period, currency
    known = (*OFFERS, *VERSIONS[version - 1]) if plan == "aged" else OFFERS
    return next((o for o in known if (o.plan, o.period, o.currency) == wanted), None)
