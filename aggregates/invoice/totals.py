"""The arithmetic of an invoice: lines, discounts, tax, and what of it is charged (design 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from aggregates.invoice.events import BalanceUse
from kernel.discount import AppliedDiscount, DiscountTerms
from kernel.lines import InvoiceLine, unit_price
from kernel.money import Money, round_half_away, split_units
from kernel.sale import Totals
from kernel.tax import UNTAXED, AppliedTax, TaxTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """An invoice that adds up: its lines with their shares of discounts, and the totals."""

    lines: tuple[InvoiceLine, ...]
    discounts: tuple[AppliedDiscount, ...]
    taxes: tuple[AppliedTax, ...]
    totals: Totals


def add_up(
    lines: Iterable[InvoiceLine],
    *,
    currency: str,
    discounts: Sequence[DiscountTerms] = (),
    tax: TaxTerms | None = None,
    taxed: Mapping[TaxTerms, int] | None = None,
) -> Sums:
    """Lines, then percentages, then fixed discounts capped at what is left, then tax (design 7).

    ``tax`` is for the lines that do not say how they are taxed. Prorated lines keep out of the
    discounts. ``taxed`` is the tax per rate that was invoiced before and may be given back; None:
    nobody asks.
    """
    with_tax = tuple(_taxed(line, tax) for line in lines)
    discounted, applied = _discount(with_tax, discounts, currency)
    taxes = _taxes(discounted, currency, taxed)
    return Sums(
        lines=discounted,
        discounts=applied,
        taxes=taxes,
        totals=_totals(discounted, taxes, currency),
    )


def settle(total: Money, *, balance: Money, minimum: Money) -> BalanceUse:
    """What is charged now, and what the customer's balance takes or gives.

    A credit pays first; a debit is added. What is left is not charged when it is below the
    provider's ``minimum``: it stays on the balance as a debit. Without a positive total nothing is
    charged: a credit goes to the balance whole, also to one that is a debit.
    """
    wanted = total + balance
    if total.units <= 0 or wanted.units < max(minimum.units, 1):
        due = Money(0, total.currency)
    else:
        due = wanted
    applied = total - due
    return BalanceUse(starting=balance, applied=applied, ending=balance + applied, due=due)


def spare(total: Money, *, balance: Money, minimum: Money) -> BalanceUse:
    """The same for a buyer who may not spend the customer's balance: it is as if there was none."""
    alone = settle(total, balance=Money(0, total.currency), minimum=minimum)
    return replace(alone, starting=balance, ending=balance + alone.applied)


def in_order(discounts: Iterable[DiscountTerms]) -> list[DiscountTerms]:
    """Percentages first, then fixed amounts; among each other as they were attached."""
    return sorted(discounts, key=lambda discount: discount.off.percentage is None)


def _taxed(line: InvoiceLine, tax: TaxTerms | None) -> InvoiceLine:
    terms = line.tax or tax
    if terms is None or terms == UNTAXED:
        return replace(line, tax=None)
    factor = terms.price_factor
    return replace(_times(line, factor) if factor != 1 else line, tax=terms)


def _times(line: InvoiceLine, factor: Fraction) -> InvoiceLine:
    """A line at another price, rounded once from its exact figure."""
    exact = Fraction(line.numerator, line.denominator) * factor
    amount = Money(round_half_away(exact), line.amount.currency)
    each = None
    if line.quantity > 1:
        each = unit_price(exact / line.quantity, amount.currency)
    many = line.quantity > 1 and each is None
    return replace(
        line,
        description=f"{line.quantity:,} units, {line.description}" if many else line.description,
        quantity=1 if many else line.quantity,
        unit_price=each or amount.decimal(),
        amount=amount,
        numerator=exact.numerator,
        denominator=exact.denominator,
        part=line.part and line.part.at(factor),
    )


def _discount(
    lines: tuple[InvoiceLine, ...], discounts: Sequence[DiscountTerms], currency: str
) -> tuple[tuple[InvoiceLine, ...], tuple[AppliedDiscount, ...]]:
    """Each discount is rounded once, of what the ones before it left, and shared out."""
    places = [i for i, line in enumerate(lines) if not line.is_prorated]
    left = [max(lines[i].amount.units, 0) for i in places]
    if not discounts or not places:
        return lines, ()
    applied = []
    for discount in in_order(discounts):
        taken = _taken(discount, sum(left))
        left = [units - part for units, part in zip(left, split_units(taken, left), strict=True)]
        applied.append(
            AppliedDiscount(
                id=discount.id,
                name=discount.name,
                code=discount.code,
                off=discount.off,
                amount=Money(taken, currency),
            )
        )
    shared = list(lines)
    for i, units in zip(places, left, strict=True):
        share = max(lines[i].amount.units, 0) - units
        shared[i] = replace(lines[i], discount=Money(share, currency))
    return tuple(shared), tuple(applied)


def _taken(discount: DiscountTerms, left: int) -> int:
    if discount.off.percentage is not None:
        return round_half_away(Fraction(left * discount.off.percentage, 100))
    return min(left, discount.off.amount.units if discount.off.amount else 0)


def _taxes(
    lines: Iterable[InvoiceLine], currency: str, taxed: Mapping[TaxTerms, int] | None
) -> tuple[AppliedTax, ...]:
    """One per rate; no more is given back at a rate than was taken at it."""
    bases: dict[TaxTerms, int] = {}
    for line in lines:
        if line.tax is not None:
            bases[line.tax] = bases.get(line.tax, 0) + line.discounted
    units = {terms: terms.tax_on(base) for terms, base in bases.items()}
    if taxed is not None:
        units = {terms: max(tax, -taxed.get(terms, 0)) for terms, tax in units.items()}
    return tuple(
        AppliedTax(terms=terms, base=Money(base, currency), amount=Money(units[terms], currency))
        for terms, base in bases.items()
    )


def _totals(lines: Iterable[InvoiceLine], taxes: Iterable[AppliedTax], currency: str) -> Totals:
    lines, taxes = tuple(lines), tuple(taxes)
    subtotal = sum(line.amount.units for line in lines)
    left = sum(line.discounted for line in lines)
    added = sum(tax.amount.units for tax in taxes if not tax.terms.is_inclusive)
    return Totals(
        subtotal=Money(subtotal, currency),
        discount=Money(subtotal - left, currency),
        tax=Money(sum(tax.amount.units for tax in taxes), currency),
        total=Money(left + added, currency),
    )
