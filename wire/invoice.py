"""The invoice as clients read it (spec: Invoice, wire 4)."""

from __future__ import annotations

from typing import Any

from wire.amounts import decimal, symbol
from wire.customer import address_out, customer_copy
from wire.times import seconds


SUMS = ("subtotal", "discount", "tax", "total")


def invoice_out(
    doc: dict[str, Any], *, subscription: dict[str, Any], payment_link: Any
) -> dict[str, Any]:
    """The invoice record; the subscription and the link are the reader's to say."""
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
        "license": doc["licenses"],
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


def sums_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The four sums as decimal strings and as minor units."""
    currency = doc["currency"]
    units = {name: doc[f"amount_{name}_units"] for name in SUMS}
    decimals = {f"amount{name.title()}": decimal(units[name], currency) for name in SUMS}
    return decimals | {f"amount{name.title()}Units": units[name] for name in SUMS}


def details_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The lines, and what the customer's balance did to the total."""
    currency = doc["currency"]
    return {
        "lines": [line_out(line, currency) for line in doc["lines"]],
        "amountDue": decimal(doc["amount_due_units"], currency),
        "appliedBalance": decimal(doc["applied_balance_units"], currency),
        "startingBalance": decimal(doc["starting_balance_units"], currency),
        "endingBalance": decimal(doc["ending_balance_units"], currency),
    }


def line_out(line: dict[str, Any], currency: str) -> dict[str, Any]:
    """One line; its sub-total is before discounts and tax."""
    return {
        "name": line["name"],
        "description": line["description"],
        "quantity": line["quantity"],
        "unitPrice": line["unit_price"],
        "subTotal": decimal(line["amount_units"], currency),
    }


def failure_out(failure: dict[str, Any] | None) -> dict[str, Any] | None:
    """Why the newest attempt failed; null once paid."""
    if failure is None:
        return None
    return {
        "code": failure["code"],
        "message": failure["message"],
        "paymentMethodType": failure["method_type"],
    }


def method_out(method: dict[str, Any] | None) -> dict[str, Any] | None:
    """The payment method that was used; null as long as none was."""
    if method is None:
        return None
    return {
        "paymentMethodType": method["type"],
        "paymentMethodName": method["name"],
        "last4": method["last4"],
    }
