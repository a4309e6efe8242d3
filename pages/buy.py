"""Static product links: a page with one button that makes a checkout session (wire 16.3).

Opening a link makes nothing, so that crawlers and previews of messengers leave no customers behind.
The form stands for one session: sent twice, it leads to the same.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from uuid import UUID

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from aggregates.checkout.events import Origin, Origins
from commands.billing.selling import AlreadySubscribed
from commands.checkout.create_checkout import CreateCheckout
from commands.context import Context
from kernel.checkout_link import PATH, new_session_id
from kernel.errors import Invalid, NotFound, Refused
from kernel.ids import derived_id
from kernel.tenant import Environment, Tenant
from pages import forms
from pages.look import Look, look_of
from pages.policy import ALWAYS
from pages.rendering import notice
from pages.sealed import sealed_page
from pages.surroundings import PageServices
from projections.merchants import merchant_of
from projections.plans_on_sale import of_product, plans_on_sale
from projections.products import product_of_link
from wire.checkout import LinkIn
from wire.http.visitors import visitors_of
from wire.monetization.plans import PlanOnSale


BUYER = "buyer"
FORM = "buy"


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for the link of a product that is sold."""

    request: Request
    services: PageServices
    tenant: Tenant
    product: UUID
    name: str
    plans: list[PlanOnSale]
    look: Look


async def show(request: Request) -> Response:
    """What is bought from whom, and the button."""
    visit = await _visit(request)
    try:
        _chosen(visit, _link(request))
    except Refused:
        return await _wrong(visit)
    once = secrets.token_urlsafe(16)
    values = {
        "product": visit.name,
        "merchant": await merchant_of(visit.services.reader, visit.tenant),
        "once": once,
    }
    return sealed_page(visit.look, visit.tenant, "buy.html", values, FORM, visit.product, once)


async def go(request: Request) -> Response:
    """Make the session that the form stands for, and go there."""
    visit = await _visit(request)
    form = await forms.fields(request)
    once = form.get("once", "")
    forms.require_ours(request, visit.tenant, form.get("seal", ""), FORM, visit.product, once)
    request.app.state.new_checkouts.take(request, (FORM, visit.product))
    try:
        command = _command(visit, once)
        await visit.services.bus.dispatch(command, _context(visit, once))
    except (Invalid, AlreadySubscribed):
        return await _wrong(visit)  # strangers are not told what a customer has
    return RedirectResponse(f"{PATH}{command.session_id}/", 303, ALWAYS)


ROUTES = [
    Route(path, endpoint, methods=[method])
    for prefix in ("", "/sandbox")
    for path in (f"{prefix}/buy/{{product}}", f"{prefix}/buy/{{product}}/")
    for endpoint, method in ((show, "GET"), (go, "POST"))
]


async def _visit(request: Request) -> Visit:
    services: PageServices = request.app.state.services
    try:
        product = UUID(request.path_params["product"])
    except ValueError:
        raise NotFound from None
    found = await product_of_link(services.reader, product)
    if found is None:
        raise NotFound
    organization, name = found
    tenant = await services.tenants.get(organization)
    in_sandbox = request.url.path.startswith("/sandbox/")
    if in_sandbox and tenant.environment is not Environment.SANDBOX:
        raise NotFound
    plans = await plans_on_sale(services.reader, tenant, of_product(product))
    look = await look_of(request, services, tenant)
    return Visit(request, services, tenant, product, name, plans, look)


def _link(request: Request) -> LinkIn:
    """What the query says. Raises Invalid."""
    try:
        return LinkIn.model_validate(dict(request.query_params))
    except ValidationError:
        raise Invalid from None


def _chosen(visit: Visit, link: LinkIn) -> PlanOnSale:
    """The plan that the link names, else the first of the product. Raises NotFound."""
    allowed = [plan for plan in visit.plans if not link.enabled or plan.identifier in link.enabled]
    for plan in allowed:
        if link.plan_identifier in (None, plan.identifier):
            return plan
    raise NotFound


def _command(visit: Visit, once: str) -> CreateCheckout:
    link = _link(visit.request)
    plan = _chosen(visit, link)
    request = derived_id(visit.product, FORM, once)
    periods = [period for price in plan.version.prices for period in price.periods]
    if link.charge_period is None and not periods:
        raise Invalid
    return CreateCheckout(
        session_id=new_session_id(visit.tenant, request),
        customer_id=link.customer_id or f"cus_{derived_id(request, 'customer').hex}",
        plan=plan.identifier,
        period=link.charge_period or periods[0],
        origin=Origin.LINK,
        plans=link.enabled,
        discount_code=link.discount_code,
        discounts_enabled=link.discounts_enabled,
        country=visitors_of(visit.request).country_of(visit.request),
        success_url=link.success_url,
        shown_in=Origins(offering=link.offering_id),
    )


def _context(visit: Visit, once: str) -> Context:
    command_id = derived_id(visit.product, FORM, "command", once)
    return Context(tenant=visit.tenant, actor=BUYER, command_id=command_id)


async def _wrong(visit: Visit) -> Response:
    merchant = await merchant_of(visit.services.reader, visit.tenant)
    say = visit.look.language.say
    text = say("buy.wrong_text", merchant=merchant)
    return notice(visit.look, 400, say("buy.wrong"), text)
