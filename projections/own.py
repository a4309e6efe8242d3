"""What one customer has: the rows of any view that are this customer's, and no others."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from aggregates.subscription.events import GIVE_ACCESS
from kernel.tenant import Tenant
from projections import invoices, licenses, payment_methods
from projections.invoices import INVOICES
from projections.licenses import INSTANCES, LICENSES
from projections.payment_methods import LISTED, PAYMENT_METHODS
from projections.reader import Condition, Reader, Wanted
from projections.subscriptions import SUBSCRIPTIONS
from projections.subscriptions import of_customer as own_subscription


NEWEST_RECORD = Condition("t.id = t.subscription")
BEGUN = Condition("t.status <> 'incomplete_expired'")
MOST_SUBSCRIPTIONS = 200
MOST_METHODS = 100
MOST_LICENSES = 20
MOST_INSTANCES = 100

_decode = msgspec.json.decode


class Own:
    """The view of one customer, by the internal id, of one organization."""

    def __init__(self, reader: Reader, tenant: Tenant, customer: UUID) -> None:
        """Every query is narrowed to this customer."""
        self._reader = reader
        self._tenant = tenant
        self._customer = customer

    async def subscriptions(self) -> list[dict[str, Any]]:
        """The record of each subscription, newest first, ended ones included."""
        wanted = Wanted(
            page=1,
            page_size=MOST_SUBSCRIPTIONS,
            buckets={},
            conditions=(own_subscription(self._customer), NEWEST_RECORD, BEGUN),
        )
        found = await self._reader.page(SUBSCRIPTIONS, self._tenant, wanted)
        return [_decode(body) for body in found.bodies]

    async def subscription(self, key: UUID) -> dict[str, Any] | None:
        """One of them; None when it is somebody else's."""
        one = Condition("t.id = %s", (key,))
        mine = own_subscription(self._customer)
        body = await self._reader.first(SUBSCRIPTIONS, self._tenant, mine, NEWEST_RECORD, one)
        return None if body is None else _decode(body)

    async def may_use(self, plan: UUID) -> bool:
        """Whether one of the subscriptions gives access to what comes with a plan now."""
        rows = await self._reader.rows(
            "SELECT 1 FROM subscriptions t WHERE t.organization = %s AND t.customer_uuid = %s"
            " AND t.plan_uuid = %s AND t.in_force AND t.status = ANY(%s) LIMIT 1",
            (self._tenant.organization, self._customer, plan, sorted(GIVE_ACCESS)),
        )
        return bool(rows)

    async def licenses(
        self, subscription: UUID
    ) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """The licenses of a subscription, each with the instances that use it, newest first."""
        mine = (licenses.of_customer(self._customer), licenses.of_subscription(subscription))
        wanted = Wanted(page=1, page_size=MOST_LICENSES, buckets={}, conditions=mine)
        found = await self._reader.page(LICENSES, self._tenant, wanted)
        bodies = [_decode(body) for body in found.bodies]
        return [(body, await self._instances(UUID(body["id"]))) for body in bodies]

    async def _instances(self, license_id: UUID) -> list[dict[str, Any]]:
        used = licenses.used_by(license_id)
        wanted = Wanted(page=1, page_size=MOST_INSTANCES, buckets={}, conditions=used)
        found = await self._reader.page(INSTANCES, self._tenant, wanted)
        return [_decode(body) for body in found.bodies]

    async def subscription_of(self, license_id: UUID) -> UUID | None:
        """The subscription that a license came with; None when it is somebody else's."""
        rows = await self._reader.rows(
            "SELECT t.subscription FROM licenses t"
            " WHERE t.organization = %s AND t.customer_uuid = %s AND t.id = %s",
            (self._tenant.organization, self._customer, license_id),
        )
        return rows[0][0] if rows else None

    async def invoices(self, page: int, page_size: int) -> tuple[int, list[dict[str, Any]]]:
        """How many there are, and one page of them, newest first."""
        mine = invoices.of_customer(self._customer)
        wanted = Wanted(page=page, page_size=page_size, buckets={}, conditions=(mine,))
        found = await self._reader.page(INVOICES, self._tenant, wanted)
        return found.count, [_decode(body) for body in found.bodies]

    async def invoice(self, number: str) -> UUID | None:
        """The stream of an invoice with this number; None when it is somebody else's."""
        rows = await self._reader.rows(
            "SELECT t.id FROM invoices t"
            " WHERE t.organization = %s AND t.customer_uuid = %s AND t.number = %s",
            (self._tenant.organization, self._customer, number),
        )
        return rows[0][0] if rows else None

    async def methods(self) -> list[dict[str, Any]]:
        """Saved payment methods that can be charged, newest first."""
        mine = payment_methods.of_customer(self._customer)
        wanted = Wanted(page=1, page_size=MOST_METHODS, buckets=LISTED, conditions=(mine,))
        found = await self._reader.page(PAYMENT_METHODS, self._tenant, wanted)
        return [_decode(body) for body in found.bodies]

    async def method(self, number: int, *, removed: bool = False) -> UUID | None:
        """The id of a saved method by the number that clients use; None when it is another's.

        ``removed``: one that is removed is found too.
        """
        rows = await self._reader.rows(
            "SELECT t.id FROM payment_methods t WHERE t.organization = %s"
            " AND t.customer_stream = %s AND t.number = %s AND (%s OR NOT t.removed)",
            (self._tenant.organization, self._customer, number, removed),
        )
        return rows[0][0] if rows else None
