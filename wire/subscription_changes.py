"""What clients send to change a subscription, and what they get back (wire 6.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kernel.settings import ProrationBehavior
from wire.base import In, Text
from wire.catalog.fields import Period
from wire.fields import Identifier, Instant, ShortText
from wire.quantities import QuantitiesIn


class ChangeIn(QuantitiesIn):
    """A change of a subscription: what is left out stays.

    ``probationBehaviour`` is the deprecated name of ``prorationBehavior``, which wins.
    """

    plan_identifier: Identifier | None = None
    charge_period: Period | None = None
    proration_behavior: ProrationBehavior | None = None
    probation_behaviour: ProrationBehavior | None = None
    trial_end: Literal["now"] | Instant | None = None
    ip_address: ShortText | None = None

    @property
    def behavior(self) -> ProrationBehavior | None:
        """What the change shall cost and when; None is left to the organization."""
        return self.proration_behavior or self.probation_behaviour

    @property
    def trial_ends_at(self) -> datetime | None:
        """When the trial shall end; None: not asked, or now."""
        return self.trial_end if isinstance(self.trial_end, datetime) else None


class UpdateIn(ChangeIn):
    """``paymentBehavior`` makes the change wait for what has to be paid for it.

    ``previewId`` is that of a preview with the same content: the change then costs what was shown.
    """

    preview_id: Annotated[Text, Field(max_length=200)] | None = None
    payment_behavior: Literal["activate_on_payment"] | None = None
    offering_id: ShortText | None = None
    pricing_table_id: ShortText | None = None
    rule_id: ShortText | None = None


class MigrationIn(In):
    """Which part moves to the newest version of the plan; at least one."""

    update_features: bool = False
    update_pricing: bool = False


class UpdatedOut(TypedDict):
    """The subscription that was changed; its id stays."""

    subscriptionId: str


class PreviewLineOut(TypedDict):
    """A line of the next invoice."""

    description: str
    amount: float
    amountUnits: int


class NextInvoiceOut(TypedDict):
    """What the next renewal would bill."""

    amountDue: float
    amountDueUnits: int
    nextPaymentAttempt: str | None
    lineItems: list[PreviewLineOut]


class PreviewOut(TypedDict):
    """What a change would cost; ``previewId`` holds it for 30 minutes."""

    previewId: str
    currency: str
    recurringAmount: float
    recurringAmountUnits: int
    amountChargedImmediately: float
    amountChargedImmediatelyUnits: int
    nextInvoice: NextInvoiceOut | None
