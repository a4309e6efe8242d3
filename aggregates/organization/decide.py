"""Decisions about an organization."""

from __future__ import annotations

import re
from datetime import datetime
from uuid import UUID

from aggregates.organization.events import (
    CheckoutLook,
    CheckoutLookChanged,
    OrganizationCreated,
    OrganizationSettingsChanged,
    RetentionSettingsChanged,
)
from aggregates.organization.state import Organization
from kernel.errors import Conflict, Invalid, InvalidFields, NotFound
from kernel.retention import OfferType, RetentionSettings
from kernel.settings import Settings


SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class OrganizationNotFound(NotFound):
    """No organization has this slug."""

    code = "organization_not_found"


class OrganizationAlreadyExists(Conflict):
    """An organization with this slug already exists."""

    code = "organization_already_exists"


class InvalidSlug(Invalid):
    """A slug has 1 to 63 lower-case letters, digits, hyphens and underscores."""

    code = "invalid_slug"


def create(
    state: Organization, *, slug: str, merchant_of_record: bool, secret_id: UUID, at: datetime
) -> list[OrganizationCreated]:
    """Begin a tenant; a slug is taken for ever."""
    if not SLUG.fullmatch(slug):
        raise InvalidSlug
    if state.exists:
        raise OrganizationAlreadyExists
    return [
        OrganizationCreated(
            slug=slug, merchant_of_record=merchant_of_record, secret_id=secret_id, occurred_at=at
        )
    ]


def change_settings(
    state: Organization, *, settings: Settings, at: datetime
) -> list[OrganizationSettingsChanged]:
    """Bill differently from now on; the same settings again change nothing."""
    _require(state)
    if settings == state.settings:
        return []
    return [OrganizationSettingsChanged(settings=settings, occurred_at=at)]


def change_look(
    state: Organization, *, look: CheckoutLook, at: datetime
) -> list[CheckoutLookChanged]:
    """Give hosted pages another look; the same look again changes nothing."""
    _require(state)
    if look == state.look:
        return []
    return [CheckoutLookChanged(look=look, occurred_at=at)]


def change_retention(
    state: Organization, *, retention: RetentionSettings, at: datetime
) -> list[RetentionSettingsChanged]:
    """Offer leaving customers something else; the same again changes nothing.

    Raises OrganizationNotFound, InvalidFields.
    """
    _require(state)
    for offer in retention.offers:
        if offer.type is OfferType.SUPPORT and retention.url_of(offer) is None:
            raise InvalidFields({"supportUrl": ["A SUPPORT offer needs an address to lead to."]})
    if retention == state.retention:
        return []
    return [RetentionSettingsChanged(settings=retention, occurred_at=at)]


def _require(state: Organization) -> None:
    if not state.exists:
        raise OrganizationNotFound
