"""The customer as clients write and read it (wire 17)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from wire.base import In, Metadata
from wire.fields import AddressIn, Email, Identifier, ShortText


class CustomerChangesIn(In):
    """What PATCH may name; a field that is left out stays as it is, null clears it."""

    name: ShortText | None = None
    email: Email | None = None
    billing_address: AddressIn | None = None
    tax_id: ShortText | None = None
    metadata: Metadata | None = None


class CustomerIn(CustomerChangesIn):
    """A new customer; ``customerId`` is the merchant's own id, unique for ever."""

    customer_id: Identifier
    test_clock_id: UUID | None = None


class AddressOut(TypedDict):
    """A billing address."""

    line1: str | None
    line2: str | None
    city: str | None
    state: str | None
    postalCode: str | None
    country: str | None


class CustomerCopy(TypedDict):
    """The customer inside other records."""

    customerId: str
    name: str | None
    email: str | None


class CustomerOut(CustomerCopy):
    """A customer; instants have microseconds."""

    id: str
    metadata: dict[str, Any]
    billingAddress: AddressOut | None
    taxId: str | None
    testClockId: str | None
    details: dict[str, Any]
    createdOn: str
    modifiedOn: str


def address_out(address: dict[str, Any] | None) -> AddressOut:
    """An address with every key, as all resources show it."""
    known = address or {}
    return {
        "line1": known.get("line1"),
        "line2": known.get("line2"),
        "city": known.get("city"),
        "state": known.get("state"),
        "postalCode": known.get("postal_code"),
        "country": known.get("country"),
    }


def customer_out(doc: dict[str, Any]) -> CustomerOut:
    """The customer record. Instants have microseconds here."""
    address = doc["billing_address"]
    return {
        "id": doc["id"],
        "customerId": doc["customer_id"],
        "email": doc["email"],
        "name": doc["name"],
        "metadata": doc["metadata"] or {},
        "billingAddress": None if address is None else address_out(address),
        "taxId": doc["tax_id"],
        "testClockId": doc["test_clock_id"],
        "details": {},
        "createdOn": doc["created_on"],
        "modifiedOn": doc["modified_on"],
    }


def customer_copy(doc: dict[str, Any]) -> CustomerCopy:
    """The copy of a customer inside other records: {customerId, name, email}."""
    return {"customerId": doc["customer_id"], "name": doc["name"], "email": doc["email"]}
