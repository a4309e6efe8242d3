"""The hosted pages as an ASGI app of their own: plain HTML that works without script."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from psycopg import OperationalError
from psycopg_pool import PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kernel.errors import NotFound, Refused, TooManyRequests, Unavailable
from pages import bank, brand_css, buy, media, payment, pricing
from pages.checkout.page import ROUTES as CHECKOUT
from pages.forms import FormNotOurs
from pages.limits import Attempts
from pages.look import look_so_far
from pages.portal.routes import ROUTES as PORTAL
from pages.rendering import STATIC, notice
from pages.surroundings import PageServices
from wire.http.errors import status_of
from wire.http.guard import Guard


PREFIXES = (
    *("/media/", "/pay/", "/checkout/", "/pages/", "/pricing/", "/portal/"),
    *("/buy/", "/sandbox/buy/"),
)
"""Where the pages live, beside the API and its documentation."""

ONE_ADDRESS = ("/pay/", "/checkout/", "/buy/", "/sandbox/buy/")
"""Pages that send their forms to themselves."""

ANEW = (FormNotOurs, TooManyRequests)
"""Refusals of a form that is good when its page is opened anew."""

CACHED = {"Cache-Control": "public, max-age=3600", "X-Content-Type-Options": "nosniff"}
_log = logging.getLogger(__name__)


def create_app(services: PageServices) -> Starlette:
    """All hosted pages."""
    app = Starlette(
        routes=[
            *payment.ROUTES,
            *CHECKOUT,
            *PORTAL,
            *brand_css.ROUTES,
            *bank.ROUTES,
            *media.ROUTES,
            *pricing.ROUTES,
            *buy.ROUTES,
            *(Route(f"/pages/{file.name}", _file(file)) for file in sorted(STATIC.iterdir())),
        ],
        exception_handlers={
            Refused: _refused,
            HTTPException: _http,
            OperationalError: _away,
            PoolTimeout: _away,
            Exception: _unexpected,
        },
    )
    app.add_middleware(Guard, large=media.PATH)
    app.state.services = services
    app.state.codes = Attempts(burst=10, per_minute=6)
    app.state.sign_ins = Attempts(burst=20, per_minute=20)
    app.state.prices = Attempts(burst=120, per_minute=240)
    app.state.cards = Attempts(burst=10, per_minute=5)
    app.state.new_checkouts = Attempts(burst=20, per_minute=20)
    return app


def _file(path: Path) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        del request
        return FileResponse(path, headers=CACHED)

    return serve


async def _refused(request: Request, refusal: Exception) -> Response:
    if not isinstance(refusal, Refused):
        raise refusal
    look = look_so_far(request)
    say = look.language.say
    if isinstance(refusal, NotFound):
        return notice(look, 404, say("kit.nothing_here"), say("kit.nothing_here_text"))
    text = look.language.refusal(refusal.code, refusal.message)
    again = _again(request) if isinstance(refusal, ANEW) else None
    answer = notice(look, status_of(refusal), say("kit.did_not_work"), text, again=again)
    if refusal.retry_after_seconds is not None:
        answer.headers["Retry-After"] = str(refusal.retry_after_seconds)
    return answer


def _again(request: Request) -> str | None:
    """The page of the form, where it can be opened at the address that the form was sent to."""
    path = request.url.path
    if not path.startswith(ONE_ADDRESS):
        return None
    return f"{path}?{request.url.query}" if request.url.query else path


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 404:
        return await _refused(request, NotFound())
    look = look_so_far(request)
    title = look.language.say("kit.did_not_work")
    return notice(look, error.status_code, title, error.detail, headers=error.headers)


async def _away(request: Request, error: Exception) -> Response:
    _log.warning("a page could not be made: the database is away: %s", error)
    return await _refused(request, Unavailable())


async def _unexpected(request: Request, error: Exception) -> Response:
    _log.error("a page could not be made", exc_info=error)
    look = look_so_far(request)
    return notice(
        look, 500, look.language.say("kit.did_not_work"), look.language.say("kit.our_fault")
    )
