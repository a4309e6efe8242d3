"""From the lines of an invoice to what is due, one step at a time."""

from __future__ import annotations

from collections.abc import Iterable

from typing_extensions import TypedDict

from aggregates.invoice.events import BalanceUse, InvoiceCreated
from kernel.money import Money


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


def _discounts(created: InvoiceCreated) -> list[StepOut]:
    discount = created.totals.discount
    return [_step("discount", f"{discount.units} taken off", discount)] if discount.units else []


def _taxes(created: InvoiceCreated) -> list[StepOut]:
    tax = created.totals.tax
    return [_step("tax", f"{tax.units} of tax", tax)] if tax.units else []


def _total(created: InvoiceCreated) -> str:
    totals = created.totals
    words = str(totals.subtotal.units)
    if totals.discount.units:
        words += f" - {totals.discount.units}"
    if added := totals.total.units - totals.subtotal.units + totals.discount.units:
        words += f" + {added}"
    return f"{words} = {totals.total.units}"


def _balance(use: BalanceUse) -> str:
    moved = f"{use.starting.units} + {use.applied.units} = {use.ending.units}"
    if use.starting.units == use.applied.units == 0:
        return "The customer's balance is 0."
    return f"The customer's balance (negative: a credit) goes from start to end: {moved}"


def _due(created: InvoiceCreated) -> str:
    use, total = created.balance, created.totals.total.units
    return f"{total} - {use.applied.units} = {use.due.units}"


def _sum(units: Iterable[int]) -> str:
    every = list(units)
    if len(every) > MOST_SUMMANDS:
        return f"the sum of {len(every)} rounded lines = {sum(every)}"
    shown = " + ".join(f"({one})" if one < 0 else str(one) for one in every)
    return f"{shown} = {sum(every)}" if len(every) != 1 else f"{sum(every)}"


def _step(step: str, words: str, amount: Money) -> StepOut:
    return {"step": step, "words": words, "units": amount.units, "amount": amount.decimal()}
