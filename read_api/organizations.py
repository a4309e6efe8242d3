"""Queries about the caller's organization (spec: Organization settings)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from projections.organizations import CHECKOUT_SETTINGS, ORGANIZATION_SETTINGS
from read_api.query import ServerQuery


router = APIRouter(prefix="/organizations", tags=["Organization"])


@router.get("/settings/")
async def settings(query: ServerQuery) -> Response:
    """How the organization bills."""
    return await query.one(ORGANIZATION_SETTINGS, query.tenant.organization)


@router.get("/checkout-settings/")
async def checkout_settings(query: ServerQuery) -> Response:
    """How its hosted pages look."""
    return await query.one(CHECKOUT_SETTINGS, query.tenant.organization)
