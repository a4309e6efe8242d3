"""The one table from refusals to HTTP answers (spec: Errors, design 13)."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from psycopg import OperationalError
from psycopg_pool import PoolTimeout
from pydantic.alias_generators import to_camel
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from kernel import errors
from wire.http.routes import allowed_methods


STATUS: dict[type[errors.Refused], int] = {
    errors.Invalid: 400,
    errors.Unauthenticated: 401,
    errors.NotAllowed: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Gone: 410,
    errors.TooLarge: 413,
    errors.Unprocessable: 422,
    errors.NotReady: 428,
    errors.TooManyRequests: 429,
    errors.BadUpstream: 502,
    errors.Unavailable: 503,
    errors.UpstreamSilent: 504,
}

_BRANCH = re.compile(
    r"\[key\]|function-.*|literal\[.*|constrained-.*|bool|int|float|str|decimal|datetime"
)
"""What the validator adds to a field's path when it tells of one of several types it tried."""

_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")
"""How the validator writes a member of an enumeration: its value is what clients know."""

_BOUNDS = {"too_short": ("at least", "min_length"), "too_long": ("at most", "max_length")}
"""A text that was looked through before it was measured is told of as a list would be."""

_log = logging.getLogger(__name__)


def status_of(refusal: errors.Refused) -> int:
    """The HTTP status of a refusal: that of the nearest family in its ancestry."""
    return next((STATUS[family] for family in type(refusal).__mro__ if family in STATUS), 400)


def answer(refusal: errors.Refused) -> JSONResponse:
    """Field errors keyed by field, everything else ``{detail, code}`` or ``{error, code}``."""
    if isinstance(refusal, errors.InvalidFields):
        return JSONResponse(refusal.fields, 400)
    body = {refusal.body_key: refusal.message, "code": refusal.code}
    return JSONResponse(body, status_of(refusal), _headers(refusal))


def _headers(refusal: errors.Refused) -> dict[str, str]:
    if isinstance(refusal, errors.Unauthenticated):
        return {"WWW-Authenticate": "Bearer"}
    if refusal.retry_after_seconds is not None:
        return {"Retry-After": str(refusal.retry_after_seconds)}
    return {}


def install(app: Starlette) -> None:
    """Give an app the error table."""
    app.add_exception_handler(errors.Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(OperationalError, _database_away)
    app.add_exception_handler(PoolTimeout, _database_away)
    app.add_exception_handler(Exception, _unexpected)


async def _refused(request: Request, refusal: Exception) -> JSONResponse:
    del request
    if not isinstance(refusal, errors.Refused):
        raise refusal
    return answer(refusal)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    del request
    if not isinstance(error, RequestValidationError):
        raise error
    fields: dict[str, list[str]] = {}
    for found in error.errors():
        if found["type"] == "json_invalid":
            message = f"JSON parse error: {found.get('ctx', {}).get('error', found['msg'])}"
            return JSONResponse({"detail": message, "code": "malformed_json"}, 400)
        fields.setdefault(_field(found["loc"]), []).append(_message(found))
    return JSONResponse(fields, 400)


def _field(location: Sequence[Any]) -> str:
    """The name of the field: body keys in camelCase, query keys as they are."""
    source, *path = location
    if not path:
        return "nonFieldErrors"
    words = [str(part) for part in path if not _BRANCH.fullmatch(str(part))]
    is_body = source == "body"
    return ".".join(to_camel(word) if is_body and "_" in word else word for word in words)


def _message(found: Any) -> str:
    if found["type"] == "missing":
        return "This field is required."
    if found["type"] == "tuple_type":
        return "Input should be a valid list"
    if found["type"] in _BOUNDS and isinstance(found.get("input"), str):
        words, bound = _BOUNDS[found["type"]]
        count = found["ctx"][bound]
        return f"String should have {words} {count} character{'' if count == 1 else 's'}"
    message: str = _MEMBER.sub(r"\1", found["msg"])
    return message.removeprefix("Value error, ")


async def _http(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code in (404, 405):
        allowed = allowed_methods(request)
        if allowed:
            detail = f"Method {request.method} is not allowed."
            body = {"detail": detail, "code": "method_not_allowed"}
            return JSONResponse(body, 405, {"Allow": ", ".join(allowed)})
        return JSONResponse({"detail": "Not found.", "code": "not_found"}, 404)
    return JSONResponse({"detail": error.detail, "code": "error"}, error.status_code)


async def _database_away(request: Request, error: Exception) -> JSONResponse:
    _log.warning("%s %s: the database is away: %s", request.method, _operation(request), error)
    return answer(errors.Unavailable())


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    _log.error("%s %s failed", request.method, _operation(request), exc_info=error)
    return JSONResponse({"detail": "Unexpected server error.", "code": "server_error"}, 500)


def _operation(request: Request) -> str:
    """The path without what was asked for: the id of a checkout session opens its page."""
    return str(getattr(request.scope.get("route"), "path", "an unknown path"))
