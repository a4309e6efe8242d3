"""One request for the page of a checkout session, and the session as it stands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from commands.checkout.quote_checkout import Quote, QuoteCheckout
from commands.checkout.standing import Standing, standing
from commands.context import Context
from kernel.checkout_link import organization_in
from kernel.errors import NotFound
from kernel.ids import derived_id
from kernel.tenant import Tenant
from pages.look import Look, look_of
from pages.surroundings import PageServices


BUYER = "buyer"


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a session that exists."""

    request: Request
    services: PageServices
    tenant: Tenant
    session_id: str
    now: Standing
    look: Look

    def context(self) -> Context:
        """For one command of the buyer."""
        command_id = derived_id(
            self.tenant.organization, "checkout page", self.session_id, secrets.token_hex(16)
        )
        return Context(tenant=self.tenant, actor=BUYER, command_id=command_id)

    async def does(self, command: object) -> None:
        """Dispatch a command of the buyer."""
        await self.services.bus.dispatch(command, self.context())

    async def quote(self, changes: Mapping[str, Any] | None = None) -> Quote:
        """What is bought at its price, with changes that nobody has kept yet."""
        command = QuoteCheckout(session_id=self.session_id, changes=changes or {})
        quote: Quote = await self.services.bus.preview(command, self.context())
        return quote

    async def again(self) -> Visit:
        """The same with the session as it stands by now."""
        now = await _standing(self.services, self.tenant, self.session_id)
        return Visit(self.request, self.services, self.tenant, self.session_id, now, self.look)


async def visit_of(request: Request) -> Visit:
    """The session that the address names. Raises NotFound."""
    services: PageServices = request.app.state.services
    session_id: str = request.path_params["session"]
    organization = organization_in(session_id)
    if organization is None:
        raise NotFound
    tenant = await services.tenants.get(organization)
    now = await _standing(services, tenant, session_id)
    look = await look_of(request, services, tenant)
    return Visit(request, services, tenant, session_id, now, look)


async def _standing(services: PageServices, tenant: Tenant, session_id: str) -> Standing:
    now = await standing(services.bus, tenant, session_id, services.reader.clock.now())
    if now is None:
        raise NotFound
    return now
