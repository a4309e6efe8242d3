"""Forms that only the page they were shown on can send: signed, and bound to a cookie."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from kernel.errors import Invalid, NotAllowed
from kernel.signing import same, signature
from kernel.tenant import Tenant


COOKIE = "billstream_form"
MOST_FIELDS = 20
_PURPOSE = "page form"


class FormNotOurs(NotAllowed):
    """This form is no longer valid; nothing was sent. The page needs cookies."""  # noqa: D404 -- payers read it

    code = "form_not_ours"


class MalformedForm(Invalid):
    """The form could not be read."""

    code = "malformed_form"


def visitor(request: Request) -> str:
    """What the browser is known by while it is on the page; new unless it has one."""
    return request.cookies.get(COOKIE) or secrets.token_urlsafe(24)


def remember(response: Response, request: Request, who: str) -> None:
    """Let the browser keep what it is known by, for this page alone."""
    response.set_cookie(
        COOKIE,
        who,
        path=request.url.path.rstrip("/"),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def seal(tenant: Tenant, who: str, *about: object) -> str:
    """What the form carries to prove where it was shown, to whom and what it is about."""
    message = "\x00".join(map(str, (who, *about))).encode()
    return signature(tenant.secret, _PURPOSE, message).hex()


def require_ours(request: Request, tenant: Tenant, sealed: str, *about: object) -> None:
    """Raise FormNotOurs unless this browser was shown this form here."""
    require_shown_to(request.cookies.get(COOKIE), request, tenant, sealed, *about)


def require_shown_to(
    who: str | None, request: Request, tenant: Tenant, sealed: str, *about: object
) -> None:
    """Raise FormNotOurs unless the form was shown to ``who`` here."""
    _require_from_here(request)
    if who is None or not same(seal(tenant, who, *about), sealed):
        raise FormNotOurs


def require_same_visitor(request: Request, proof: str) -> None:
    """Raise FormNotOurs unless the form repeats what this browser is known by.

    For pages that belong to no organization, so that nobody's secret can seal their forms.
    """
    _require_from_here(request)
    who = request.cookies.get(COOKIE)
    if who is None or not same(who, proof):
        raise FormNotOurs


async def fields(request: Request, most: int = MOST_FIELDS) -> Mapping[str, str]:
    """The fields of a form, the last of each name."""
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most))
    except ValueError:
        raise MalformedForm from None


def _require_from_here(request: Request) -> None:
    """Browsers say which site a form was sent from; those that do not are old."""
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise FormNotOurs
