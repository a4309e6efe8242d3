"""One request of a customer who is signed in, and what its page is made with."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from commands.portal.signing_in import PortalCustomer
from kernel.portal import portal_path
from kernel.tenant import Tenant
from pages import forms
from pages.language import PARAMETER, address
from pages.look import Look
from pages.policy import ALWAYS
from pages.portal.cookies import Jar, said_to
from pages.rendering import page
from pages.surroundings import PageServices


PURPOSE = "portal"


@dataclass(frozen=True, slots=True)
class Form:
    """What a form carries hidden: its seal, and the number that makes it count once."""

    seal: str
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """``session`` is good, ``secret`` is its cookie's; everything shown is ``customer``'s."""

    request: Request
    services: PageServices
    tenant: Tenant
    look: Look
    session: UUID
    secret: str
    customer: PortalCustomer

    @property
    def jar(self) -> Jar:
        """Where cookies go."""
        return jar_of(self.request, self.services, self.tenant)

    def path(self, *parts: object) -> str:
        """The address of a page of this portal, in the language of this one."""
        below = "".join(f"{part}/" for part in parts)
        return address(self.request, f"{portal_path(self.tenant)}{below}")

    def form(self, name: str, *about: object) -> Form:
        """A new form of this page; ``about`` is what it may be sent for."""
        nonce = secrets.token_hex(16)
        return Form(forms.seal(self.tenant, self.secret, PURPOSE, name, *about, nonce), nonce)

    async def sent(self, name: str, *about: object) -> Mapping[str, str]:
        """The fields of a form that was shown in this session. Raises FormNotOurs."""
        fields = await self.fields()
        self.require(fields, name, *about)
        return fields

    async def fields(self) -> Mapping[str, str]:
        """The fields of a form, not yet believed: see ``require``."""
        return await forms.fields(self.request)

    def require(self, fields: Mapping[str, str], name: str, *about: object) -> None:
        """Raise FormNotOurs unless the form was shown in this session, for this."""
        nonce, seal = fields.get("nonce", ""), fields.get("seal", "")
        subject = (PURPOSE, name, *about, nonce)
        forms.require_shown_to(self.secret, self.request, self.tenant, seal, *subject)

    def shown(self, template: str, values: Mapping[str, Any], *, status: int = 200) -> Response:
        """A page of the portal, with what the one before left to say."""
        said = said_to(self.request)
        known = said is not None and f"portal_said.{said}" in self.look.language.words
        response = page(
            self.look,
            f"portal/{template}.html",
            {
                "at": self.path,
                "customer": self.customer,
                "section": self.request.url.path.removeprefix(portal_path(self.tenant)),
                "said": f"portal_said.{said}" if known else None,
                "sign_out": self.form("sign out"),
                "request_locale": self.request.query_params.get(PARAMETER, "")[:35],
                "problems": {},
                **values,
            },
            status=status,
        )
        if said is not None:
            self.jar.said(response)
        return response

    def done(self, word: str, *parts: object) -> Response:
        """On to another page, which says what was done."""
        response = RedirectResponse(self.path(*parts), 303, ALWAYS)
        self.jar.say(response, word)
        return response


def jar_of(request: Request, services: PageServices, tenant: Tenant) -> Jar:
    """Cookies are for https alone where the portal is reached by it."""
    secure = request.url.scheme == "https" or services.reader.base_url.startswith("https:")
    return Jar(tenant, secure)
