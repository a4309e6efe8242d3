"""License keys come with the first order of a subscription, and go with its full refund."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.license import decide
from aggregates.license.decide import Key, Purchase
from aggregates.license.events import DisableReason
from aggregates.license.state import LICENSE, License
from aggregates.license_key.events import LicenseKeyAssigned
from aggregates.license_key.state import LICENSE_KEY
from aggregates.order.events import Status
from aggregates.order.state import ORDER, Order
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.unit_of_work import UnitOfWork
from kernel import license_key
from kernel.ids import derived_id


def license_of(subscription_id: UUID) -> UUID:
    """The license of a subscription: its first order alone issues one (design 13)."""
    return derived_id(subscription_id, "license")


def key_stream(work: UnitOfWork, typed: str) -> UUID:
    """The stream of a key: an HMAC, so that the log does not tell which keys there are."""
    return work.natural_id("license_key", license_key.canonical(typed))


def has_ordered(state: Subscription) -> bool:
    """Whether a trial or an invoice made an order; one taken over as prepaid has none yet."""
    return state.trial is not None or state.invoice_id is not None


async def issue_license(work: UnitOfWork, order_id: UUID, *, at: datetime) -> None:
    """Issue the key that comes with an order once that is complete.

    Every way to a complete order leads through here. What was paid after the subscription had
    ended brings no key: nothing comes about by it (design 8).
    """
    order = await work.load(ORDER, order_id)
    bought = order.created
    if bought is None or bought.license is None or order.status is not Status.COMPLETE:
        return
    subscription = await work.load(SUBSCRIPTION, bought.sale.subscription.id)
    if not subscription.is_running:
        return
    license_id = license_of(subscription.id)
    state = await work.load(LICENSE, license_id, absent=True)
    purchase = Purchase(
        order_id=order_id,
        order_number=bought.number,
        invoice_id=bought.invoice_id,
        sale=bought.sale,
        terms=bought.license,
    )
    key = new_key(work, license_id, 1, bought.sale.plan.name)
    issued = decide.issue(state, license_id, purchase, key, at=at)
    work.record(license_id, issued, owner=bought.sale.customer)
    if issued:
        await assign_key(work, key, license_id, owner=bought.sale.customer, at=at)


def new_key(work: UnitOfWork, license_id: UUID, number: int, plan_name: str) -> Key:
    """The ``number``-th key of a license: an HMAC, so a retry makes the same, nobody else any."""
    text = license_key.spell(plan_name, work.natural_id("license_text", f"{license_id}/{number}"))
    return Key(key_stream(work, text), text)


async def assign_key(
    work: UnitOfWork, key: Key, license_id: UUID, *, owner: UUID, at: datetime
) -> None:
    """Let the key lead to its license."""
    assigned = LicenseKeyAssigned(key_id=key.id, license_id=license_id, occurred_at=at)
    await work.create(LICENSE_KEY, key.id, [assigned], owner=owner)


async def load_license(work: UnitOfWork, order: Order) -> License | None:
    """The license that came with an order; None when none did."""
    if order.created is None or order.created.license is None:
        return None
    state = await work.load(LICENSE, license_of(order.created.sale.subscription.id))
    issued = state.issued
    return None if issued is None or issued.order_id != order.id else state


async def revoke_license(work: UnitOfWork, order_id: UUID, *, at: datetime) -> None:
    """A full refund takes the license away that came with the order (design 13)."""
    order = await work.load(ORDER, order_id)
    state = await load_license(work, order)
    if state is not None and order.status is Status.REFUNDED:
        work.record(state.id, decide.disable(state, reason=DisableReason.REFUNDED, at=at))
