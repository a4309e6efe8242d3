"""The organization that `up` begins with, and the keys that open it."""

from __future__ import annotations

from collections.abc import Mapping

from aggregates.api_key.events import KeyKind
from app.data_dir import DataDir
from app.operations import fresh_key, issue, organization
from app.settings import Settings
from app.wiring import Engine
from kernel.tenant import Environment


SLUG = "default"


async def first_organization(
    engine: Engine, settings: Settings, folder: DataDir
) -> Mapping[str, str]:
    """Begin it unless it is there; the keys to show, none where they were shown before.

    A sandbox keeps its keys in the folder and shows them each time, production shows them once.
    """
    tenant, created = await organization(engine, SLUG, merchant_of_record=True)
    given = {
        kind.value: key.get_secret_value()
        for kind, key in (
            (KeyKind.SERVER, settings.server_key),
            (KeyKind.CLIENT, settings.client_key),
        )
        if key
    }
    sandbox = settings.environment is Environment.SANDBOX
    keys = {**(folder.read_keys() if sandbox else {}), **given}
    if sandbox or created:
        keys = {kind.value: keys.get(kind) or fresh_key(kind, tenant) for kind in KeyKind}
    if sandbox:
        folder.write_keys(keys)  # before they are issued: a kill in between loses none
    for kind, key in keys.items():
        await issue(engine, tenant, KeyKind(kind), key, name="first")
    return keys if sandbox or created else {}
