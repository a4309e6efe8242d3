"""The refund as clients send and read it (spec: Refund, wire 14)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from aggregates.refund.events import Status
from kernel.money import MAX_UNITS
from kernel.refund import RefundReason
from wire.amounts import number
from wire.base import In, Text
from wire.fields import Identifier
from wire.order import OrderOut
from wire.times import seconds


AskedReason = Literal[
    RefundReason.DUPLICATE,
    RefundReason.FRAUDULENT,
    RefundReason.REQUESTED_BY_CUSTOMER,
    RefundReason.OTHER,
]
"""What a client may give as the reason."""


class RefundIn(In):
    """A new refund; ``amountUnits`` wins over ``amount``, without both all that is left."""

    order_id: Identifier
    amount_units: Annotated[int, Field(ge=1, lt=MAX_UNITS, strict=True)] | None = None
    amount: Annotated[Decimal, Field(gt=0, lt=MAX_UNITS)] | None = None
    reason: AskedReason = RefundReason.REQUESTED_BY_CUSTOMER
    internal_note: Annotated[Text, Field(max_length=5_000)] | None = None


class RefundOut(TypedDict):
    """A refund; amounts are gross: ``amount = net + tax``."""

    id: str
    reason: RefundReason | None
    amount: float
    amountUnits: int
    taxUnits: int
    netUnits: int
    paymentMethodUnits: int
    balanceUnits: int
    currency: str
    internalNote: str | None
    failureReason: str | None
    status: Status
    order: OrderOut
    createdOn: str
    modifiedOn: str


def refund_out(doc: dict[str, Any], *, order: Any) -> RefundOut:
    """The refund record; the order is the reader's to say."""
    return {
        "id": doc["id"],
        "reason": doc["reason"],
        "amount": number(doc["amount_units"], doc["currency"]),
        "amountUnits": doc["amount_units"],
        "taxUnits": doc["tax_units"],
        "netUnits": doc["amount_units"] - doc["tax_units"],
        "paymentMethodUnits": doc["method_units"],
        "balanceUnits": doc["amount_units"] - doc["method_units"],
        "currency": doc["currency"],
        "internalNote": doc["internal_note"],
        "failureReason": doc["failure_reason"],
        "status": doc["status"],
        "order": order,
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }
