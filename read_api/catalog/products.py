"""Queries about products (wire 18.1)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections.products import PRODUCT_SETTINGS, PRODUCTS, matching
from read_api.query import ServerList, ServerQuery
from wire.http import pages


class ProductNotFound(NotFound):
    """No such product."""

    code = "product_not_found"


router = APIRouter(prefix="/catalog/products", tags=["Catalog"])


@router.get("/")
async def listed(query: ServerList, search: pages.Search = None) -> Response:
    """All products that are not archived, newest first."""
    conditions = (matching(search),) if search else ()
    return await query.page(
        PRODUCTS, *conditions, sizes=pages.CATALOG, buckets={"archived": ["false"]}
    )


@router.get("/{product_id}/")
async def one(product_id: UUID, query: ServerQuery) -> Response:
    """One product, also an archived one."""
    return await query.one(PRODUCTS, product_id, refusal=ProductNotFound())


@router.get("/{product_id}/settings/")
async def settings(product_id: UUID, query: ServerQuery) -> Response:
    """The settings of a product."""
    return await query.one(PRODUCT_SETTINGS, product_id, refusal=ProductNotFound())
