"""How every query goes: wait for the position the client sent, then read (design 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Response

from kernel.errors import InvalidFields, NotFound
from kernel.ids import natural_id
from kernel.tenant import Tenant
from projections.positions import VIEW_WAIT_SECONDS
from projections.reader import Condition, Reader, Wanted
from projections.table import Table
from wire.http.caller import Caller, ServerCaller
from wire.http.pages import USUAL, PageNumber, PageSize, PageSizes, envelope


POSITION_HEADER = "billstream-position"


class Query:
    """One read request of a caller."""

    def __init__(self, request: Request, caller: Caller) -> None:
        """Take the views of the app that serves the request."""
        self.request = request
        self.caller = caller
        self.reader: Reader = request.app.state.reader

    @property
    def tenant(self) -> Tenant:
        """The caller's organization."""
        return self.caller.tenant

    async def one(self, table: Table, key: object, refusal: NotFound | None = None) -> Response:
        """The body of a visible row. Raises ``refusal``, or NotFound."""
        body = await self.reader.find(table, self.tenant, key)
        if body is None:
            raise refusal or NotFound
        return Response(body, media_type="application/json")

    async def first(
        self, table: Table, *conditions: Condition, refusal: NotFound | None = None
    ) -> Response:
        """The body of the newest row that meets all conditions. Raises ``refusal``, or NotFound."""
        body = await self.reader.first(table, self.tenant, *conditions)
        if body is None:
            raise refusal or NotFound
        return Response(body, media_type="application/json")

    def natural_id(self, kind: str, key: str) -> UUID:
        """The id of a natural key of the organization."""
        return natural_id(self.tenant.secret, kind, key)


class ListQuery(Query):
    """One request for a page of a list."""

    def __init__(
        self, request: Request, caller: Caller, *, page: int, page_size: int | None
    ) -> None:
        """Take what was asked; the list knows its sizes."""
        super().__init__(request, caller)
        self._page = page
        self._page_size = page_size

    async def page(
        self,
        table: Table,
        *conditions: Condition,
        sizes: PageSizes = USUAL,
        buckets: dict[str, list[str]] | None = None,
        more: Mapping[str, Sequence[bytes]] | None = None,
    ) -> Response:
        """One page, newest first. ``buckets`` filter by columns whose counts are kept.

        ``more`` are further lists beside the results.
        """
        page_size = min(self._page_size or sizes.default, sizes.maximum)
        wanted = Wanted(
            page=self._page, page_size=page_size, buckets=buckets or {}, conditions=conditions
        )
        found = await self.reader.page(table, self.tenant, wanted)
        return envelope(
            self.request,
            count=found.count,
            bodies=found.bodies,
            page=self._page,
            page_size=page_size,
            more=more,
        )

    def page_of(self, bodies: Sequence[bytes], *, sizes: PageSizes = USUAL) -> Response:
        """One page of a list that is all at hand."""
        limit, offset = self.window(sizes)
        return self.envelope(len(bodies), bodies[offset : offset + limit], sizes=sizes)

    def window(self, sizes: PageSizes = USUAL) -> tuple[int, int]:
        """How many rows to show and how many to skip before them."""
        page_size = min(self._page_size or sizes.default, sizes.maximum)
        return page_size, (self._page - 1) * page_size

    def envelope(
        self, count: int, bodies: Sequence[bytes], *, sizes: PageSizes = USUAL
    ) -> Response:
        """The rows of the page that was asked for, of ``count`` in all."""
        page_size, _ = self.window(sizes)
        return envelope(
            self.request, count=count, bodies=bodies, page=self._page, page_size=page_size
        )


async def server_query(request: Request, caller: ServerCaller) -> Query:
    """A query that needs a server key; waits for the position the client sent."""
    query = Query(request, caller)
    await wait_for_position(request, query.reader)
    return query


async def server_list(
    request: Request, caller: ServerCaller, page: PageNumber = 1, page_size: PageSize = None
) -> ListQuery:
    """A list that needs a server key; waits for the position the client sent."""
    query = ListQuery(request, caller, page=page, page_size=page_size)
    await wait_for_position(request, query.reader)
    return query


async def wait_for_position(request: Request, reader: Reader) -> None:
    """Let the views get as far as the client has seen."""
    text = request.headers.get(POSITION_HEADER)
    if text is None:
        return
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise InvalidFields({"Billstream-Position": ["A position is a whole number."]})
    await reader.positions.wait(int(text), VIEW_WAIT_SECONDS)


ServerQuery = Annotated[Query, Depends(server_query)]
ServerList = Annotated[ListQuery, Depends(server_list)]
