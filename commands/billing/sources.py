"""What the present period of a subscription was billed with, and what of it may become credit.

Each line is credited at the tax of its own invoice and at the part of it that was not refunded. In
all, never more goes back than was billed: refunds, and what became credit before, are taken off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from aggregates.invoice import crediting
from aggregates.invoice.events import InvoiceCreated
from aggregates.invoice.state import INVOICE
from aggregates.order import refunding
from aggregates.order.state import ORDER
from aggregates.subscription.state import Subscription
from commands.billing.invoicing import Bill, sums_of
from commands.billing.prorating import Part
from commands.unit_of_work import UnitOfWork
from kernel.lines import InvoiceLine
from kernel.money import Money, round_half_away
from kernel.tax import UNTAXED


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An invoice: ``kept`` is the part that was not refunded, ``left`` what may go back of it.

    ``credited`` minor units of it became credit, or wait to become it.
    """

    invoice: InvoiceCreated
    kept: Fraction
    left: int
    credited: int = 0

    def part_of(self, feature: str | None) -> Part | None:
        """How a line was billed here, a whole one first, then the newest; None: it was not."""
        billed = (line for line in self.invoice.lines if line.amount.units > 0)
        found = [line for line in billed if line.feature == feature]
        if not found:
            return None
        line = next((each for each in found if not each.is_prorated), found[-1])
        return Part(tax=line.tax or UNTAXED, kept=self.kept, most=line.discounted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The invoices of the present period, newest first, and the lines that wait for the next.

    ``ahead`` minor units of what those credit are taken off what may go back already.
    """

    invoices: tuple[Source, ...]
    deferred: tuple[InvoiceLine, ...] = ()
    ahead: int = 0

    @property
    def left(self) -> int:
        """What may go back in all, in minor units."""
        return sum(source.left for source in self.invoices)

    def parts(self, features: Iterable[str | None]) -> dict[str | None, Part]:
        """How each of these lines was billed last."""
        return {feature: self._part(feature) for feature in features}

    def _part(self, feature: str | None) -> Part:
        for line in reversed(self.deferred):
            if line.feature == feature and line.amount.units > 0:
                return Part(tax=line.tax, most=line.amount.units)
        found = (source.part_of(feature) for source in self.invoices)
        return next((part for part in found if part is not None), Part())


async def load_sources(
    work: UnitOfWork, state: Subscription, *, last: UUID | None = None
) -> Sources:
    """``last`` is the invoice that settled at the end what was deferred."""
    known = (*state.invoices, last) if last else state.invoices
    found = [await _source(work, invoice_id) for invoice_id in dict.fromkeys(reversed(known))]
    return Sources(
        invoices=tuple(source for source in found if source is not None),
        deferred=() if last else state.deferred,
        ahead=0 if last else state.credited_ahead,
    )


async def _source(work: UnitOfWork, invoice_id: UUID) -> Source | None:
    state = await work.load(INVOICE, invoice_id)
    created = state.created
    if created is None:
        return None
    if created.order_id is None:
        return Source(invoice=created, kept=Fraction(1), left=0)
    order = await work.load(ORDER, created.order_id)
    left, whole = refunding.left_of(order, credited=state.credited)
    kept = Fraction(left, whole) if whole else Fraction(1)
    return Source(invoice=created, kept=kept, left=left, credited=state.credited)


async def within(work: UnitOfWork, bill: Bill, sources: Sources) -> tuple[Bill, int]:
    """The bill with credits that do not exceed what may go back, and what goes back, in units.

    They are lowered alike, and by no more than it takes with the tax on them. What was credited
    ahead of this bill may go back with it.
    """
    most = sources.left + sources.ahead
    gross = sum(-line.amount.units for line in bill.carried if line.amount.units < 0)
    if not gross:
        return bill, 0
    back = await _back(work, bill)
    if back > most:
        enough, too_little = gross, 0
        while enough - too_little > 1:
            less = (enough + too_little) // 2
            if await _back(work, _lowered(bill, Fraction(gross - less, gross))) <= most:
                enough = less
            else:
                too_little = less
        bill = _lowered(bill, Fraction(gross - enough, gross))
        back = await _back(work, bill)
    return bill, max(back, 0)


async def _back(work: UnitOfWork, bill: Bill) -> int:
    """What goes back with a bill; negative where it charges more than it credits."""
    return -(await sums_of(work, bill)).totals.total.units


def _lowered(bill: Bill, factor: Fraction) -> Bill:
    lines = (_times(line, factor) if line.amount.units < 0 else line for line in bill.carried)
    return replace(bill, carried=tuple(line for line in lines if line.amount.units))


def _times(line: InvoiceLine, factor: Fraction) -> InvoiceLine:
    exact = Fraction(line.numerator, line.denominator) * factor
    amount = Money(round_half_away(exact), line.amount.currency)
    return replace(
        line,
        unit_price=amount.decimal(),
        amount=amount,
        numerator=exact.numerator,
        denominator=exact.denominator,
    )


async def mark_credited(
    work: UnitOfWork, sources: Sources, units: int, *, credit_id: UUID | None, at: datetime
) -> None:
    """Take what became credit off what may be refunded, of the newest invoices first.

    What was taken off ahead and did not become credit after all, because a larger charge met it,
    is put back: that charge was paid with it.
    """
    units -= sources.ahead
    for source in sources.invoices:
        taken = min(units, source.left) if units > 0 else max(units, -source.credited)
        invoice_id = source.invoice.invoice_id
        invoice = await work.load(INVOICE, invoice_id)
        facts = crediting.mark_credited(invoice, taken, credit_id=credit_id, at=at)
        work.record(invoice_id, facts)
        units -= taken
