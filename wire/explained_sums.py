"""From the lines of an invoice to what is due, one step at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from typing_extensions import TypedDict

from aggregates.invoice.events import BalanceUse, InvoiceCreated
from kernel.discount import AppliedDiscount
from kernel.money import Money
from kernel.tax import AppliedTax, TaxRelief, TaxTerms
from wire import explanation_words as words


MOST_SUMMANDS = 12


class StepOut(TypedDict):
    """One step: ``amount`` is what it came to, ``words`` how."""

    step: str
    words: str
    units: int
    amount: str


def steps_out(created: InvoiceCreated) -> list[StepOut]:
    """Lines, discounts, tax, total, balance, due."""
    totals = created.totals
    return [
        _step("lines", _sum(line.amount.units for line in created.lines), totals.subtotal),
        *_discounts(created),
        *_taxes(created),
        _step("total", _total(created), totals.total),
        _step("balance", _balance(created.balance), created.balance.applied),
        _step("due", _due(created), created.balance.due),
    ]


def _discounts(created: InvoiceCreated) -> Iterator[StepOut]:
    """Each of what the ones before it left; parts of periods keep out."""
    whole = (line.amount.units for line in created.lines if not line.is_prorated)
    left = sum(max(units, 0) for units in whole)
    for applied in created.discounts:
        yield _step("discount", f"{_called(applied)}: {_taken(applied, left)}", applied.amount)
        left -= applied.amount.units


def _called(applied: AppliedDiscount) -> str:
    return applied.code or applied.name or "Discount"


def _taken(applied: AppliedDiscount, left: int) -> str:
    if applied.off.percentage is not None:
        exact = Fraction(left * applied.off.percentage, 100)
        return f"{applied.off.percentage} % of {left}: {words.rounding(exact)}"
    wanted = applied.off.amount.units if applied.off.amount else 0
    return f"{wanted}" if wanted <= left else f"{wanted}, but no more than what is left: {left}"


def _taxes(created: InvoiceCreated) -> Iterator[StepOut]:
    """Each rate on the sum of its rounded lines after discounts."""
    for applied in created.taxes:
        yield _step("tax", f"{_rate(applied.terms)} {_levied(applied)}", applied.amount)


def _rate(terms: TaxTerms) -> str:
    name = f"{terms.name} " if terms.name else ""
    return f"{name}{terms.country} {words.percent(terms.percent)}"


def _levied(applied: AppliedTax) -> str:
    terms, base = applied.terms, applied.base.units
    if terms.relief is not TaxRelief.NONE:
        lowered = f"; each price was divided by 1 + {words.percent(terms.percent)} first"
        why = "not taken, the customer has a valid business tax id"
        return f"of {base}: {why}{lowered if terms.price_factor != 1 else ''}"
    if terms.is_inclusive:
        return f"in {base}: {words.rounding(base * terms.rate / (1 + terms.rate))}"
    return f"of {base}: {words.rounding(base * terms.rate)}"


def _total(created: InvoiceCreated) -> str:
    totals = created.totals
    way = str(totals.subtotal.units)
    if totals.discount.units:
        way += f" - {totals.discount.units}"
    if added := totals.total.units - totals.subtotal.units + totals.discount.units:
        way += f" + {added}" if added > 0 else f" - {-added}"
    return way if way == str(totals.total.units) else f"{way} = {totals.total.units}"


def _balance(use: BalanceUse) -> str:
    moved = f"{use.starting.units} + {_signed(use.applied.units)} = {use.ending.units}"
    if use.starting.units == use.applied.units == 0:
        return "The customer's balance is 0."
    return f"The customer's balance (negative: a credit) goes from start to end: {moved}"


def _due(created: InvoiceCreated) -> str:
    use, total = created.balance, created.totals.total.units
    return f"{total} - {_signed(use.applied.units)} = {use.due.units}"


def _sum(units: Iterable[int]) -> str:
    every = list(units)
    if len(every) > MOST_SUMMANDS:
        return f"the sum of {len(every)} rounded lines = {sum(every)}"
    shown = " + ".join(_signed(one) for one in every)
    return f"{shown} = {sum(every)}" if len(every) != 1 else f"{sum(every)}"


def _signed(units: int) -> str:
    return f"({units})" if units < 0 else str(units)


def _step(step: str, how: str, amount: Money) -> StepOut:
    return {"step": step, "words": how, "units": amount.units, "amount": amount.decimal()}
