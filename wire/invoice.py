"""The invoice as clients read it (spec: Invoice, wire 4)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from kernel.sale import BillingType
from wire.amounts import decimal, symbol
from wire.customer import AddressOut, CustomerCopy, address_out, customer_copy
from wire.reductions import DiscountPartOut, TaxPartOut, discount_part_out, tax_part_out
from wire.subscription import SoldSubscriptionOut
from wire.times import seconds


class ProductName(TypedDict):
    """A product in two words."""

    id: str
    name: str


class PlanName(TypedDict):
    """A plan in two words."""

    name: str
    identifier: str


class SumsOut(TypedDict):
    """The four sums of a document: decimal strings in major, integers in minor units."""

    amountSubtotal: str
    amountDiscount: str
    amountTax: str
    amountTotal: str
    amountSubtotalUnits: int
    amountDiscountUnits: int
    amountTaxUnits: int
    amountTotalUnits: int


class LineOut(TypedDict):
    """A line of an invoice."""

    name: str
    description: str
    quantity: int
    unitPrice: str
    subTotal: str


class DetailsOut(TypedDict):
    """The lines, what was taken off and added, and what the balance did to the total."""

    lines: list[LineOut]
    discounts: list[DiscountPartOut]
    taxes: list[TaxPartOut]
    amountDue: str
    appliedBalance: str
    startingBalance: str
    endingBalance: str


class FailureOut(TypedDict):
    """Why the newest attempt failed."""

    code: str
    message: str
    paymentMethodType: str | None


class MethodOut(TypedDict):
    """The payment method that was used."""

    paymentMethodType: str
    paymentMethodName: str | None
    last4: str | None


class InvoiceOut(SumsOut):
    """An invoice."""

    id: str
    customer: CustomerCopy
    product: ProductName
    status: Literal["OPEN", "PAID", "PAYMENT_FAILED"]
    paidAt: str | None
    currency: str
    currencySymbol: str
    billingAddress: AddressOut
    plan: PlanName
    billingType: BillingType
    license: list[dict[str, Any]]
    subscription: SoldSubscriptionOut
    paymentId: str | None
    paymentLink: str | None
    createdOn: str
    modifiedOn: str
    dueDate: str | None
    attemptCount: int
    nextPaymentAttempt: str | None
    failureDetails: FailureOut | None
    customFieldsData: dict[str, Any]
    details: DetailsOut
    paymentMethod: MethodOut | None


SUMS = ("subtotal", "discount", "tax", "total")


def invoice_out(
    doc: dict[str, Any], *, subscription: SoldSubscriptionOut, payment_link: Any, licenses: Any
) -> InvoiceOut:
    """The invoice record; subscription, link and license are the reader's to say."""
    return {
        "id": doc["number"],
        "customer": customer_copy(doc["customer"]),
        "product": {"id": doc["product"]["id"], "name": doc["product"]["name"]},
        "status": doc["status"],
        "paidAt": seconds(doc["paid_at"]),
        **sums_out(doc),
        "currency": doc["currency"],
        "currencySymbol": symbol(doc["currency"]),
        "billingAddress": address_out(doc["customer"]["billing_address"]),
        "plan": {"name": doc["plan"]["name"], "identifier": doc["plan"]["identifier"]},
        "billingType": doc["billing_type"],
        "license": licenses,
        "subscription": subscription,
        "paymentId": doc["payment_id"],
        "paymentLink": payment_link,
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
        "dueDate": seconds(doc["due_at"]),
        "attemptCount": doc["attempt_count"],
        "nextPaymentAttempt": seconds(doc["next_payment_attempt"]),
        "failureDetails": failure_out(doc["failure"]),
        "customFieldsData": doc["custom_fields_data"],
        "details": details_out(doc),
        "paymentMethod": method_out(doc["payment_method"]),
    }


def sums_out(doc: dict[str, Any]) -> SumsOut:
    """The four sums as decimal strings and as minor units."""
    currency = doc["currency"]
    subtotal, discount, tax, total = (doc[f"amount_{name}_units"] for name in SUMS)
    return {
        "amountSubtotal": decimal(subtotal, currency),
        "amountDiscount": decimal(discount, currency),
        "amountTax": decimal(tax, currency),
        "amountTotal": decimal(total, currency),
        "amountSubtotalUnits": subtotal,
        "amountDiscountUnits": discount,
        "amountTaxUnits": tax,
        "amountTotalUnits": total,
    }


def details_out(doc: dict[str, Any]) -> DetailsOut:
    """The lines, and what the customer's balance did to the total."""
    currency = doc["currency"]
    return {
        "lines": [line_out(line, currency) for line in doc["lines"]],
        "discounts": [discount_part_out(each, currency) for each in doc["discounts"]],
        "taxes": [tax_part_out(each, currency) for each in doc["taxes"]],
        "amountDue": decimal(doc["amount_due_units"], currency),
        "appliedBalance": decimal(doc["applied_balance_units"], currency),
        "startingBalance": decimal(doc["starting_balance_units"], currency),
        "endingBalance": decimal(doc["ending_balance_units"], currency),
    }


def line_out(line: dict[str, Any], currency: str) -> LineOut:
    """One line; its sub-total is before discounts and tax."""
    return {
        "name": line["name"],
        "description": line["description"],
        "quantity": line["quantity"],
        "unitPrice": line["unit_price"],
        "subTotal": decimal(line["amount_units"], currency),
    }


def failure_out(failure: dict[str, Any] | None) -> FailureOut | None:
    """Why the newest attempt failed; null once paid."""
    if failure is None:
        return None
    return {
        "code": failure["code"],
        "message": failure["message"],
        "paymentMethodType": failure["method_type"],
    }


def method_out(method: dict[str, Any] | None) -> MethodOut | None:
    """The payment method that was used; null as long as none was."""
    if method is None:
        return None
    return {
        "paymentMethodType": method["type"],
        "paymentMethodName": method["name"],
        "last4": method["last4"],
    }
