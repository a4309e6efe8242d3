"""The license inside subscriptions, orders and invoices, as it is now (wire 6.1, 13)."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.reader import token
from projections.table import Present, Splice
from wire.license import brief


LICENSES = token("licenses")

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def splice(column: str, row: str) -> Splice:
    """The license whose ``column`` names the row: a subscription, an order or an invoice.

    No join: pages and counts would go through it for every row that they skip.
    """
    sql = f"(SELECT li.doc FROM licenses li WHERE li.{column} = {row} LIMIT 1)"
    return Splice(LICENSES, sql, _shown)


def _shown(doc: bytes | None, present: Present) -> list[Any]:
    del present
    return [] if doc is None else [brief(_decode(doc))]
