"""What happens to an organization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from kernel.custom_fields import CustomField
from kernel.retention import RetentionSettings
from kernel.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationCreated:
    """A tenant began. ``secret_id`` names the secret of its natural ids and links in the vault.

    A Merchant of Record sells in its own name for the merchant, and takes fees for that.
    """

    slug: str
    merchant_of_record: bool
    secret_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationSettingsChanged:
    """The organization decided anew how it bills; all settings as they are from now on."""

    settings: Settings
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutLook:
    """How hosted pages look and what they ask; pictures are file keys or https addresses."""

    brand_name: str | None = None
    light_logo: str | None = None
    dark_logo: str | None = None
    favicon: str | None = None
    background_image: str | None = None
    customization: Mapping[str, Any] = field(default_factory=dict)
    custom_fields: tuple[CustomField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutLookChanged:
    """The organization gave its hosted pages another look; all of it as it is from now on."""

    look: CheckoutLook
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettingsChanged:
    """The organization decided anew what leaving customers are offered; all as it is from now."""

    settings: RetentionSettings
    occurred_at: datetime


OrganizationEvent = (
    OrganizationCreated
    | OrganizationSettingsChanged
    | CheckoutLookChanged
    | RetentionSettingsChanged
)
