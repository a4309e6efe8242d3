"""Writes about products (wire 18.1)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.product.events import ProductWording
from commands.catalog.archive_product import ArchiveProduct
from commands.catalog.change_product import ChangeProduct
from commands.catalog.change_product_settings import ChangeProductSettings
from commands.catalog.create_product import CreateProduct
from kernel.file_keys import Area
from projections.products import PRODUCT_SETTINGS, PRODUCTS
from wire.catalog.product import ProductChangesIn, ProductIn, ProductSettingsIn
from write_api import answers
from write_api.uploads import taken
from write_api.write import ServerWrite


router = APIRouter(prefix="/catalog/products", tags=["Catalog"])


@router.post("/", status_code=201)
async def create(body: ProductIn, write: ServerWrite) -> Response:
    """Create a product; its identifier can never be used again."""
    wording = ProductWording(
        name=body.name, description=body.description or "", tax_code=body.tax_code
    )
    command = CreateProduct(
        wording=wording,
        created_by=write.tenant.slug,
        identifier=body.identifier,
        uploads=await taken(write, body.image_keys, Area.PUBLIC, "imageKeys"),
    )
    return await write(command, answers.row(PRODUCTS, status=201))


@router.patch("/{product_id}/")
async def change(product_id: UUID, body: ProductChangesIn, write: ServerWrite) -> Response:
    """Change name, description or tax code, add images; the identifier is fixed."""
    command = ChangeProduct(
        product_id=product_id,
        changes=body.changes(),
        new_identifier=body.identifier,
        uploads=(
            *await taken(write, body.image_keys, Area.PUBLIC, "imageKeys"),
            *await taken(write, body.file_keys, Area.PUBLIC, "fileKeys"),
        ),
    )
    return await write(command, answers.row(PRODUCTS, product_id))


@router.delete("/{product_id}/", status_code=204)
async def archive(product_id: UUID, write: ServerWrite) -> Response:
    """Take a product and its plans out of sale; subscribers keep what they have."""
    return await write(ArchiveProduct(product_id=product_id), answers.nothing())


@router.patch("/{product_id}/settings/")
async def change_settings(
    product_id: UUID, body: ProductSettingsIn, write: ServerWrite
) -> Response:
    """Change the settings; a default currency must be priced by every plan that is published."""
    command = ChangeProductSettings(product_id=product_id, changes=body.changes())
    return await write(command, answers.row(PRODUCT_SETTINGS, product_id))
