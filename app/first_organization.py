"""The organization that `up` begins with, and the keys that open it."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.cannot_start import CannotStart
from aggregates.api_key.events import KeyKind
from aggregates.api_key.secret import keep
from aggregates.api_key.state import API_KEY
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
    keys = {
        kind: key
        if kind in given or not await ended(engine, key)
        else fresh_key(KeyKind(kind), tenant)
        for kind, key in keys.items()
    }
    if sandbox:
        folder.write_keys(keys)  # before they are issued: a kill in between loses none
    for kind, key in keys.items():
        await issue(engine, tenant, KeyKind(kind), key, name="first")
        if await ended(engine, key):
            raise CannotStart(f"BILLSTREAM_{kind.upper()}_KEY was revoked or has expired")
    return keys if sandbox or created else {}


async def ended(engine: Engine, key: str) -> bool:
    """Whether the key was handed out once and opens nothing any more."""
    state = API_KEY.of((await engine.store.load(keep(key).id)).facts)
    return bool(state.digest) and not state.works_at(engine.clock.now())
