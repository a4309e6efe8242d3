"""What can happen in a life: plain values, so that a failing life can be printed and kept."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Card:
    """A method is saved and becomes the default: ``works``, ``declined``, ``recovers-2``, ..."""

    behavior: str


@dataclass(frozen=True)
class Discount:
    """``percent`` off, else ``units``; for so many periods, None for ever."""

    percent: int | None
    units: int = 0
    cycles: int | None = 1


@dataclass(frozen=True)
class Subscribe:
    """Buy an offer; ``days_ago`` backdates the start, ``trial_days`` None is the plan's own.

    ``custom`` is a price of its own, in major units.
    """

    plan: str
    period: str
    currency: str = "USD"
    seats: int | None = None
    days_ago: int = 0
    bill_past: bool = True
    trial_days: int | None = None
    discount: Discount | None = None
    custom: str | None = None


@dataclass(frozen=True)
class Cancel:
    """End the n-th subscription."""

    number: int
    type: str = "CURRENT_PERIOD_ENDS"
    on: date | None = None
    credit: bool = False


@dataclass(frozen=True)
class Reactivate:
    """Take a scheduled end of the n-th subscription back."""

    number: int


@dataclass(frozen=True)
class Until:
    """Time passes; every timer on the way fires when it is due."""

    instant: datetime


@dataclass(frozen=True)
class Jump:
    """Nothing runs until then; what was missed is made up for."""

    instant: datetime


@dataclass(frozen=True)
class Crash:
    """The process dies before the n-th append from now, and starts again."""

    appends: int


@dataclass(frozen=True)
class Update:
    """Change the n-th subscription to another plan, period or number of seats.

    ``trial`` is where its trial is to end: in so many days, 0 for ``now``; None says nothing of it.
    ``waits``: only once it is paid (activate_on_payment).
    """

    number: int
    plan: str
    period: str
    seats: int | None = None
    behavior: str = "IMMEDIATE_CHARGE"
    trial: int | None = None
    waits: bool = False


@dataclass(frozen=True)
class Pause:
    """Neither bill nor serve the n-th subscription for some months."""

    number: int
    months: int


@dataclass(frozen=True)
class Resume:
    """End a pause early."""

    number: int


@dataclass(frozen=True)
class Refund:
    """Give back of the n-th bill so many units, None for all that is left."""

    bill: int
    units: int | None = None


@dataclass(frozen=True)
class Charge:
    """Sell something once; ``amount`` in major units replaces its price."""

    amount: str | None = None
    inclusive: bool | None = None


@dataclass(frozen=True)
class Adjust:
    """Somebody changes a balance by hand; negative units are the customer's credit."""

    units: int
    currency: str = "USD"


@dataclass(frozen=True)
class Accept:
    """Take the retention offer of one type for the n-th subscription."""

    number: int
    offer: str
    months: int | None = None


@dataclass(frozen=True)
class Publish:
    """The plan that ages gets its next version."""


@dataclass(frozen=True)
class Migrate:
    """Move the n-th subscription to the newest version of its plan."""

    number: int
    features: bool
    pricing: bool
