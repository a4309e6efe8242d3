"""What may go back of the invoices of a period, as credit or as a refund (design 7, case 41).

Each line is credited at the part of its order that was not refunded. In all no more becomes credit
than was billed and not refunded, and what became credit is not refunded as well.
"""

from bisect import bisect_left
from fractions import Fraction

from tests.oracle import rules


class Crediting:
    """The part of the ledger that keeps credits and refunds of one payment apart."""

    def _unused(self, sub, key, exact):
        """The credit of a line, which is never more than what was billed for it."""
        most, bill = sub.charged.get(key[1], (None, None))
        if bill:
            exact *= bill.kept
        return -Fraction(exact if most is None or rules.rounded(exact) <= most else most)

    def _within(self, sub, carried, beside=0):
        """Lines with credits that are all lowered alike until no more goes back than may.

        ``beside`` is billed with them. Also, what goes back.
        """
        most = sum(bill.left for bill in sub.sources) + sub.ahead
        gross = -sum(rules.rounded(exact) for exact in carried if exact < 0)

        def lowered(less):
            factor = Fraction(gross - less, gross) if gross else 1
            lines = [exact * factor if exact < 0 else exact for exact in carried]
            return [exact for exact in lines if rules.rounded(exact)]

        def back(less):
            units = units_of(lowered(less))
            has_credit = any(line < 0 for line in units)
            return -self._tax(sub, sum(units) + beside, has_credit)[1]

        less = bisect_left(range(gross), True, key=lambda less: back(less) <= most)
        return lowered(less), max(back(less), 0) if gross else 0

    def _mark(self, sources, ahead, units):
        """What became credit is taken off what may be refunded, of the newest bill first."""
        units -= ahead
        for bill in reversed(sources):
            taken = min(units, bill.left) if units > 0 else max(units, -bill.credited)
            bill.credited += taken
            units -= taken

    def _settle_deferred(self, sub, bill):
        """What waited stands on a bill from now on."""
        sub.charged = {key: (units, of or bill) for key, (units, of) in sub.charged.items()}
        sub.deferred, sub.ahead = [], 0


def units_of(lines):
    """Each line rounded once."""
    return [rules.rounded(exact) for exact in lines]
