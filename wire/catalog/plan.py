"""The plan as clients write and read it (wire 18.4)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, model_validator

from aggregates.plan.events import PlanWording
from kernel.offer import DurationUnit, LicenseTerms, Link
from wire.base import In, Metadata, Text, never_null
from wire.catalog.fields import Description, HttpUrl, Name, Slug


Ordering = Annotated[int, Field(ge=-(2**31), lt=2**31, strict=True)]


class LicenseIn(In):
    """Whether each order issues a license key, and what it allows (wire 3)."""

    enabled: bool = False
    activation_limit_enabled: bool = False
    activation_limit: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None
    has_expiry: bool = False
    duration_unit: DurationUnit | None = None
    duration_value: Annotated[int, Field(ge=1, le=10_000, strict=True)] | None = None

    @model_validator(mode="after")
    def _complete(self) -> LicenseIn:
        if self.activation_limit_enabled and self.activation_limit is None:
            raise ValueError("activationLimit is required when activationLimitEnabled is true.")
        if self.has_expiry and (self.duration_unit is None or self.duration_value is None):
            raise ValueError("durationUnit and durationValue are required when hasExpiry is true.")
        return self

    def terms(self) -> LicenseTerms:
        """As facts carry it."""
        return LicenseTerms(
            enabled=self.enabled,
            activation_limit_enabled=self.activation_limit_enabled,
            activation_limit=self.activation_limit,
            has_expiry=self.has_expiry,
            duration_unit=self.duration_unit,
            duration_value=self.duration_value,
        )


class LinkIn(In):
    """An external address that comes with the plan."""

    name: Name
    url: HttpUrl


class PlanWordsIn(In):
    """What both POST and PATCH may name."""

    description: Description | None = None
    metadata: Metadata | None = None
    is_visible: bool = True
    ordering: Ordering | None = None
    license: LicenseIn | None = None
    links: Annotated[list[LinkIn], Field(max_length=50)] | None = None
    file_keys: Annotated[list[Text], Field(max_length=50)] | None = None

    def wording(self) -> dict[str, Any]:
        """Fields of PlanWording but the name, all of them."""
        return {
            "description": self.description or "",
            "metadata": self.metadata or {},
            "is_visible": self.is_visible,
            "ordering": self.ordering,
            "license": (self.license or LicenseIn()).terms(),
            "links": tuple(Link(link.name, link.url) for link in self.links or ()),
        }


class PlanIn(PlanWordsIn):
    """A new plan; its identifier is made from the name when left out."""

    name: Name
    product: UUID
    identifier: Slug | None = None


class PlanChangesIn(PlanWordsIn):
    """What PATCH may name; what is left out stays. Identifier and product are fixed."""

    name: Name | None = None
    product: UUID | None = None
    identifier: Text | None = None

    _not_null = never_null("name")

    def changes(self) -> dict[str, Any]:
        """Fields of PlanWording that the client named."""
        everything = {**self.wording(), "name": self.name}
        return {name: everything[name] for name in everything if name in self.model_fields_set}


class PublishIn(In):
    """Whether subscribers of older versions are moved to the new one."""

    update_features: bool = False
    update_pricing: bool = False


LATEST_TOKEN = "\x00latest"  # noqa: S105 a place in a body, not a secret
FILES_TOKEN = "\x00files"  # noqa: S105 a place in a body, not a secret
ARCHIVED_TOKEN = "\x00archived"  # noqa: S105 a place in a body, not a secret


def plan_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The record of one version of a plan."""
    wording = doc["content"]["wording"]
    return {
        "id": doc["plan_id"],
        "identifier": doc["identifier"],
        "name": wording["name"],
        "description": wording["description"],
        "product": doc["product_id"],
        "version": doc["version"],
        "isLatest": LATEST_TOKEN,
        "isVisible": wording["is_visible"],
        "isImported": False,
        "isArchived": ARCHIVED_TOKEN,
        "ordering": wording["ordering"],
        "metadata": wording["metadata"],
        "details": {},
        "countries": [],
        "basePlan": None,
        "license": license_out(wording["license"]),
        "links": wording["links"],
        "files": FILES_TOKEN,
        "createdOn": doc["created_on"],
        "modifiedOn": doc["modified_on"],
    }


def license_out(terms: dict[str, Any]) -> dict[str, Any]:
    """The license configuration of a plan (wire 3)."""
    return {
        "enabled": terms["enabled"],
        "activationLimitEnabled": terms["activation_limit_enabled"],
        "activationLimit": terms["activation_limit"],
        "hasExpiry": terms["has_expiry"],
        "durationUnit": terms["duration_unit"],
        "durationValue": terms["duration_value"],
    }


def new_wording(body: PlanIn) -> PlanWording:
    """The words of a new plan."""
    return PlanWording(name=body.name, **body.wording())
