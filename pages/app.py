"""The hosted pages as an ASGI app of their own: plain HTML, no script."""

from __future__ import annotations

import logging

from psycopg import OperationalError
from psycopg_pool import PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kernel.errors import NotFound, Refused, Unavailable
from pages import payment
from pages.rendering import FOLDER, notice
from pages.surroundings import PageServices
from wire.http.errors import status_of
from wire.http.guard import Guard


PREFIXES = ("/pay/", "/pages/")
"""Where the pages live, beside the API and its documentation."""

_STYLE = FOLDER / "static" / "style.css"
_log = logging.getLogger(__name__)


def create_app(services: PageServices) -> Starlette:
    """All hosted pages."""
    app = Starlette(
        routes=[*payment.ROUTES, Route("/pages/style.css", _style)],
        exception_handlers={
            Refused: _refused,
            HTTPException: _http,
            OperationalError: _away,
            PoolTimeout: _away,
            Exception: _unexpected,
        },
    )
    app.add_middleware(Guard)
    app.state.services = services
    return app


async def _style(request: Request) -> Response:
    del request
    return FileResponse(_STYLE, headers={"Cache-Control": "public, max-age=3600"})


async def _refused(request: Request, refusal: Exception) -> Response:
    del request
    if not isinstance(refusal, Refused):
        raise refusal
    if isinstance(refusal, NotFound):
        return notice(404, "There is nothing here", "Check the address, or ask who sent it to you.")
    answer = notice(status_of(refusal), "That did not work", refusal.message)
    if refusal.retry_after_seconds is not None:
        answer.headers["Retry-After"] = str(refusal.retry_after_seconds)
    return answer


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 404:
        return await _refused(request, NotFound())
    return notice(error.status_code, "That did not work", error.detail, error.headers)


async def _away(request: Request, error: Exception) -> Response:
    _log.warning("a page could not be made: the database is away: %s", error)
    return await _refused(request, Unavailable())


async def _unexpected(request: Request, error: Exception) -> Response:
    del request
    _log.error("a page could not be made", exc_info=error)
    return notice(500, "That did not work", "The fault is ours. Please try again in a moment.")
