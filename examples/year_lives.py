"""What every customer of the example year does, and what each should pay for it.

Nothing here comes from the engine: own calendar, own dunning, own arithmetic with fractions. It is
what a careful accountant would write down who knows the price list and the rules of the house.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction


RETRY_DAYS = (1, 2, 3, 5, 7, 9, 11, 14)
HARD_DECLINE_DAYS = 14
INCOMPLETE_HOURS = 24
PERIOD_MONTHS = {"MONTHLY": 1, "THREE_MONTHS": 3, "SIX_MONTHS": 6, "YEARLY": 12}
PERIOD_DAYS = {"DAILY": 1, "WEEKLY": 7, "TWENTY_EIGHT_DAYS": 28}


@dataclass(frozen=True)
class Offer:
    """What a plan costs per period: ``base`` and ``per_seat`` in major units, exactly."""

    plan: str
    period: str
    currency: str
    exponent: int
    base: Fraction
    seat_feature: str | None = None
    per_seat: Fraction = Fraction(0)
    trial_days: int = 0

    def units(self, seats: int) -> int:
        """The price of one period in minor units; it must come out whole."""
        amount = (self.base + seats * self.per_seat) * 10**self.exponent
        if amount.denominator != 1:
            raise ValueError(f"{self.plan} costs {amount} minor units")
        return amount.numerator


@dataclass(frozen=True)
class Step:
    """Something the customer does at an instant: ``card``, ``cancel`` or ``reactivate``."""

    at: datetime
    action: str
    detail: str = ""


@dataclass
class Life:
    """One customer from the first day on; ``card`` is what is saved before subscribing."""

    customer: str
    start: datetime
    offer: Offer
    card: str | None
    seats: int = 0
    steps: list[Step] = field(default_factory=list)
    subscription: str = ""


@dataclass
class Bill:
    """One invoice as it should be at the end of the year."""

    created: datetime
    units: int
    paid_at: datetime | None = None
    failures: int = 0


@dataclass
class Expected:
    """How a life should have come out."""

    status: str
    bills: list[Bill]

    @property
    def paid_units(self) -> int:
        """Everything that was collected."""
        return sum(bill.units for bill in self.bills if bill.paid_at)


class Card:
    """A test card: fails as often as its name says, or for ever, or for good."""

    def __init__(self, name: str) -> None:
        """Take the token of the test card table."""
        self.name = name
        self.failures_left = int(name.rsplit("-", 1)[1]) if "recovers" in name else 0

    def charge(self) -> str:
        """``ok``, ``soft`` or ``hard``."""
        if self.name == "tok_declined":
            return "soft"
        if self.name == "tok_stolen":
            return "hard"
        if self.failures_left:
            self.failures_left -= 1
            return "soft"
        return "ok"


def boundary(anchor: datetime, period: str, n: int) -> datetime:
    """The n-th period boundary, always counted from the anchor and clamped to the month."""
    if period in PERIOD_DAYS:
        return anchor + timedelta(days=PERIOD_DAYS[period] * n)
    month = anchor.month - 1 + PERIOD_MONTHS[period] * n
    year, month = anchor.year + month // 12, month % 12 + 1
    return anchor.replace(
        year=year, month=month, day=min(anchor.day, calendar.monthrange(year, month)[1])
    )


class Accountant:
    """Lives through one life, instant by instant."""

    def __init__(self, life: Life, until: datetime) -> None:
        """``until`` is where the year ends; what is due at that very instant has happened."""
        self.life = life
        self.until = until
        self.card = Card(life.card) if life.card else None
        self.bills: list[Bill] = []
        self.status = "active"
        self.anchor = life.start
        self.period = 0
        self.failed_at: datetime | None = None
        self.retries: list[datetime] = []
        self.ends_at: datetime | None = None

    def account(self) -> Expected:
        """Everything up to the end of the year."""
        offer = self.life.offer
        if offer.period == "ONE_TIME":
            self._first_bill()
            return Expected(self.status, self.bills)
        if offer.trial_days:
            self.status = "trialing"
            self.anchor = self.life.start + timedelta(days=offer.trial_days)
            self.period = -1
        else:
            self._first_bill()
        self._live()
        return Expected(self.status, self.bills)

    def _first_bill(self) -> None:
        if not self._bill(self.life.start):
            lapses = self.life.start + timedelta(hours=INCOMPLETE_HOURS)
            self.status = "incomplete_expired" if lapses <= self.until else "incomplete"

    def _live(self) -> None:
        steps = list(self.life.steps)
        while self.status in {"active", "trialing", "past_due"}:
            at, what = min(self._due(steps))
            if at > self.until:
                return
            if what == 0:
                self._do(steps.pop(0))
            elif what == 1:
                self.status = "canceled"
            elif what == 2:
                self._retry(self.retries.pop(0))
            else:
                self._next_period(at)

    def _due(self, steps: list[Step]) -> list[tuple[datetime, int]]:
        """What comes next, in the order of one instant: the customer, the end, retries, renewal."""
        due = [(boundary(self.anchor, self.life.offer.period, self.period + 1), 3)]
        if steps:
            due.append((steps[0].at, 0))
        if self.ends_at:
            due.append((self.ends_at, 1))
        if self.retries:
            due.append((self.retries[0], 2))
        return due

    def _do(self, step: Step) -> None:
        if step.action == "card":
            self.card = Card(step.detail)
            if self.status == "past_due":
                self._collect(step.at)
        elif step.action == "reactivate":
            self.ends_at = None
        elif step.detail == "IMMEDIATE":
            self.status = "canceled"
        elif step.detail == "CURRENT_PERIOD_ENDS":
            self.ends_at = boundary(self.anchor, self.life.offer.period, self.period + 1)
        else:
            day = date.fromisoformat(step.detail)
            self.ends_at = datetime(day.year, day.month, day.day, tzinfo=step.at.tzinfo)

    def _next_period(self, at: datetime) -> None:
        self.period += 1
        if self.status == "trialing":
            self.status = "active"
        if not self._bill(at) and self.status != "past_due":
            self._fall_behind(at)

    def _fall_behind(self, at: datetime) -> None:
        self.status = "past_due"
        self.failed_at = at
        if self.outcome == "soft":
            self.retries = [at + timedelta(days=days) for days in RETRY_DAYS]
        else:
            self.ends_at = at + timedelta(days=HARD_DECLINE_DAYS)

    def _bill(self, at: datetime) -> bool:
        bill = Bill(at, self.life.offer.units(self.life.seats))
        self.bills.append(bill)
        return bill.units == 0 or self._charge(bill, at)

    def _charge(self, bill: Bill, at: datetime) -> bool:
        self.outcome = self.card.charge() if self.card else "hard"
        if self.outcome == "ok":
            bill.paid_at = at
        elif self.card:
            bill.failures += 1
        return self.outcome == "ok"

    def _retry(self, at: datetime) -> None:
        if not self._collect(at) and not self.retries:
            self.status = "canceled"

    def _collect(self, at: datetime) -> bool:
        """Try everything that is open, oldest first."""
        for bill in self.bills:
            if not bill.paid_at and bill.units and not self._charge(bill, at):
                return False
        self.status = "active"
        self.retries = []
        self.ends_at = None
        return True
