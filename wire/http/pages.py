"""Pages of lists: ``page`` and ``page_size`` in, the envelope out (spec: Pagination, wire 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from fastapi import Query, Request, Response

from kernel.errors import NotFound


MAX_PAGE = 2**53


class InvalidPage(NotFound):
    """Invalid page."""

    code = "invalid_page"


@dataclass(frozen=True, slots=True)
class PageSizes:
    """What a list gives when not asked, and at the most; more is capped, not refused."""

    default: int
    maximum: int


CATALOG = PageSizes(100, 100)
CUSTOMERS = PageSizes(1_000, 10_000)
USUAL = PageSizes(10, 100)


PageNumber = Annotated[int, Query(ge=1, le=MAX_PAGE, description="The page, from 1.")]
PageSize = Annotated[
    int | None,
    Query(ge=1, le=MAX_PAGE, description="Rows a page; more than the maximum is capped."),
]
Search = Annotated[
    str | None, Query(max_length=200, pattern=r"^[^\x00]*$", description="Free text.")
]


def envelope(
    request: Request,
    *,
    count: int,
    bodies: Sequence[bytes],
    page: int,
    page_size: int,
    more: Mapping[str, Sequence[bytes]] | None = None,
) -> Response:
    """``{count, next, previous, results}`` around rendered bodies. Raises InvalidPage.

    ``more`` are further lists of rendered bodies, by name.
    """
    if page > 1 and (page - 1) * page_size >= count:
        raise InvalidPage
    following = _link(request, page + 1) if page * page_size < count else None
    before = _link(request, page - 1) if page > 1 else None
    head = msgspec.json.encode({"count": count, "next": following, "previous": before})
    lists = {**(more or {}), "results": bodies}
    named = (b'"%b":[%b]' % (name.encode(), b",".join(every)) for name, every in lists.items())
    body = head[:-1] + b"," + b",".join(named) + b"}"
    return Response(body, media_type="application/json")


def _link(request: Request, page: int) -> str:
    """The same request for another page, absolute, in the scheme of the request."""
    return str(request.url.include_query_params(page=page))
