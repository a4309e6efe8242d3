"""The products view: the catalog's products, their settings and the plans on sale under them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

import msgspec

from aggregates.product.events import (
    ProductArchived,
    ProductCreated,
    ProductReworded,
    ProductSettings,
    ProductSettingsChanged,
    ProductWording,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.reader import Condition, Reader, containing
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.catalog.product import IMAGES_TOKEN, PLANS_TOKEN, product_out, settings_out
from wire.media import product_images_out
from wire.times import instant


PUBLISHED_PLANS = (
    "(SELECT coalesce(array_agg(p.identifier ORDER BY p.created), '{}') FROM plans p "
    "WHERE p.product_id = t.id AND p.published_version IS NOT NULL AND NOT p.archived)"
)


def _images(shown: str, present: Present) -> Any:
    images = msgspec.json.decode(shown)
    return product_images_out(images, present.base_url, present.tenant.organization)


PRODUCTS = Table(
    name="products",
    columns=(
        Column("identifier"),
        Column("name"),
        Column("description"),
        Column("archived", "boolean"),
        Column("currency"),
        Column("shown"),
    ),
    buckets=("archived",),
    render=product_out,
    splices=(Splice(PLANS_TOKEN, PUBLISHED_PLANS), Splice(IMAGES_TOKEN, "t.shown", _images)),
)

PRODUCT_SETTINGS = Table(name="product_settings", render=lambda doc: doc["settings"])

view = View("products", PRODUCTS, PRODUCT_SETTINGS, version=2)


@view.on(ProductCreated)
def created(docs: Documents, recorded: Recorded, fact: ProductCreated) -> None:
    """A new product, with the settings every product starts with."""
    at = instant(fact.occurred_at)
    head = {
        "id": str(recorded.stream),
        "organization": str(recorded.organization),
        "created": recorded.position,
    }
    doc = {
        **head,
        "identifier": fact.identifier,
        "currency": None,
        "created_by": fact.created_by,
        "created_on": at,
        "modified_on": at,
        "archived": False,
        **_worded(fact.wording),
    }
    docs.put(PRODUCTS, recorded.stream, _plain(doc))
    docs.put(
        PRODUCT_SETTINGS, recorded.stream, {**head, "settings": settings_out(ProductSettings())}
    )


@view.on(ProductReworded)
def reworded(docs: Documents, recorded: Recorded, fact: ProductReworded) -> None:
    """Other words."""
    _change(docs, recorded, {**_worded(fact.wording), "modified_on": instant(fact.occurred_at)})


@view.on(
    ProductSettingsChanged,
    loads=lambda recorded, _: (
        (PRODUCTS, recorded.stream),
        (PRODUCT_SETTINGS, recorded.stream),
    ),
)
def settings_changed(docs: Documents, recorded: Recorded, fact: ProductSettingsChanged) -> None:
    """Other settings."""
    _change(
        docs,
        recorded,
        {"currency": fact.settings.currency, "modified_on": instant(fact.occurred_at)},
    )
    known = docs.get(PRODUCT_SETTINGS, recorded.stream) or {}
    docs.put(PRODUCT_SETTINGS, recorded.stream, {**known, "settings": settings_out(fact.settings)})


@view.on(ProductArchived)
def archived(docs: Documents, recorded: Recorded, fact: ProductArchived) -> None:
    """Out of the lists; the row stays for its plans."""
    _change(docs, recorded, {"archived": True, "modified_on": instant(fact.occurred_at)})


def _worded(wording: ProductWording) -> dict[str, Any]:
    """The words as the row has them; ``shown`` is the pictures as JSON."""
    words = asdict(wording)
    return {**words, "shown": msgspec.json.encode(words.pop("images")).decode()}


def matching(text: str) -> Condition:
    """Name, identifier or description contains the text, without case (wire 18.1)."""
    return containing(text, "t.name", "t.identifier", "t.description")


def _change(docs: Documents, recorded: Recorded, changed: Doc) -> None:
    doc = docs.get(PRODUCTS, recorded.stream)
    if doc is None:
        raise LookupError(f"product {recorded.stream} is not in the view")
    docs.put(PRODUCTS, recorded.stream, _plain({**doc, **changed}))


def _plain(doc: dict[str, Any]) -> Doc:
    plain: Doc = msgspec.to_builtins(doc)
    return plain


async def product_of_link(reader: Reader, product: UUID) -> tuple[UUID, str] | None:
    """Whose product it is and what it is called, for links that nobody needs a key for."""
    sql = "SELECT organization, name FROM products WHERE id = %s AND NOT archived"
    rows = await reader.rows(sql, (product,))
    return (rows[0][0], str(rows[0][1])) if rows else None
