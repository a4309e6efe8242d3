"""The order and its timeline as clients read them (wire 13)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from kernel.sale import BillingType
from wire.amounts import symbol
from wire.customer import AddressOut, CustomerCopy, address_out, customer_copy
from wire.invoice import MethodOut, SumsOut, method_out, sums_out
from wire.subscription import (
    ProductOut,
    SoldPlanOut,
    SoldSubscriptionOut,
    plan_out,
    product_out,
)
from wire.times import seconds


class OrderOut(SumsOut):
    """An order."""

    id: str
    customer: CustomerCopy
    product: ProductOut
    plan: SoldPlanOut
    status: str
    paidAt: str | None
    refundedTotalUnits: int
    saleCurrency: str
    saleCurrencySymbol: str
    billingAddress: AddressOut
    billingType: BillingType
    license: list[dict[str, Any]]
    isTrial: bool
    isRenewal: bool
    subscription: SoldSubscriptionOut
    invoiceId: str | None
    customFieldsData: dict[str, Any]
    paymentMethod: MethodOut | None
    createdOn: str
    modifiedOn: str


class OrderEventMetadata(TypedDict):
    """The amount and the detail that go with an entry."""

    primary: str | None
    secondary: str | None


class OrderEventOut(TypedDict):
    """An entry of an order's timeline."""

    id: int
    order: str
    title: str
    code: str
    status: Literal["pending", "success", "failed"]
    timestamp: str
    metadata: OrderEventMetadata


def order_out(doc: dict[str, Any], *, subscription: SoldSubscriptionOut, licenses: Any) -> OrderOut:
    """The order record; the subscription's status and the license are the reader's to say."""
    return {
        "id": doc["number"],
        "customer": customer_copy(doc["customer"]),
        "product": product_out(doc["product"]),
        "plan": plan_out(doc["plan"]),
        "status": doc["status"],
        "paidAt": seconds(doc["paid_at"]),
        **sums_out(doc),
        "refundedTotalUnits": doc["refunded_total_units"],
        "saleCurrency": doc["currency"],
        "saleCurrencySymbol": symbol(doc["currency"]),
        "billingAddress": address_out(doc["customer"]["billing_address"]),
        "billingType": doc["billing_type"],
        "license": licenses,
        "isTrial": doc["is_trial"],
        "isRenewal": doc["is_renewal"],
        "subscription": subscription,
        "invoiceId": doc["invoice_number"],
        "customFieldsData": doc["custom_fields_data"],
        "paymentMethod": method_out(doc["payment_method"]),
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def order_event_out(doc: dict[str, Any]) -> OrderEventOut:
    """One entry of the timeline."""
    return {
        "id": doc["id"],
        "order": doc["order_number"],
        "title": doc["title"],
        "code": doc["code"],
        "status": doc["status"],
        "timestamp": seconds(doc["at"]),
        "metadata": doc["metadata"],
    }
