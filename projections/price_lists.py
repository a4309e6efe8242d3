"""Queries behind pricing pages: what an offering or a product shows to somebody."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec

from kernel.countries import currency_in
from kernel.interval import ChargePeriod
from kernel.price_rule import PriceRule, applying
from kernel.publication import Publication
from kernel.tenant import Tenant
from projections import clocks
from projections.customers import CUSTOMERS
from projections.offerings import OFFERINGS
from projections.organizations import ORGANIZATION_SETTINGS
from projections.plans_on_sale import EVERYTHING, of_ids, of_product, plans_on_sale
from projections.pricing_tables import PRICING_TABLES
from projections.products import PRODUCTS
from projections.reader import Reader
from projections.table import Doc, Table
from wire.monetization.plans import PlanOnSale, Terms
from wire.monetization.price_list import (
    NOBODY,
    periods_out,
    place_of,
    plans_out,
    subscription_out,
)
from wire.monetization.pricing_table import look_out


LIVE = frozenset({"active", "trialing", "past_due", "paused"})
UNBORN = frozenset({"incomplete", "incomplete_expired"})
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks: ``customer`` is the internal id of a customer that exists."""

    country: str | None = None
    customer: UUID | None = None


@dataclass(frozen=True, slots=True)
class PriceList:
    """An offering as shown, with the plans behind it."""

    body: dict[str, Any]
    plans: Sequence[PlanOnSale]


async def find_doc(reader: Reader, table: Table, tenant: Tenant, key: UUID) -> Doc | None:
    """The document of a row of the organization."""
    where = f"t.organization = %s AND t.id = %s AND {table.visible}"
    sql = f"SELECT doc FROM {table.name} t WHERE {where}"
    rows = await reader.rows(sql, (tenant.organization, key))
    return _decode(rows[0][0]) if rows else None


async def organization_of(reader: Reader, offering: UUID) -> UUID | None:
    """Whose offering it is, for pages that nobody needs a key for."""
    rows = await reader.rows("SELECT organization FROM offerings WHERE id = %s", (offering,))
    return rows[0][0] if rows else None


async def viewer_of(
    reader: Reader, tenant: Tenant, customer: UUID | None, country: str | None
) -> Viewer:
    """Whom to show things to: the billing address of a known customer says where they are."""
    known = None if customer is None else await find_doc(reader, CUSTOMERS, tenant, customer)
    if known is None:
        return Viewer(country=country)
    address = known["billing_address"] or {}
    return Viewer(country=address.get("country") or country, customer=customer)


async def public_offering(
    reader: Reader, tenant: Tenant, offering: UUID, viewer: Viewer
) -> PriceList | None:
    """An active offering as its public sees it."""
    doc = await find_doc(reader, OFFERINGS, tenant, offering)
    if doc is None or doc["status"] != Publication.ACTIVE:
        return None
    content = doc["content"]
    table = None
    if content["pricing_table"] is not None:
        table = await find_doc(reader, PRICING_TABLES, tenant, UUID(content["pricing_table"]))
    plans, shown = await _shown(reader, tenant, table)
    said = None if table is None else table["content"]
    localized = said is None or said["options"]["localization"]
    place = place_of(plans, viewer.country, localized=localized)
    own = None if viewer.country is None else currency_in(viewer.country)
    wanted = own if table is None else place.currency
    terms = Terms(currency=wanted, rule=_rule(content, viewer.country))
    rendered = plans_out(plans, terms, shown)
    body = {
        "id": doc["id"],
        "name": content["name"],
        "description": content["description"],
        "pricingTable": None if table is None else look_out(table),
        "plans": rendered,
        **place.fields(),
        "subscription": await _subscription(reader, tenant, viewer, plans),
        "isCustomerExists": viewer.customer is not None,
        "billingPeriods": periods_out(rendered, () if said is None else said["periods"]),
    }
    return PriceList(body, plans)


async def product_offering(
    reader: Reader,
    tenant: Tenant,
    product: UUID,
    viewer: Viewer,
    *,
    plans_enabled: Collection[str] | None,
    periods: Collection[ChargePeriod] | None,
) -> dict[str, Any] | None:
    """The plans of a product at the prices of the catalog."""
    known = await find_doc(reader, PRODUCTS, tenant, product)
    if known is None or known["archived"]:
        return None
    plans = await plans_on_sale(reader, tenant, of_product(product))
    plans = [p for p in plans if plans_enabled is None or p.identifier in plans_enabled]
    place = place_of(plans, viewer.country)
    rendered = plans_out(plans, Terms(currency=place.currency, periods=periods))
    own = await find_doc(reader, ORGANIZATION_SETTINGS, tenant, tenant.organization)
    return {
        "organizationId": 0 if own is None else own["created"] * 8,
        **place.fields(),
        "currencyConversionRate": 1,
        "plans": rendered,
        "subscription": await _subscription(reader, tenant, viewer, plans),
        "isCustomerExists": viewer.customer is not None,
        "billingPeriods": periods_out(rendered),
    }


async def _shown(
    reader: Reader, tenant: Tenant, table: Doc | None
) -> tuple[list[PlanOnSale], Mapping[str, Any]]:
    """The plans of a table in its order; without a table all visible ones."""
    if table is None:
        plans = await plans_on_sale(reader, tenant, EVERYTHING)
        return [plan for plan in plans if plan.version.wording.is_visible], {}
    shown = {row["identifier"]: row for row in table["content"]["plans"]}
    found = await plans_on_sale(reader, tenant, of_ids(UUID(row["id"]) for row in shown.values()))
    order = list(shown)
    return sorted(found, key=lambda plan: order.index(plan.identifier)), shown


def _rule(content: Doc, country: str | None) -> PriceRule | None:
    rule = content["rule"]
    return None if rule is None else applying(msgspec.convert(rule, PriceRule), country)


async def _subscription(
    reader: Reader, tenant: Tenant, viewer: Viewer, plans: Sequence[PlanOnSale]
) -> dict[str, Any]:
    """The newest live subscription to one of the products shown; a recurring one if there is."""
    if viewer.customer is None:
        return NOBODY
    now = reader.clock.now()
    open_end = clocks.not_past("t.ends_at", now)
    sql = (
        f"SELECT t.doc, t.status = ANY(%s::text[]) AND {open_end.sql} "
        f"FROM subscriptions t {clocks.JOIN} WHERE t.organization = %s AND t.customer_uuid = %s "
        "AND t.in_force AND NOT t.status = ANY(%s::text[]) ORDER BY t.created DESC, t.id"
    )
    parameters = (list(LIVE), *open_end.parameters, tenant.organization, viewer.customer)
    rows = await reader.rows(sql, (*parameters, list(UNBORN)))
    products = {str(plan.product) for plan in plans}
    theirs = [
        (doc, live) for raw, live in rows if (doc := _decode(raw))["product"]["id"] in products
    ]
    alive = [doc for doc, live in theirs if live]
    recurring = [doc for doc in alive if doc["charge_period"] != ChargePeriod.ONE_TIME]
    current = next(iter(recurring or alive), None)
    return subscription_out(current, had_another=len(theirs) > (current is not None))
