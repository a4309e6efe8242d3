"""The generated documents of this version."""

from __future__ import annotations

import functools
from typing import Any

from app import asyncapi, event_reference, fact_schemas, openapi
from read_api import app as read_api
from read_api import edge as edge_api
from write_api import app as write_api


def core() -> dict[str, Any]:
    """OpenAPI of the core API, commands and queries together."""
    return openapi.merged("billstream", openapi.of(write_api.ROUTERS), openapi.of(read_api.ROUTERS))


def edge() -> dict[str, Any]:
    """OpenAPI of the edge API, whose plain routes describe themselves."""
    return {**openapi.merged("billstream edge"), "paths": openapi.operations(edge_api.PATHS)}


@functools.cache
def generated() -> dict[str, str]:
    """Every generated document by its path under ``docs/reference``."""
    return {
        "openapi.json": openapi.text(core()),
        "openapi-edge.json": openapi.text(edge()),
        "events.md": event_reference.text(),
        "asyncapi.json": fact_schemas.text(asyncapi.document()),
        **fact_schemas.documents(),
    }
