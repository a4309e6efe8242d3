"""What decisions need to know of an organization; its stream id is the organization id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never
from uuid import UUID

from aggregates.organization.events import (
    CheckoutLook,
    CheckoutLookChanged,
    OrganizationCreated,
    OrganizationEvent,
    OrganizationSettingsChanged,
    RetentionSettingsChanged,
)
from kernel.fold import Fold
from kernel.ids import derived_id
from kernel.retention import RetentionSettings
from kernel.settings import Settings


ORGANIZATIONS = UUID("5f7b9c46-0b5e-5d0e-9b5c-0f0d4d1f6f10")
"""The parent of all organization ids."""


DEFAULTS = Settings()
PLAIN = CheckoutLook()
NOTHING_OFFERED = RetentionSettings()


@dataclass(frozen=True, slots=True)
class Organization:
    """A tenant as decisions see it; ``exists`` is false before the first fact."""

    exists: bool = False
    slug: str = ""
    merchant_of_record: bool = False
    secret_id: UUID = UUID(int=0)
    settings: Settings = DEFAULTS
    look: CheckoutLook = PLAIN
    retention: RetentionSettings = NOTHING_OFFERED


def evolve(state: Organization, event: OrganizationEvent) -> Organization:
    """Total and free of rules: what is recorded is true."""
    match event:
        case OrganizationCreated():
            return Organization(
                exists=True,
                slug=event.slug,
                merchant_of_record=event.merchant_of_record,
                secret_id=event.secret_id,
            )
        case OrganizationSettingsChanged(settings=settings):
            return replace(state, settings=settings)
        case CheckoutLookChanged(look=look):
            return replace(state, look=look)
        case RetentionSettingsChanged(settings=retention):
            return replace(state, retention=retention)
        case _:
            assert_never(event)


ORGANIZATION = Fold("organization", Organization(), evolve)


def organization_id(slug: str) -> UUID:
    """The id, and the stream, of the organization with this slug: a slug is taken once."""
    return derived_id(ORGANIZATIONS, slug)
