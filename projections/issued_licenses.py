"""The license inside subscriptions, orders and invoices, as it is now (wire 6.1, 13)."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.reader import token
from projections.table import Present, Splice
from wire.license import brief


LICENSES = token("licenses")

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def join(column: str, row: str) -> str:
    """The license whose ``column`` names the row: a subscription, an order or an invoice."""
    return f"LEFT JOIN licenses li ON li.{column} = {row}"


def _shown(doc: bytes | None, present: Present) -> list[Any]:
    del present
    return [] if doc is None else [brief(_decode(doc))]


SPLICE = Splice(LICENSES, "li.doc", _shown)
