"""The checkout session and its timeline as clients read them (wire 16.2)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from kernel.sale import BillingType
from wire.amounts import decimal, symbol
from wire.customer import AddressOut, CustomerCopy, address_out, customer_copy
from wire.invoice import MethodOut, SumsOut, method_out, sums_out
from wire.subscription import ProductOut, SubscriptionBrief, product_out
from wire.times import seconds


class CheckoutSessionOut(TypedDict):
    """A session as lists show it."""

    id: str
    customer: CustomerCopy
    product: ProductOut
    billingAddress: AddressOut | None
    discountCode: str | None
    taxId: str | None
    currency: str
    currencySymbol: str
    status: Literal["open", "processing", "success", "expired"]
    createdOn: str
    selectedData: dict[str, Any]
    offeringData: dict[str, Any]
    data: dict[str, Any]
    customFieldsData: dict[str, Any]
    metadata: dict[str, Any]
    customization: dict[str, Any]
    trialPeriod: int


class CheckoutOrderOut(SumsOut):
    """The order that a session led to."""

    id: str
    status: str
    paidAt: str | None
    createdOn: str
    billingType: BillingType | None
    isTrial: bool
    saleCurrency: str
    saleCurrencySymbol: str
    invoiceId: str | None


class CheckoutSessionDetailsOut(CheckoutSessionOut):
    """One session, with what it led to."""

    order: CheckoutOrderOut | None
    subscription: SubscriptionBrief | None
    paymentMethod: MethodOut | None


class CheckoutEventOut(TypedDict):
    """An entry of a session's timeline."""

    id: int
    title: str
    code: str
    status: Literal["pending", "success", "failed"]
    timestamp: str
    metadata: dict[str, Any]


def session_out(doc: dict[str, Any]) -> CheckoutSessionOut:
    """The session record."""
    address = doc["billing_address"]
    return {
        "id": doc["session_id"],
        "customer": customer_copy(
            {
                "customer_id": doc["customer_id"],
                "name": doc["customer_name"],
                "email": doc["customer_email"],
            }
        ),
        "product": product_out(doc["product"]),
        "billingAddress": None if address is None else address_out(address),
        "discountCode": doc["discount_code"],
        "taxId": doc["tax_id"],
        "currency": doc["currency"].lower(),
        "currencySymbol": symbol(doc["currency"]),
        "status": doc["status"],
        "createdOn": seconds(doc["created_on"]),
        "selectedData": _selected(doc),
        "offeringData": _offering(doc),
        "data": data_of(doc),
        "customFieldsData": doc["custom_fields_data"],
        "metadata": doc["metadata"],
        "customization": doc["customization"],
        "trialPeriod": _trial_period(doc),
    }


def session_details_out(
    doc: dict[str, Any], *, order: Any, subscription: Any
) -> CheckoutSessionDetailsOut:
    """The same with what it led to; order and subscription are the reader's to say."""
    return {
        **session_out(doc),
        "order": order,
        "subscription": subscription,
        "paymentMethod": method_out(doc["payment_method"]),
    }


def data_of(doc: dict[str, Any]) -> dict[str, Any]:
    """What the session was made with and what was entered."""
    terms = doc["terms"]
    amount = terms["custom_amount"]
    return {
        "name": doc["name"],
        "email": doc["email"],
        "successUrl": terms["success_url"],
        "cancelUrl": terms["cancel_url"],
        "taxBehavior": terms["tax_behavior"],
        "customAmount": None if amount is None else decimal(amount["units"], amount["currency"]),
        "discountsEnabled": terms["discounts_enabled"],
        "lockEmail": terms["lock_email"],
        "plansEnabled": terms["plans"],
        "billingPeriodsEnabled": terms["periods"],
        "referer": None,
        "expiresAt": seconds(doc["expires_at"]),
    }


def order_part(order: dict[str, Any]) -> CheckoutOrderOut:
    """The order in short."""
    return {
        "id": order["number"],
        "status": order["status"],
        "paidAt": seconds(order["paid_at"]),
        "createdOn": seconds(order["created_on"]),
        "billingType": order["billing_type"],
        "isTrial": order["is_trial"],
        **sums_out(order),
        "saleCurrency": order["currency"],
        "saleCurrencySymbol": symbol(order["currency"]),
        "invoiceId": order["invoice_number"],
    }


def event_out(doc: dict[str, Any]) -> CheckoutEventOut:
    """One entry of the timeline."""
    return {
        "id": doc["id"],
        "title": doc["title"],
        "code": doc["code"],
        "status": doc["status"],
        "timestamp": seconds(doc["at"]),
        "metadata": doc["metadata"],
    }


def _selected(doc: dict[str, Any]) -> dict[str, Any]:
    chosen = doc["selected"]
    named = {plan["identifier"]: plan for plan in doc["offered"]}.get(chosen["plan"])
    return {
        "plan": {"identifier": chosen["plan"], "name": named["name"] if named else None},
        "chargePeriod": chosen["charge_period"],
        "features": [
            {"identifier": identifier, "quantity": quantity}
            for identifier, quantity in chosen["quantities"].items()
        ],
    }


def _offering(doc: dict[str, Any]) -> dict[str, Any]:
    shown = doc["terms"]["shown_in"]
    return {
        "offeringId": shown["offering"],
        "pricingTableId": shown["pricing_table"],
        "ruleId": shown["rule"],
        "plans": [
            {
                "identifier": plan["identifier"],
                "name": plan["name"],
                "description": plan["description"],
                "version": plan["version"],
                "trialPeriod": plan["trial_days"],
                "prices": [
                    {
                        "chargePeriod": each["charge_period"],
                        "amount": decimal(each["amount_units"], doc["currency"]),
                        "currency": doc["currency"],
                    }
                    for each in plan["periods"]
                ],
            }
            for plan in doc["offered"]
        ],
    }


def _trial_period(doc: dict[str, Any]) -> int:
    days = doc["terms"]["trial_days"]
    if days is not None:
        return int(days)
    chosen = doc["selected"]["plan"]
    return next((p["trial_days"] for p in doc["offered"] if p["identifier"] == chosen), 0)
