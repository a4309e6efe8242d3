"""The customer's license keys and what uses them; a place can be freed here (wire 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from starlette.responses import Response

from commands.licenses.deactivate_license import RevokeInstance
from kernel.errors import NotFound
from pages.portal.acting import act
from pages.portal.visit import Visit
from pages.portal.words import day
from projections.own import Own


RELEASE = "release instance"


async def of_subscription(visit: Visit, own: Own, subscription: UUID) -> list[dict[str, Any]]:
    """The keys of a subscription with their instances, ready to be shown."""
    return [_key(visit, *found) for found in await own.licenses(subscription)]


async def release(visit: Visit) -> Response:
    """Take the place from one instance; it has to activate the key again."""
    names = visit.request.path_params
    try:
        license_id, instance = UUID(names["license"]), UUID(names["instance"])
    except ValueError:
        raise NotFound from None
    own = Own(visit.services.reader, visit.tenant, visit.customer.id)
    subscription = await own.subscription_of(license_id)
    if subscription is None:
        raise NotFound
    form = await visit.sent(RELEASE, license_id, instance)
    await act(visit, RevokeInstance(license_id=license_id, instance_id=instance), form)
    return visit.done("released", "subscriptions", subscription)


def _key(
    visit: Visit, body: Mapping[str, Any], instances: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    speaks = visit.look.language
    license_id, usage, limit = body["id"], body["activationUsage"], body["activationLimit"]
    return {
        "key": body["licenseKey"],
        "usable": body["status"] == "ACTIVE",
        "status": speaks.say(f"portal_license.{body['status']}"),
        "expires": None if body["expiresOn"] is None else day(speaks, body["expiresOn"]),
        "used": speaks.say("portal_license.of", used=usage, limit=limit)
        if limit
        else speaks.count_of("portal_license.used", usage),
        "instances": [
            {
                "id": each["id"],
                "license": license_id,
                "name": each["instanceName"] or speaks.say("portal_license.unnamed"),
                "since": day(speaks, each["activatedAt"]),
                "release": visit.form(RELEASE, UUID(license_id), UUID(each["id"])),
            }
            for each in instances
        ],
    }
