"""What the rest of a period is worth, line by line: exact, rounded once (design 7, cases 23 to 51).

Credit and charge are both taken after the discounts valid for them; a fixed discount is shared out
over the lines of its price and prorated with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction

from aggregates.subscription.contract import Contract
from commands.billing.words import days
from commands.billing.words import units as units_of
from kernel.discount import PriceOff, discounts_leave
from kernel.interval import Period
from kernel.lines import InvoiceLine, LineOrigin, PeriodPart
from kernel.money import Money, round_half_away
from kernel.offer import OfferLine
from kernel.tax import TaxTerms


_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How a line of a contract was billed, for who credits it.

    ``tax`` is that of its invoice; None: taxed as of the day it is invoiced. ``kept`` is the part
    that was not refunded, ``most`` the minor units that were billed, None when none were.
    """

    tax: TaxTerms | None = None
    kept: Fraction = Fraction(1)
    most: int | None = None

    def at_most(self, exact: Fraction) -> Fraction:
        """No more is credited of a line than was billed for it after its share of discounts."""
        factor = Fraction(1) if self.tax is None else self.tax.price_factor
        if self.most is None or round_half_away(exact * factor) <= self.most:
            return exact
        return self.most / factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """A contract with the discounts valid for its price, and the fact that it stands in.

    ``parts`` are how its lines were billed, by feature.
    """

    contract: Contract
    origin: LineOrigin
    offs: tuple[PriceOff, ...] = ()
    parts: Mapping[str | None, Part] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[tuple[OfferLine, Fraction], ...]:
        """Each line of a whole period with its exact minor units after discounts."""
        offered = self.contract.terms.lines
        full = [(line, Fraction(line.numerator, line.denominator)) for line in offered]
        total = sum((units for _, units in full), Fraction(0))
        share = discounts_leave(total, self.offs) / total if total else Fraction(1)
        return tuple((line, units * share) for line, units in full)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """What is left of a period at an instant; ``pauses`` are no part of it."""

    period: Period
    at: datetime
    pauses: tuple[Period, ...] = ()

    @property
    def left(self) -> Fraction:
        """The exact part that is left: seconds of seconds of the whole period."""
        return self.period.remaining(self.at, self.pauses)

    def part_of(self, units: Fraction) -> PeriodPart:
        """How the rest of a price of so many minor units is worked out."""
        whole = self.period.counted(self.pauses) // _MICROSECOND
        return PeriodPart(
            numerator=units.numerator,
            denominator=units.denominator,
            left=int(self.left * whole),
            whole=whole,
        )

    @property
    def words(self) -> str:
        """The days that are left; empty at the end."""
        start = max(self.at, self.period.start)
        return days(Period(start, self.period.end)) if start < self.period.end else ""


def unused_lines(worth: Worth, rest: Rest) -> tuple[InvoiceLine, ...]:
    """The credit of the rest, as negative lines; none that rounds to nothing."""
    return _visible(_credit(line, units, worth, rest) for line, units in worth.lines)


def changed_lines(old: Worth, new: Worth, rest: Rest) -> tuple[InvoiceLine, ...]:
    """Credit of the rest under the old price, charge of it under the new one.

    What is the same in both is left out: it would come and go in one invoice.
    """
    before, after = old.lines, new.lines
    kept = {_key(line, units) for line, units in before} & {_key(*pair) for pair in after}
    gone = (
        _credit(line, units, old, rest) for line, units in before if _key(line, units) not in kept
    )
    come = (
        _charge(line, units, new, rest) for line, units in after if _key(line, units) not in kept
    )
    return _visible((*gone, *come))


def _key(line: OfferLine, units: Fraction) -> tuple[str | None, str, int, Fraction]:
    return line.feature, line.description, line.quantity, units


def _visible(lines: Iterable[InvoiceLine]) -> tuple[InvoiceLine, ...]:
    return tuple(line for line in lines if line.amount.units)


def _credit(line: OfferLine, units: Fraction, worth: Worth, rest: Rest) -> InvoiceLine:
    part = worth.parts.get(line.feature, Part())
    exact = -part.at_most(units * rest.left * part.kept)
    return _line(line, exact, f"Unused time{_of(line)}", worth, rest, rest.part_of(units))


def _charge(line: OfferLine, units: Fraction, worth: Worth, rest: Rest) -> InvoiceLine:
    exact, what = units * rest.left, f"Remaining time{_of(line)}"
    return _line(line, exact, what, worth, rest, rest.part_of(units))


def _of(line: OfferLine) -> str:
    return "" if line.feature is None else f" of {units_of(line.quantity)}"


def _line(
    line: OfferLine, exact: Fraction, what: str, worth: Worth, rest: Rest, share: PeriodPart
) -> InvoiceLine:
    part = worth.parts.get(line.feature, Part())
    amount = Money(round_half_away(exact), line.amount.currency)
    return InvoiceLine(
        name=line.description,
        description=f"{what}, {rest.words}" if rest.words else what,
        quantity=1,
        unit_price=amount.decimal(),
        amount=amount,
        numerator=exact.numerator,
        denominator=exact.denominator,
        period=rest.period,
        feature=line.feature,
        origin=worth.origin,
        is_prorated=True,
        tax=part.tax,
        part=share,
    )
