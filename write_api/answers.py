"""The usual answers to writes: the row as the view shows it, a message, or nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from fastapi import Response

from kernel.errors import NotFound, Unavailable
from projections.table import Table
from write_api.write import Answer, Done


class ViewsBehind(Unavailable):
    """Recorded, but the views have not shown it yet; read it again in a moment."""

    code = "views_behind"


def row(table: Table, key: UUID | None = None, *, status: int = 200) -> Answer:
    """The body of a row; ``key`` defaults to the stream of the command's first fact."""

    async def answer(done: Done) -> Response:
        wanted = key or done.stream
        if wanted is None:
            raise NotFound
        body = await done.reader.find(table, done.tenant, wanted)
        if body is None:
            raise ViewsBehind
        return Response(body, status, media_type="application/json")

    return answer


def content(value: Any, *, status: int = 200) -> Answer:
    """A body that does not depend on the views."""

    async def answer(done: Done) -> Response:
        del done
        return Response(msgspec.json.encode(value), status, media_type="application/json")

    return answer


def message(text: str, *, status: int = 200) -> Answer:
    """``{message}``."""
    return content({"message": text}, status=status)


def nothing() -> Answer:
    """204."""

    async def answer(done: Done) -> Response:
        del done
        return Response(status_code=204)

    return answer
