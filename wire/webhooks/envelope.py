"""The envelope of a webhook event (wire 27.2)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from wire.times import seconds


Object = dict[str, Any]
"""A resource as webhooks show it, with ``object`` naming its type."""


def envelope(
    event: UUID, kind: str, *, created_at: str, shown: Object, previous: Object | None
) -> bytes:
    """Compact JSON. ``created_at`` is a document's instant; ``previous`` only on update kinds."""
    data: Object = {"object": shown}
    if previous is not None:
        data["previous_attributes"] = previous
    head = {"id": str(event), "type": kind, "created_at": seconds(created_at), "data": data}
    return msgspec.json.encode(head)


def previous_attributes(before: Object, after: Object) -> Object:
    """The attributes that changed, with their values before: laid over ``after`` they give it back.

    An attribute that ``before`` lacked has no value to give back; shapes have fixed keys.
    """
    return {key: value for key, value in before.items() if key not in after or after[key] != value}


def is_silent(previous: Object) -> bool:
    """Whether a change shows in nothing but the time of the change."""
    return previous.keys() <= {"modified_on"}
