"""Lives in which somebody changes balances by hand as well."""

from hypothesis import strategies as some
from hypothesis.stateful import rule

from tests.oracle.lives import Lives
from tests.oracle.steps import Adjust


UNITS = some.one_of(
    some.integers(-9000, 9000).filter(bool), some.sampled_from([-1, 1, 49, 50, -100_000])
)


class ByHand(Lives):
    """A family of its own: one more rule would make other lives of all that are lived so far."""

    @rule(units=UNITS, currency=some.sampled_from(["USD", "USD", "USD", "JPY", "KWD", "EUR"]))
    def adjust(self, units, currency):
        """Credit or a debit, which the next invoice uses."""
        self.do(Adjust(units, currency))
