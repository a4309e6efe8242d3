"""What the oracle keeps of a life: methods, subscriptions, bills, payments."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction

from tests.oracle.offers import Offer


class Method:
    """A saved method: how its charges end follows from its name alone."""

    def __init__(self, behavior):
        self.behavior = behavior
        self.is_card = not behavior.startswith(("debit", "sepa"))
        self.takes_back = behavior != "no-refunds"
        self.international = behavior in {"works-de", "sepa"}
        self.charges = 0

    def charge(self):
        """``paid``, ``soft``, ``hard`` or ``act`` (the customer has to confirm)."""
        self.charges += 1
        kind, _, number = self.behavior.partition("-")
        if kind == "recovers":
            return "paid" if self.charges > int(number) else "soft"
        if kind in {"pays", "debit"}:
            return "paid" if self.charges <= int(number) else "soft"
        words = {
            "works": "paid",
            "silent_charged": "paid",
            "silent_lost": "paid",
            "silent_declined": "soft",
            "no": "paid",
            "sepa": "paid",
            "declined": "soft",
            "stolen": "hard",
            "authenticate": "act",
        }
        return words[kind]


@dataclass
class Bill:
    """One invoice, in minor units.

    ``back`` of it goes back to the customer, ``credited`` became credit later. ``is_dropped``:
    credit took off all that was owed.
    """

    of: int | None
    currency: str
    recurs: bool
    lines: list[int]
    subtotal: int
    discount: int
    tax: int
    total: int
    starting: int
    applied: int
    due: int
    ending: int
    status: str
    attempts: int = 0
    back: int = 0
    credited: int = 0
    method: Method | None = None
    refunded: int = 0
    refunded_to_method: int = 0
    refunded_tax: int = 0
    is_withdrawn: bool = False
    is_dropped: bool = False
    period: tuple | None = None

    @property
    def is_open(self):
        return self.status != "PAID"

    @property
    def left(self):
        """What was neither given back nor became credit."""
        return max(self.total - self.credited, 0) - self.refunded if self.total > 0 else 0

    @property
    def kept(self):
        """The part of what did not become credit that was not given back."""
        whole = max(self.total - self.credited, 0)
        return Fraction(self.left, whole) if whole else Fraction(1)


@dataclass(frozen=True)
class Payment:
    """A successful payment with its fee, or below zero what was given back."""

    gross: int
    currency: str
    fee: dict
    tax: int


@dataclass
class Pending:
    """A change that holds once its bill is paid."""

    terms: dict
    bill: Bill
    expires_at: datetime
    cycles: list


@dataclass
class Sub:
    """One subscription, or one-time purchase.

    ``charged`` says of each line what was billed for it last, and by which bill. ``sources`` are
    the bills of the present period. ``deferred`` lines wait for the next, ``ahead`` of what
    they credit cannot be refunded already.
    """

    number: int
    offer: Offer
    seats: int
    status: str
    started: datetime
    anchor: datetime
    n: int = 0
    trial_start: datetime | None = None
    trial_end: datetime | None = None
    ends_at: datetime | None = None
    ends_with_period: bool = False
    expires_at: datetime | None = None
    failed_at: datetime | None = None
    retry_at: datetime | None = None
    give_up_at: datetime | None = None
    bill: Bill | None = None
    worth: tuple = ()
    discounts: list = field(default_factory=list)
    offs: list = field(default_factory=list)
    charged: dict = field(default_factory=dict)
    taxed: int = 0
    deferred: list[Fraction] = field(default_factory=list)
    sources: list[Bill] = field(default_factory=list)
    ahead: int = 0
    stretched: tuple | None = None
    paused_at: datetime | None = None
    resumes_at: datetime | None = None
    paused_time: timedelta = timedelta(0)
    accepted: list[datetime] = field(default_factory=list)
    feature_version: int = 1
    pending: Pending | None = None
    pauses: list[tuple] = field(default_factory=list)
    activated: list[tuple | None] = field(default_factory=list)
    freed: list[datetime] = field(default_factory=list)

    @property
    def trialing(self):
        return self.status == "trialing"

    @property
    def is_over(self):
        return self.status in {"canceled", "incomplete_expired"}

    def charge_whole(self, lines):
        """A whole period was billed."""
        self.charged = {key: (units, self.bill) for key, units in enumerate(lines)}

    def exact(self) -> list[Fraction]:
        """The exact units of each line of a whole period."""
        return self.offer.parts(self.seats)


@dataclass
class Books:
    """Everything that is owed and paid."""

    bills: list[Bill] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=dict)
    entries: list[tuple[str, int]] = field(default_factory=list)
    processed: dict[str, int] = field(default_factory=dict)

    def move(self, currency, units):
        """Change a balance; negative is the customer's credit."""
        self.balances[currency] = self.balances.get(currency, 0) + units
        if units:
            self.entries.append((currency, units))
