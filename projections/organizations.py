"""The organizations view: settings, and the look of hosted pages."""

from __future__ import annotations

from typing import Any

import msgspec

from aggregates.organization.events import (
    CheckoutLook,
    CheckoutLookChanged,
    OrganizationCreated,
    OrganizationSettingsChanged,
    RetentionSettingsChanged,
)
from kernel.ports.event_store import Recorded
from kernel.retention import RetentionSettings
from kernel.settings import Settings
from projections.documents import Documents
from projections.reader import token
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.organization import checkout_settings_out, picture_address, settings_out
from wire.retention import settings_out as retention_settings_out


PICTURES = ("light_logo", "dark_logo", "favicon", "background_image")


def _address(key: Any, present: Present) -> str | None:
    return picture_address(key, present.base_url, present.tenant.organization)


ORGANIZATION_SETTINGS = Table(name="organization_settings", render=settings_out)
CHECKOUT_SETTINGS = Table(
    name="checkout_settings",
    columns=tuple(Column(name) for name in PICTURES),
    splices=tuple(Splice(token(name), f"t.{name}", _address) for name in PICTURES),
    render=checkout_settings_out,
)

RETENTION_SETTINGS = Table(
    name="retention_settings",
    render=lambda doc: retention_settings_out(msgspec.convert(doc["settings"], RetentionSettings)),
)

_TABLES = (ORGANIZATION_SETTINGS, CHECKOUT_SETTINGS, RETENTION_SETTINGS)

view = View("organizations", *_TABLES, version=4)


@view.on(OrganizationCreated)
def created(docs: Documents, recorded: Recorded, fact: OrganizationCreated) -> None:
    """All rows, with the defaults."""
    head = {
        "id": str(recorded.stream),
        "organization": str(recorded.organization),
        "created": recorded.position,
    }
    words = {"slug": fact.slug, "merchant_of_record": fact.merchant_of_record}
    docs.put(
        ORGANIZATION_SETTINGS,
        recorded.stream,
        {**head, **words, "settings": _plain(Settings())},
    )
    docs.put(CHECKOUT_SETTINGS, recorded.stream, {**head, **_plain(CheckoutLook())})
    docs.put(RETENTION_SETTINGS, recorded.stream, {**head, "settings": _plain(RetentionSettings())})


@view.on(OrganizationSettingsChanged)
def settings_changed(
    docs: Documents, recorded: Recorded, fact: OrganizationSettingsChanged
) -> None:
    """All settings as they are from now on."""
    doc = _known(docs, ORGANIZATION_SETTINGS, recorded)
    docs.put(ORGANIZATION_SETTINGS, recorded.stream, {**doc, "settings": _plain(fact.settings)})


@view.on(CheckoutLookChanged, loads=lambda recorded, _: ((CHECKOUT_SETTINGS, recorded.stream),))
def look_changed(docs: Documents, recorded: Recorded, fact: CheckoutLookChanged) -> None:
    """The whole look as it is from now on."""
    doc = _known(docs, CHECKOUT_SETTINGS, recorded)
    docs.put(CHECKOUT_SETTINGS, recorded.stream, {**doc, **_plain(fact.look)})


@view.on(
    RetentionSettingsChanged, loads=lambda recorded, _: ((RETENTION_SETTINGS, recorded.stream),)
)
def retention_changed(docs: Documents, recorded: Recorded, fact: RetentionSettingsChanged) -> None:
    """All that is offered from now on."""
    doc = _known(docs, RETENTION_SETTINGS, recorded)
    docs.put(RETENTION_SETTINGS, recorded.stream, {**doc, "settings": _plain(fact.settings)})


def _plain(settings: Settings | RetentionSettings | CheckoutLook) -> Doc:
    plain: Doc = msgspec.to_builtins(settings)
    return plain


def _known(docs: Documents, table: Table, recorded: Recorded) -> Doc:
    doc = docs.get(table, recorded.stream)
    if doc is None:
        raise LookupError(f"organization {recorded.stream} is not in {table.name}")
    return doc
