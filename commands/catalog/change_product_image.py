"""Change or remove a picture of a product (wire 18.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.product import decide, images
from aggregates.product.images import Images
from aggregates.product.state import PRODUCT, Product
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeProductImage:
    """``changes`` holds the fields of ProductImage that the client named."""

    product_id: UUID
    image_id: UUID
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveProductImage:
    """The picture is shown nowhere any more."""

    product_id: UUID
    image_id: UUID


@handles(ChangeProductImage)
async def change_product_image(work: UnitOfWork, command: ChangeProductImage) -> None:
    """Raises ProductNotFound, ProductAlreadyArchived, ProductImageNotFound."""
    product = await _active(work, command.product_id)
    shown = images.with_changes(product.wording.images, command.image_id, command.changes)
    _reword(work, command.product_id, product, shown)


@handles(RemoveProductImage)
async def remove_product_image(work: UnitOfWork, command: RemoveProductImage) -> None:
    """Raises ProductNotFound, ProductAlreadyArchived, ProductImageNotFound."""
    product = await _active(work, command.product_id)
    shown = images.without(product.wording.images, command.image_id)
    _reword(work, command.product_id, product, shown)


async def _active(work: UnitOfWork, product_id: UUID) -> Product:
    product = await load_own(work, PRODUCT, product_id)
    decide.require_active(product)
    return product


def _reword(work: UnitOfWork, product_id: UUID, product: Product, shown: Images) -> None:
    wording = replace(product.wording, images=shown)
    work.record(product_id, decide.reword(product, at=work.instant(), wording=wording))
