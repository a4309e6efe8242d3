"""The arithmetic of an invoice: lines, totals, and what of them is charged (design 7)."""

from __future__ import annotations

from collections.abc import Iterable

from aggregates.invoice.events import BalanceUse
from kernel.lines import InvoiceLine
from kernel.money import Money
from kernel.sale import Totals


def totals_of(lines: Iterable[InvoiceLine], *, discount: Money, tax: Money) -> Totals:
    """Sums of rounded lines: ``subtotal - discount + tax = total``; ``tax`` is not in the lines."""
    currency = tax.currency
    subtotal = Money(sum(line.amount.units for line in lines), currency)
    return Totals(subtotal=subtotal, discount=discount, tax=tax, total=subtotal - discount + tax)


def settle(total: Money, *, balance: Money, minimum: Money) -> BalanceUse:
    """What is charged now, and what the customer's balance takes or gives.

    A credit pays first; a debit is added. What is left is not charged when it is below the
    provider's ``minimum``: it stays on the balance as a debit. A total of 0 charges nothing.
    """
    wanted = total + balance
    if total.units == 0 or wanted.units < max(minimum.units, 1):
        due = Money(0, total.currency)
    else:
        due = wanted
    applied = total - due
    return BalanceUse(starting=balance, applied=applied, ending=balance + applied, due=due)
