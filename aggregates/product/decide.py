"""Decisions about a product."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.product.events import (
    ProductArchived,
    ProductCreated,
    ProductEvent,
    ProductReworded,
    ProductSettings,
    ProductSettingsChanged,
    ProductWording,
)
from aggregates.product.state import Product, Status
from kernel.errors import Conflict, Invalid, NotFound
from kernel.money import exponent


class ProductNotFound(NotFound):
    """No such product."""

    code = "product_not_found"


class ProductExists(Conflict):
    """A product with this identifier exists already."""

    code = "product_exists"


class ProductAlreadyArchived(Invalid):
    """The product is archived already."""

    code = "product_already_archived"


def create(
    state: Product,
    *,
    at: datetime,
    product_id: UUID,
    identifier: str,
    wording: ProductWording,
    created_by: str,
) -> list[ProductEvent]:
    """Enter a product; an identifier is never used twice, not even after archiving."""
    if state.status is not Status.ABSENT:
        raise ProductExists(f"A product with the identifier {identifier!r} exists already.")
    return [
        ProductCreated(
            product_id=product_id,
            identifier=identifier,
            wording=wording,
            created_by=created_by,
            occurred_at=at,
        )
    ]


def reword(state: Product, *, at: datetime, wording: ProductWording) -> list[ProductEvent]:
    """Change name, description or tax code; the same words change nothing."""
    require_active(state)
    if wording == state.wording:
        return []
    return [ProductReworded(product_id=state.id, wording=wording, occurred_at=at)]


def change_settings(
    state: Product, *, at: datetime, settings: ProductSettings
) -> list[ProductEvent]:
    """Change the settings; the same ones change nothing. Raises UnknownCurrency."""
    require_active(state)
    if settings.currency is not None:
        exponent(settings.currency)
    if settings == state.settings:
        return []
    return [ProductSettingsChanged(product_id=state.id, settings=settings, occurred_at=at)]


def archive(state: Product, *, at: datetime) -> list[ProductEvent]:
    """Take it out of sale; a second time is refused (wire 18.1)."""
    require_active(state)
    return [ProductArchived(product_id=state.id, occurred_at=at)]


def require_active(state: Product) -> None:
    """Raises ProductNotFound, ProductAlreadyArchived."""
    if state.status is Status.ABSENT:
        raise ProductNotFound
    if state.status is Status.ARCHIVED:
        raise ProductAlreadyArchived
