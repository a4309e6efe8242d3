"""The statements that put events and deliveries in place: many rows each, one array a column."""

from __future__ import annotations

from typing import Final


SAVE_EVENTS: Final = (
    "INSERT INTO webhooks.events (id, organization, owner, kind, position, created_at, payload) "
    "SELECT * FROM unnest(%b::uuid[], %b::uuid[], %b::uuid[], %b::text[], %b::bigint[], "
    "%b::timestamptz[], %b::bytea[]) ON CONFLICT (id) DO UPDATE SET id = excluded.id"
)
"""One that is there already stays as it is, and is locked: nobody forgets it now."""

SAVE_DELIVERIES: Final = (
    "INSERT INTO webhooks.deliveries (event, endpoint, lane) "
    "SELECT u.event, u.endpoint, u.lane FROM unnest(%b::uuid[], %b::uuid[], %b::uuid[]) "
    "WITH ORDINALITY AS u(event, endpoint, lane, n) ORDER BY u.n"
)
"""In the order of the events: ``seq`` is what a lane is ordered by."""

SAVE_LANES: Final = (
    "INSERT INTO webhooks.lanes AS l (endpoint, lane, waiting, due_at) "
    "SELECT u.endpoint, u.lane, u.n, now() FROM unnest(%b::uuid[], %b::uuid[], %b::int[]) "
    "AS u(endpoint, lane, n) "
    "ON CONFLICT (endpoint, lane) DO UPDATE SET waiting = l.waiting + excluded.waiting"
)
"""When a lane is due is left alone: it may be waiting for its next attempt, or be held."""

SAVE_ANNOUNCED: Final = "UPDATE webhooks.announced SET position = greatest(position, %s)"
