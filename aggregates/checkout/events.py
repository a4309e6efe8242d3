"""Facts about a checkout session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.offer import ProductWords
from kernel.personal import Personal
from kernel.ports.payments import SavedInstrument
from kernel.postal import Address
from kernel.price import TaxBehavior
from kernel.sale import MethodWords, Sale, Totals


class Status(StrEnum):
    """How far a session has come, in the words of the wire (16.2)."""

    ABSENT = "absent"
    OPEN = "open"
    PROCESSING = "processing"
    SUCCESS = "success"
    EXPIRED = "expired"


class Origin(StrEnum):
    """Who made a session: the merchant, or anybody by a public link, who is not to be trusted."""

    API = "api"
    LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is bought; ``plan`` is an identifier, ``quantities`` are by feature identifier."""

    plan: str
    period: ChargePeriod
    quantities: Mapping[str, int] = field(default_factory=dict)
    discount_code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPeriod:
    """A period that a plan was offered for, at its price for the smallest quantities."""

    period: ChargePeriod
    amount: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPlan:
    """A plan as it was offered when the session began."""

    id: UUID
    identifier: str
    name: str
    version: int
    description: str
    trial_days: int
    periods: tuple[OfferedPeriod, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Where the offer was shown (wire 16.1); the last two count only without an offering."""

    offering: UUID | None = None
    pricing_table: UUID | None = None
    rule: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the merchant decided about a session.

    ``periods`` empty: all that the plans have. ``custom_amount`` replaces the plan's price, and
    then nothing but the buyer's details can be changed. ``trial_days`` None: the plan's.
    """

    currency: str
    plans: tuple[str, ...]
    periods: tuple[ChargePeriod, ...] = ()
    custom_amount: Money | None = None
    tax_behavior: TaxBehavior | None = None
    trial_days: int | None = None
    discounts_enabled: bool = True
    lock_email: bool = False
    success_url: str | None = None
    cancel_url: str | None = None
    shown_in: Origins = Origins()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutSessionCreated:
    """A buyer can buy something until ``expires_at``; ``session_id`` is what the address holds.

    ``is_new_customer``: the customer was made with it.
    """

    session_id: str
    customer: UUID
    origin: Origin
    product: ProductWords
    offered: tuple[OfferedPlan, ...]
    terms: Terms
    selection: Selection
    expires_at: datetime
    is_new_customer: bool = False
    email: Personal[str | None] = None
    name: Personal[str | None] = None
    billing_address: Personal[Address | None] = None
    tax_id: Personal[str | None] = None
    metadata: Personal[Mapping[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutDetailsChanged:
    """The buyer entered who it is; all details as they are from now on."""

    email: Personal[str | None] = None
    name: Personal[str | None] = None
    billing_address: Personal[Address | None] = None
    tax_id: Personal[str | None] = None
    custom_fields: Personal[Mapping[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutSelectionChanged:
    """The buyer chose something else."""

    selection: Selection
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutPaymentStarted:
    """The buyer pressed the button: attempt ``attempt`` is under way.

    ``invoice_id`` is what it pays; None: nothing is due yet, the card is only authorized, under
    ``provider_key``. ``card`` is new and saved once this comes about, ``method`` how it is shown.
    ``subscription_id`` is what comes about.
    """

    attempt: int
    subscription_id: UUID
    invoice_id: UUID | None
    method: MethodWords
    reference: str
    provider: str
    provider_key: str
    card: SavedInstrument | None
    currency: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutAuthenticationRequired:
    """The buyer has to confirm the payment with the bank; no money has moved."""

    attempt: int
    message: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutAuthenticationPassed:
    """The buyer confirmed the authorization of the card; it is tried again, ``number`` counts."""

    attempt: int
    number: int
    provider_key: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutPaymentPending:
    """The provider did not tell how the attempt ended; it is asked again.

    ``is_authorization``: by this fact; a payment is asked after by that of its invoice.
    """

    attempt: int
    is_authorization: bool
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutPaymentFailed:
    """The attempt came to nothing and no money moved; the session is open again."""

    attempt: int
    code: str
    message: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutCompleted:
    """Something was bought; ``totals`` are those of the order, all zero for a trial.

    ``method`` None: nothing had to be paid.
    """

    session_id: str
    attempt: int
    sale: Sale
    totals: Totals
    order_id: UUID
    order_number: str
    invoice_id: UUID | None
    method: MethodWords | None
    quantities: Mapping[str, int]
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutExpired:
    """Nobody bought anything in time."""

    session_id: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutAbandoned:
    """Nobody touched the session for a while; it can still be completed."""

    session_id: str
    occurred_at: datetime


CheckoutEvent = (
    CheckoutSessionCreated
    | CheckoutDetailsChanged
    | CheckoutSelectionChanged
    | CheckoutPaymentStarted
    | CheckoutAuthenticationRequired
    | CheckoutAuthenticationPassed
    | CheckoutPaymentPending
    | CheckoutPaymentFailed
    | CheckoutCompleted
    | CheckoutExpired
    | CheckoutAbandoned
)
