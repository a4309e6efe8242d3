"""Getting into the portal and out of it (design 13: Links).

The link with the token shows a button; only pressing it exchanges the token, so that whoever looks
at links in mails uses none up. From then on the cookie is all, and no address tells a secret.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from aggregates.portal_session.refusals import LinkNotValid, NotSignedIn
from aggregates.portal_session.token import digest_of, read
from commands.context import Context
from commands.portal.signing_in import (
    EndPortalSession,
    ExchangePortalToken,
    LookAtPortalSession,
    LookAtPortalToken,
    PortalCustomer,
)
from kernel.errors import NotFound, Refused
from kernel.ids import derived_id
from kernel.portal import portal_path
from kernel.tenant import Tenant
from pages import forms
from pages.language import address
from pages.look import Look, look_of
from pages.policy import ALWAYS
from pages.portal.cookies import session_of
from pages.portal.visit import Visit, jar_of
from pages.rendering import notice, page
from pages.sealed import sealed_page
from pages.surroundings import PageServices
from wire.http.errors import status_of


FORM = "portal entrance"
ACTOR = "portal"
Page = Callable[[Visit], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def for_customers(shown: Page) -> Endpoint:
    """The endpoint of a page that is for whoever is signed in."""

    async def endpoint(request: Request) -> Response:
        tenant, look = await _portal(request)
        try:
            return await shown(await _visit(request, tenant, look))
        except NotSignedIn:
            return signed_out(look, tenant)
        except Refused as refusal:
            return _refused(look, tenant, refusal)

    return endpoint


def entrance(home: Page) -> Endpoint:
    """The root of the portal: with a token its button, else the first page."""
    inside = for_customers(home)

    async def endpoint(request: Request) -> Response:
        token = request.query_params.get("token")
        return await inside(request) if token is None else await _button(request, token)

    return endpoint


async def exchange(request: Request) -> Response:
    """Take the token out of the form, once, and go on to a clean address with a cookie."""
    tenant, look = await _portal(request)
    form = await forms.fields(request)
    token = form.get("token", "")
    forms.require_ours(request, tenant, form.get("seal", ""), FORM, token)
    claimed = read(token)
    if claimed is None:
        return _no_way_in(look, tenant)
    secret = secrets.token_urlsafe(32)
    command = ExchangePortalToken(
        session_id=claimed.session, token=digest_of(claimed.secret), cookie=digest_of(secret)
    )
    try:
        services: PageServices = request.app.state.services
        await services.bus.dispatch(command, _context(tenant))
    except LinkNotValid:
        return _no_way_in(look, tenant)
    response = RedirectResponse(address(request, portal_path(tenant)), 303, ALWAYS)
    jar_of(request, services, tenant).sign_in(response, claimed.session, secret)
    return response


async def sign_out(visit: Visit) -> Response:
    """End the session; its cookie is good for nothing from now on."""
    await visit.sent("sign out")
    command = EndPortalSession(session_id=visit.session, cookie=digest_of(visit.secret))
    await visit.services.bus.dispatch(command, _context(visit.tenant, visit.customer))
    response = signed_out(visit.look, visit.tenant, left=True)
    visit.jar.sign_out(response)
    return response


def signed_out(look: Look, tenant: Tenant, *, left: bool = False) -> Response:
    """Nobody is in; a merchant's link leads in again."""
    say, merchant = look.language.say, look.brand.name
    if left:
        return notice(look, 200, say("portal.left"), say("portal.left_text", merchant=merchant))
    text = say("portal.not_signed_in_text", merchant=merchant)
    response = notice(look, 403, say("portal.not_signed_in"), text)
    services: PageServices = look.request.app.state.services
    jar_of(look.request, services, tenant).sign_out(response)
    return response


async def _button(request: Request, token: str) -> Response:
    tenant, look = await _portal(request)
    claimed, present = read(token), session_of(request)
    if claimed is None:
        return _no_way_in(look, tenant)
    if present is not None and present.session == claimed.session:
        return RedirectResponse(address(request, portal_path(tenant)), 303, ALWAYS)
    command = LookAtPortalToken(session_id=claimed.session, token=digest_of(claimed.secret))
    try:
        customer: PortalCustomer = await _previewed(request, tenant, command)
    except LinkNotValid:
        return _no_way_in(look, tenant)
    values = {
        "action": address(request, portal_path(tenant)),
        "email": veiled(customer.email),
        "merchant": look.brand.name,
        "token": token,
        "languages": [],
    }
    return sealed_page(look, tenant, "portal/entrance.html", values, FORM, token)


async def _portal(request: Request) -> tuple[Tenant, Look]:
    services: PageServices = request.app.state.services
    tenant = await services.tenants.by_slug(request.path_params["slug"])
    return tenant, await look_of(request, services, tenant)


async def _visit(request: Request, tenant: Tenant, look: Look) -> Visit:
    """Straight from the log: a session that was ended a moment ago is none."""
    claimed = session_of(request)
    if claimed is None:
        raise NotSignedIn
    command = LookAtPortalSession(session_id=claimed.session, cookie=digest_of(claimed.secret))
    return Visit(
        request=request,
        services=request.app.state.services,
        tenant=tenant,
        look=look,
        session=claimed.session,
        secret=claimed.secret,
        customer=await _previewed(request, tenant, command),
    )


async def _previewed(request: Request, tenant: Tenant, command: Any) -> PortalCustomer:
    services: PageServices = request.app.state.services
    customer: PortalCustomer = await services.bus.preview(command, _context(tenant))
    return customer


def _context(tenant: Tenant, customer: PortalCustomer | None = None) -> Context:
    command_id = derived_id(tenant.organization, "portal", uuid4())
    actor = ACTOR if customer is None else f"{ACTOR}:{customer.id}"
    return Context(tenant=tenant, actor=actor, command_id=command_id)


def _no_way_in(look: Look, tenant: Tenant) -> Response:
    """A wrong token; whoever tries many has to wait. Raises TooManyRequests."""
    look.request.app.state.sign_ins.take(look.request, (FORM, tenant.organization))
    say = look.language.say
    text = say("portal.link_not_valid_text", merchant=look.brand.name)
    return notice(look, 403, say("portal.link_not_valid"), text)


def _refused(look: Look, tenant: Tenant, refusal: Refused) -> Response:
    """In the words of the portal, with a way back."""
    say = look.language.say
    if isinstance(refusal, NotFound):
        title, text = say("kit.nothing_here"), say("portal.nothing_here_text")
    else:
        title = say("kit.did_not_work")
        text = look.language.refusal(refusal.code, refusal.message)
    values = {
        "title": title,
        "text": text,
        "back": address(look.request, portal_path(tenant)),
    }
    wait = refusal.retry_after_seconds
    headers = None if wait is None else {"Retry-After": str(wait)}
    return page(look, "portal/refused.html", values, status=status_of(refusal), headers=headers)


def veiled(email: str) -> str:
    """``a•••@example.com``: enough to know one's own, too little to learn another's."""
    name, _, host = email.rpartition("@")
    return f"{name[:1]}•••@{host}"
