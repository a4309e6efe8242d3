"""What the customer has: all subscriptions, and one of them in full."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from starlette.responses import Response

from aggregates.subscription.changes import SubscriptionChangeRequested
from aggregates.subscription.eligibility import offered
from aggregates.subscription.pauses import SubscriptionPaused
from commands.portal.look_at_waiting_change import LookAtWaitingChange
from commands.subscriptions.pause_subscription import ResumeSubscription
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from kernel.errors import NotFound
from kernel.payment_link import payment_link
from kernel.retention import OfferType, RetentionOffer
from pages.language import address
from pages.portal import licenses
from pages.portal.acting import act, look_at
from pages.portal.visit import Visit
from pages.portal.words import Shown
from projections import plan_choices, retention
from projections.own import Own


async def home(visit: Visit) -> Response:
    """All subscriptions, those that run first."""
    records = await own(visit).subscriptions()
    every = [Shown(record, visit.look.language) for record in records]
    values = {
        "running": [each for each in every if each.record["status"] != "canceled"],
        "over": [each for each in every if each.record["status"] == "canceled"],
    }
    return visit.shown("home", values)


async def one(visit: Visit) -> Response:
    """Everything about one, and what can be done about it."""
    subscription = await chosen(visit)
    key = UUID(subscription.id)
    values = {
        "it": subscription,
        "waiting": await _waiting(visit, key),
        "features": [
            _feature(each) for each in subscription.record["features"] if each["value"] is not False
        ],
        "pauses": subscription.record["status"] == "active" and await pauses(visit, key) != (),
        "resumes": await _may_resume(visit, subscription),
        "files": subscription.files,
        "licenses": await licenses.of_subscription(visit, own(visit), key),
        "newer": await _newer(visit, subscription),
        "reactivate": visit.form("reactivate", key),
        "resume": visit.form("resume", key),
    }
    return visit.shown("subscription", values)


async def reactivate(visit: Visit) -> Response:
    """Take the scheduled end back."""
    key = UUID((await chosen(visit)).id)
    form = await visit.sent("reactivate", key)
    await act(visit, ReactivateSubscription(subscription_id=key), form)
    return visit.done("reactivated", "subscriptions", key)


async def resume(visit: Visit) -> Response:
    """End the pause now."""
    key = UUID((await chosen(visit)).id)
    form = await visit.sent("resume", key)
    await act(visit, ResumeSubscription(subscription_id=key), form)
    return visit.done("resumed", "subscriptions", key)


def own(visit: Visit) -> Own:
    """What this customer has."""
    return Own(visit.services.reader, visit.tenant, visit.customer.id)


async def chosen(visit: Visit) -> Shown:
    """The subscription that the address names. Raises NotFound unless it is one's own."""
    try:
        key = UUID(visit.request.path_params["subscription"])
    except ValueError:
        raise NotFound from None
    record = await own(visit).subscription(key)
    if record is None:
        raise NotFound
    return Shown(record, visit.look.language)


async def offers(visit: Visit, subscription: UUID) -> tuple[RetentionOffer, ...]:
    """What the subscription may accept now, by reason to leave."""
    reader, tenant = visit.services.reader, visit.tenant
    found = await retention.standing(reader, tenant, subscription)
    if found is None:
        return ()
    return offered(await retention.settings(reader, tenant), found.standing, found.at)


async def pauses(visit: Visit, subscription: UUID) -> tuple[RetentionOffer, ...]:
    """The pauses it may accept now, by reason."""
    every = await offers(visit, subscription)
    return tuple(each for each in every if each.type is OfferType.PAUSE)


async def _may_resume(visit: Visit, subscription: Shown) -> bool:
    """It is paused because the customer accepted that, not because the merchant paused it."""
    if subscription.record["status"] != "paused":
        return False
    history = await visit.services.bus.store.load(UUID(subscription.id))
    paused = [fact for fact in history.facts if isinstance(fact, SubscriptionPaused)]
    return bool(paused) and paused[-1].offered


async def _waiting(visit: Visit, subscription: UUID) -> dict[str, str] | None:
    """The plan that holds once its invoice is paid, and where to pay."""
    change: SubscriptionChangeRequested | None = await look_at(
        visit, LookAtWaitingChange(subscription_id=subscription)
    )
    if change is None:
        return None
    path = payment_link("", visit.tenant, change.invoice_id)
    return {"plan": change.contract.terms.plan.name, "pay": address(visit.request, path)}


async def _newer(visit: Visit, subscription: Shown) -> bool:
    """There is a newer version of the plan than the one it has."""
    record = subscription.record
    if not subscription.recurs or not subscription.may_change or record["isCustomPricing"]:
        return False
    newest = await plan_choices.newest_version(
        visit.services.reader, visit.tenant, UUID(subscription.id)
    )
    return newest is not None and newest > record["plan"]["version"]


def _feature(body: dict[str, Any]) -> str:
    """``5 seats``, ``API access``; a limit where there is one."""
    value, units = body["value"], body["featureDetails"].get("units") or {}
    if body["hasUnlimitedUsage"] or not isinstance(value, int) or isinstance(value, bool):
        return str(body["name"])
    unit = units.get("singular" if value == 1 else "plural") or body["name"]
    return f"{value} {unit}"
