"""Invoice lines in words a customer understands, with the exact figures behind them."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from uuid import UUID

from aggregates.subscription.contract import Contract
from kernel.interval import INTERVALS, ChargePeriod, Period
from kernel.lines import InvoiceLine, LineOrigin, unit_price
from kernel.money import decimal_string
from kernel.offer import OfferLine
from kernel.sale import BillingType, Sale, SoldPlan, SoldSubscription


_MICROSECOND = timedelta(microseconds=1)
_CADENCE = {
    ChargePeriod.ONE_TIME: "One-time purchase",
    ChargePeriod.DAILY: "Daily",
    ChargePeriod.WEEKLY: "Weekly",
    ChargePeriod.TWENTY_EIGHT_DAYS: "Every 28 days",
    ChargePeriod.MONTHLY: "Monthly",
    ChargePeriod.THREE_MONTHS: "Every 3 months",
    ChargePeriod.SIX_MONTHS: "Every 6 months",
    ChargePeriod.YEARLY: "Yearly",
}
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def sale_of(subscription_id: UUID, customer: UUID, contract: Contract) -> Sale:
    """What documents about this contract copy."""
    terms = contract.terms
    recurs = terms.period in INTERVALS
    return Sale(
        customer=customer,
        product=terms.product,
        plan=SoldPlan(
            id=terms.plan.id,
            identifier=terms.plan.identifier,
            name=terms.plan.name,
            version=terms.plan.version,
            description=terms.plan.description,
        ),
        billing_type=BillingType.SUBSCRIPTION if recurs else BillingType.ONE_TIME,
        subscription=SoldSubscription(
            id=subscription_id, amount=contract.amount, period=terms.period
        ),
    )


def full_lines(
    contract: Contract, period: Period | None, origin: LineOrigin
) -> tuple[InvoiceLine, ...]:
    """The lines of one whole period, or of a one-time sale."""
    cadence = _CADENCE[contract.terms.period]
    when = cadence if period is None else f"{cadence}, {days(period)}"
    return tuple(_line(line, when, period, origin) for line in contract.terms.lines)


def days(period: Period) -> str:
    """First and last day of a half-open period: ``1 Mar 2025 to 31 Mar 2025``."""
    first, last = _day(period.start), _day(period.end - _MICROSECOND)
    return first if first == last else f"{first} to {last}"


def units(quantity: int) -> str:
    """How many of a feature: ``1 unit``, ``1,000 units``."""
    return "1 unit" if quantity == 1 else f"{quantity:,} units"


def _line(line: OfferLine, when: str, period: Period | None, origin: LineOrigin) -> InvoiceLine:
    currency = line.amount.currency
    exact = Fraction(line.numerator, line.denominator)
    unit = unit_price(exact / line.quantity, currency) if line.quantity else None
    many = f"{units(line.quantity)}, {when[0].lower()}{when[1:]}"
    return InvoiceLine(
        name=line.description,
        description=when if unit is not None else many,
        quantity=line.quantity if unit is not None else 1,
        unit_price=unit or decimal_string(line.amount.units, currency),
        amount=line.amount,
        numerator=line.numerator,
        denominator=line.denominator,
        period=period,
        feature=line.feature,
        origin=origin,
    )


def _day(instant: datetime) -> str:
    return f"{instant.day} {_MONTHS[instant.month - 1]} {instant.year}"
