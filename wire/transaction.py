"""The transaction as clients read it (spec: Transaction fee breakdown, wire 8)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from aggregates.transaction.events import FeeName, TransactionType
from wire.amounts import number, symbol
from wire.order import OrderOut
from wire.times import seconds


class FeeComponentOut(TypedDict):
    """A part of the Merchant of Record fee; ``percentage`` is null for fixed ones."""

    name: FeeName
    percentage: str | None
    valueUnits: int
    currency: str


class TransactionOut(TypedDict):
    """A transaction; amounts are numbers in major units."""

    id: str
    order: OrderOut
    createdOn: str
    currency: str
    currencySymbol: str
    amountTotal: float
    morFee: float
    morFeeBreakdown: list[FeeComponentOut]
    collectedTax: float
    netPayout: float
    status: Literal["success", "failure", "pending"]
    transactionType: TransactionType
    paymentMethodType: str
    paymentMethodName: str | None
    last4: str | None
    availableOn: str | None
    isSettled: bool


def transaction_out(doc: dict[str, Any], *, order: Any, is_settled: Any) -> TransactionOut:
    """The transaction record; the order and whether the money arrived are the reader's to say."""
    currency, method = doc["currency"], doc["payment_method"]
    return {
        "id": doc["id"],
        "order": order,
        "createdOn": seconds(doc["created_on"]),
        "currency": currency,
        "currencySymbol": symbol(currency),
        "amountTotal": number(doc["amount_units"], currency),
        "morFee": number(doc["fee_units"], currency),
        "morFeeBreakdown": [component_out(part) for part in doc["fee_components"]],
        "collectedTax": number(doc["tax_units"], currency),
        "netPayout": number(doc["net_units"], currency),
        "status": doc["status"],
        "transactionType": doc["transaction_type"],
        "paymentMethodType": method["type"],
        "paymentMethodName": method["name"],
        "last4": method["last4"],
        "availableOn": doc["available_on"],
        "isSettled": is_settled,
    }


def component_out(part: dict[str, Any]) -> FeeComponentOut:
    """A part of the fee."""
    return {
        "name": part["name"],
        "percentage": part["percentage"],
        "valueUnits": part["units"],
        "currency": part["currency"],
    }
