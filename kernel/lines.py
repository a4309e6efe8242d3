"""Lines of invoices: rounded once, with exact figures and the fact they came from (design 7)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from kernel.interval import Period
from kernel.money import Money


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """The fact whose price a line bills: a stream and the version of the fact in it."""

    stream: UUID
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceLine:
    """One line, rounded once: ``numerator/denominator`` are its exact minor units.

    ``unit_price`` is a decimal string in major units. ``feature`` None is the base price.
    """

    name: str
    description: str
    quantity: int
    unit_price: str
    amount: Money
    numerator: int
    denominator: int
    period: Period | None
    feature: str | None
    origin: LineOrigin
