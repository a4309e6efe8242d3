"""Licenses and their instances as clients send and read them (spec: Licenses, wire 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from wire.base import In, Metadata
from wire.customer import CustomerCopy, customer_copy
from wire.fields import Identifier, Instant, ShortText
from wire.subscription import SubscriptionBrief
from wire.times import seconds


MOST_ACTIVATIONS = 100
"""The largest limit a merchant can set by hand (wire 3)."""


class LicenseStatus(StrEnum):
    """What became of a license; what its subscription allows counts besides."""

    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    DISABLED = "DISABLED"


class ValidationCode(StrEnum):
    """What validating a key finds."""

    VALID = "VALID"
    INVALID_KEY = "INVALID_KEY"
    INSTANCE_NOT_FOUND = "INSTANCE_NOT_FOUND"
    INVALID = "INVALID"
    EXPIRED = "EXPIRED"


class ActivateIn(In):
    """An instance that wants to use a license; one with the same name is the same instance."""

    license_key: Identifier
    customer_id: Identifier | None = None
    instance_name: ShortText | None = None
    metadata: Metadata | None = None


class DeactivateIn(In):
    """An instance that does not use a license any more."""

    license_key: Identifier
    instance_id: UUID


class ValidateIn(In):
    """A key, and an instance that is to be looked for too."""

    license_key: Identifier
    instance_id: UUID | None = None


class LicenseChangesIn(In):
    """What a merchant may change; ``activationLimit`` 0 or null takes the limit off."""

    activation_limit: Annotated[int, Field(ge=0, le=MOST_ACTIVATIONS, strict=True)] | None = None
    expires_on: Instant | None = None
    enabled: Annotated[bool, Field(strict=True)] = True

    def changes(self) -> dict[str, Any]:
        """Only what was named."""
        return self.model_dump(include=self.model_fields_set)


class LicenseBrief(TypedDict):
    """A license inside subscriptions, orders and invoices."""

    id: str
    licenseKey: str
    activatedOn: str | None
    expiresOn: str | None
    activationUsage: int
    activationLimit: int
    enabled: bool


class LicensedProduct(TypedDict):
    """The product of a license."""

    id: str
    identifier: str
    name: str
    taxCode: str


class LicensedPlan(TypedDict):
    """The plan of a license, as bought."""

    identifier: str
    name: str
    product: LicensedProduct


class LicenseOut(LicenseBrief):
    """A license with all that it is about."""

    customer: CustomerCopy
    plan: LicensedPlan
    subscription: SubscriptionBrief


class ActivationOut(TypedDict):
    """An instance that uses a license."""

    instanceId: str
    activatedAt: str
    expiresOn: str | None
    license: LicenseOut


class DeactivationOut(TypedDict):
    """An instance that does not use its license any more."""

    message: str
    deactivatedAt: str


class ValidationOut(TypedDict):
    """What a key is worth; ``metadata`` is that of the instance."""

    valid: bool
    code: ValidationCode
    detail: str
    metadata: dict[str, Any]
    license: LicenseOut


class InvalidKeyOut(TypedDict):
    """There is no such key, or no such instance of it (404)."""

    valid: Literal[False]
    code: ValidationCode
    detail: str
    metadata: dict[str, Any]


class LicenseRecordOut(LicenseBrief):
    """A license as its merchant sees it."""

    status: LicenseStatus
    disabledReason: str | None
    customer: CustomerCopy
    plan: LicensedPlan
    subscriptionId: str
    orderId: str
    createdOn: str
    modifiedOn: str


class InstanceOut(TypedDict):
    """An instance that uses a license; ``lastSeenAt`` is when it last validated the key."""

    id: str
    instanceName: str | None
    metadata: dict[str, Any]
    activatedAt: str
    lastSeenAt: str | None


def brief(doc: dict[str, Any]) -> LicenseBrief:
    """The license inside other records."""
    return {
        "id": doc["id"],
        "licenseKey": doc["key"] or "",
        "activatedOn": seconds(doc["activated_on"]),
        "expiresOn": seconds(doc["expires_at"]),
        "activationUsage": doc["usage"],
        "activationLimit": doc["limit"],
        "enabled": doc["status"] != LicenseStatus.DISABLED,
    }


def plan_out(doc: dict[str, Any]) -> LicensedPlan:
    """What was bought."""
    plan, product = doc["plan"], doc["product"]
    return {
        "identifier": plan["identifier"],
        "name": plan["name"],
        "product": {
            "id": product["id"],
            "identifier": product["identifier"],
            "name": product["name"],
            "taxCode": product["tax_code"],
        },
    }


def license_out(doc: dict[str, Any], subscription: SubscriptionBrief) -> LicenseOut:
    """The license of activation and validation."""
    return {
        **brief(doc),
        "customer": customer_copy(doc["customer"]),
        "plan": plan_out(doc),
        "subscription": subscription,
    }


def record_out(doc: dict[str, Any]) -> LicenseRecordOut:
    """The license as its merchant sees it."""
    return {
        **brief(doc),
        "status": doc["status"],
        "disabledReason": doc["disabled_reason"],
        "customer": customer_copy(doc["customer"]),
        "plan": plan_out(doc),
        "subscriptionId": doc["subscription"],
        "orderId": doc["order_number"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def instance_out(doc: dict[str, Any], last_seen_at: Any) -> InstanceOut:
    """An instance; when it was last seen is the reader's to say."""
    return {
        "id": doc["id"],
        "instanceName": doc["name"],
        "metadata": doc["metadata"],
        "activatedAt": seconds(doc["activated_at"]),
        "lastSeenAt": last_seen_at,
    }


def invalid_key_out(code: ValidationCode, detail: str) -> InvalidKeyOut:
    """The body of a 404 of validation (wire 28)."""
    return {"valid": False, "code": code, "detail": detail, "metadata": {}}
