"""Queries about retention offers (spec: Retention, design 13)."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from aggregates.subscription.eligibility import offered
from projections import retention
from projections.organizations import RETENTION_SETTINGS
from read_api.query import ServerQuery
from read_api.subscriptions import SubscriptionNotFound
from wire.http import filters
from wire.http.documented import gives
from wire.retention import OffersOut, RetentionSettingsOut, offers_out


router = APIRouter(tags=["Retention"])


@router.get("/organizations/retention-settings/", responses=gives(RetentionSettingsOut))
async def settings(query: ServerQuery) -> Response:
    """What the organization offers customers who are about to leave."""
    return await query.one(RETENTION_SETTINGS, query.tenant.organization)


@router.get("/subscriptions/{subscription_id}/retention/offers/", responses=gives(OffersOut))
async def offers(subscription_id: str, query: ServerQuery) -> Response:
    """What this subscription could accept now, by reason to leave.

    Empty when retention is off, when it is not eligible, or when the repeat policy forbids more.
    """
    refusal = SubscriptionNotFound()
    key = filters.uuid_of(subscription_id, refusal)
    found = await retention.standing(query.reader, query.tenant, key)
    if found is None:
        raise refusal
    configured = await retention.settings(query.reader, query.tenant)
    shown = offers_out(configured, offered(configured, found.standing, found.at))
    return Response(msgspec.json.encode(shown), media_type="application/json")
