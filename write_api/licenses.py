"""Writes about licenses: by who holds a key, and by the merchant (spec: Licenses, wire 3)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Request, Response
from starlette.background import BackgroundTask

from aggregates.license.decide import Instance
from aggregates.license.events import LicenseActivated, LicenseDeactivated
from aggregates.license.refusals import InstanceNotFound, LicenseNotFound
from commands.licenses.activate_license import ActivateLicense
from commands.licenses.change_license import ChangeLicense
from commands.licenses.deactivate_license import DeactivateLicense, RevokeInstance
from commands.licenses.regenerate_license_key import RegenerateLicenseKey
from projections import last_seen, license_checks
from projections.licenses import LICENSES
from wire.http.caller import AnyCaller
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.license import (
    ActivateIn,
    ActivationOut,
    DeactivateIn,
    DeactivationOut,
    InvalidKeyOut,
    LicenseChangesIn,
    LicenseRecordOut,
    ValidateIn,
    ValidationOut,
)
from wire.times import instant, seconds
from write_api import answers
from write_api.write import Answer, AnyWrite, Done, ServerWrite, WriteServices


router = APIRouter(prefix="/license", tags=["Licenses"])
merchant = APIRouter(prefix="/licenses", tags=["Licenses"])


@router.post("/activate/", responses=gives(ActivationOut))
async def activate(body: ActivateIn, write: AnyWrite) -> Response:
    """Let an instance use a license. Takes a client key or a server key.

    The same `instanceName` again is the same instance: it gets the same answer and takes no second
    place. Without a name every activation is a new instance.
    """
    instance = Instance(
        id=write.id("instance"), name=body.instance_name or None, metadata=body.metadata
    )
    command = ActivateLicense(key=body.license_key, customer_id=body.customer_id, instance=instance)
    return await write(command, _activated(body))


def _activated(body: ActivateIn) -> Answer:
    """The instance that the command made, or the one of that name that was there."""

    async def answer(done: Done) -> Response:
        made = [fact for fact in done.facts if isinstance(fact, LicenseActivated)]
        views = (done.reader, done.tenant)
        if made:
            shown = await license_checks.activation(*views, made[0].instance_id)
        else:
            name = body.instance_name or ""
            shown = await license_checks.activation_named(*views, body.license_key, name)
        if shown is None:
            raise answers.ViewsBehind
        return Response(msgspec.json.encode(shown), media_type="application/json")

    return answer


@router.post("/deactivate/", responses=gives(DeactivationOut))
async def deactivate(body: DeactivateIn, write: AnyWrite) -> Response:
    """Free the place of an instance; the license stays as it is.

    Takes a client key or a server key.
    """
    command = DeactivateLicense(key=body.license_key, instance_id=body.instance_id)
    return await write(command, _deactivated)


async def _deactivated(done: Done) -> Response:
    freed = next(fact for fact in done.facts if isinstance(fact, LicenseDeactivated))
    shown: DeactivationOut = {
        "message": "The instance was deactivated.",
        "deactivatedAt": seconds(instant(freed.occurred_at)),
    }
    return Response(msgspec.json.encode(shown), media_type="application/json")


@router.post("/validate/", responses={**gives(ValidationOut), 404: {"model": InvalidKeyOut}})
async def validate(body: ValidateIn, request: Request, caller: AnyCaller) -> Response:
    """What a license key is worth now. Takes a client key or a server key.

    A license that cannot be used is 200 with `valid` false and the code `EXPIRED` or `INVALID`;
    an unknown key or instance is 404. With `instanceId` that instance counts as seen.
    """
    services: WriteServices = request.app.state.services
    reader = services.reader
    verdict = await license_checks.validate(reader, caller.tenant, body)
    seen = None
    if verdict.instance is not None and verdict.at is not None:
        seen = BackgroundTask(last_seen.note, reader.pool, verdict.instance, verdict.at)
    return Response(verdict.body, verdict.status, media_type="application/json", background=seen)


def _license_id(license_id: str) -> UUID:
    return uuid_of(license_id, LicenseNotFound())


LicenseId = Annotated[UUID, Depends(_license_id)]


@merchant.patch("/{license_id}/", responses=gives(LicenseRecordOut))
async def change(license_id: LicenseId, body: LicenseChangesIn, write: ServerWrite) -> Response:
    """Change `activationLimit` (1 to 100; 0 or null: none) or `expiresOn` (null: never).

    `enabled: false` takes the license away for good. A later `expiresOn` brings an expired one
    back.
    """
    command = ChangeLicense(license_id=license_id, changes=body.changes())
    return await write(command, answers.row(LICENSES, license_id))


@merchant.post("/{license_id}/regenerate/", responses=gives(LicenseRecordOut))
async def regenerate(license_id: LicenseId, write: ServerWrite) -> Response:
    """Give the license another key; the old key and its instances are dead at once."""
    command = RegenerateLicenseKey(license_id=license_id)
    return await write(command, answers.row(LICENSES, license_id))


@merchant.delete("/{license_id}/instances/{instance_id}/", status_code=204)
async def revoke(license_id: LicenseId, instance_id: str, write: ServerWrite) -> Response:
    """Take its place from one instance."""
    instance = uuid_of(instance_id, InstanceNotFound())
    command = RevokeInstance(license_id=license_id, instance_id=instance)
    return await write(command, answers.nothing())
