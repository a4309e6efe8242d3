"""The page on which anybody with the link pays one invoice (design 8, 13).

It shows merchant and amount only. A form stands for one attempt: sent twice, or from two tabs, it
charges once. The outcome is told by a page of its own, so that reloading sends nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from commands.awaiting import outcomes, payment
from commands.context import Context
from commands.invoices.pay_invoice import EnteredCard, PayInvoice
from commands.invoices.standing import Stand, Standing, standing
from kernel.errors import NotFound
from kernel.ids import derived_id
from kernel.payment_link import is_genuine, read
from kernel.ports.payments import Authentication
from kernel.sale import MethodWords
from kernel.tenant import Tenant
from pages import forms
from pages.cards import CardRefused, saved_card
from pages.language import address
from pages.look import Look, look_of
from pages.policy import ALWAYS
from pages.sealed import sealed_page
from pages.surroundings import PageServices


PAYER = "payer"
LOOK_AGAIN_SECONDS = 3
FORM = "payment"


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for the page of an invoice that exists."""

    request: Request
    services: PageServices
    tenant: Tenant
    invoice: UUID
    now: Standing
    look: Look


async def show(request: Request) -> Response:
    """The form, or what became of the payment; one that was confirmed with the bank goes on."""
    visit = await _visit(request)
    asked = visit.now.asked
    if asked is None:
        return await _shown(visit)
    provider = visit.services.payments
    answer = await provider.authentication(asked.provider_key)
    if answer is Authentication.CONFIRMED:
        card = EnteredCard(asked.reference, asked.method, continues=asked.provider_key)
        return await _tried(visit, card)
    challenge = await provider.challenge(asked.provider_key, address(request))
    return await _shown(visit, challenge=challenge, refused=answer is Authentication.REFUSED)


async def pay(request: Request) -> Response:
    """Begin the attempt that the form stands for, and wait for what comes of it."""
    visit = await _visit(request)
    form = await forms.fields(request)
    attempt = form.get("attempt", "")
    about = (FORM, visit.invoice, attempt)
    forms.require_ours(request, visit.tenant, form.get("seal", ""), *about)
    if visit.now.stand is Stand.PAYABLE and attempt == str(visit.now.attempt):
        try:
            card = await _card(visit, form)
        except CardRefused as refused:
            return await _shown(visit, problems=refused.problems, status=400)
        return await _tried(visit, card)
    return await _told(visit)


ROUTES = [
    Route(path, endpoint, methods=[method])
    for path in ("/pay/{token}", "/pay/{token}/")
    for endpoint, method in ((show, "GET"), (pay, "POST"))
]


async def _visit(request: Request) -> Visit:
    services: PageServices = request.app.state.services
    claimed = read(request.path_params["token"])
    if claimed is None:
        raise NotFound
    tenant = await services.tenants.get(claimed.organization)
    if not is_genuine(claimed, tenant):
        raise NotFound
    now = await standing(services.bus.store, claimed.invoice)
    if now is None:
        raise NotFound
    look = await look_of(request, services, tenant)
    return Visit(request, services, tenant, claimed.invoice, now, look)


async def _card(visit: Visit, form: Mapping[str, str]) -> EnteredCard | None:
    """The provider's name for the card that was typed in; None: the saved method."""
    if form.get("way") == "saved":
        return None
    key = derived_id(visit.invoice, "by hand", visit.now.attempt, secrets.token_hex(16))
    saved = await saved_card(visit.request, visit.tenant, form, key, about=visit.invoice)
    return EnteredCard(saved.reference, MethodWords.of(key, saved.instrument))


async def _tried(visit: Visit, card: EnteredCard | None) -> Response:
    await _begin(visit, card)
    return await _told(visit)


async def _told(visit: Visit) -> Response:
    """Wait for what comes of the attempt, and lead to the page that tells it."""
    await outcomes(visit.services.bus, [payment(visit.invoice, visit.now.attempt)])
    return RedirectResponse(address(visit.request), 303, ALWAYS)


async def _begin(visit: Visit, card: EnteredCard | None) -> None:
    command_id = derived_id(visit.invoice, "page", secrets.token_hex(16))
    context = Context(tenant=visit.tenant, actor=PAYER, command_id=command_id)
    command = PayInvoice(invoice_id=visit.invoice, attempt=visit.now.attempt, card=card)
    await visit.services.bus.dispatch(command, context)


async def _shown(
    visit: Visit,
    *,
    problems: Mapping[str, str] | None = None,
    status: int = 200,
    challenge: str | None = None,
    refused: bool = False,
) -> Response:
    look, now, terms = visit.look, visit.now, visit.tenant.payments
    payable = now.stand is Stand.PAYABLE and terms.takes_payments
    values = {
        "merchant": look.brand.name,
        "amount": look.language.money(now.due),
        "stand": now.stand.value if payable or now.stand is not Stand.PAYABLE else "unavailable",
        "failure": None if problems else now.failure,
        "problems": {name: look.language.say(key) for name, key in (problems or {}).items()},
        "challenge": challenge,
        "refused": refused,
        "attempt": now.attempt,
        "cards": terms.saves_cards,
        "saved": now.has_saved_method,
    }
    checking = now.stand is Stand.CHECKING
    headers = {"Refresh": str(LOOK_AGAIN_SECONDS)} if checking else None
    about = (FORM, visit.invoice, now.attempt)
    return sealed_page(
        look, visit.tenant, "pay.html", values, *about, status=status, headers=headers
    )
