"""The price list of all lives: what a plan costs per period, exactly, in major units."""

from dataclasses import dataclass
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

    @property
    def recurs(self):
        return self.period != "ONE_TIME"

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
    Offer("basic", "MONTHLY", "EUR", "9.99"),
    Offer("basic", "YEARLY", "EUR", "99.90"),
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


def offer(plan, period, currency):
    """The one of that name."""
    return next(o for o in OFFERS if (o.plan, o.period, o.currency) == (plan, period, currency))
