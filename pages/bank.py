"""The bank of the sandbox: stands where a real payer's bank asks for a confirmation.

A real provider sends the browser to a page of its own and gets it back the same way.
"""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kernel.errors import NotFound
from pages import forms
from pages.look import plain_look
from pages.policy import ALWAYS
from pages.rendering import page
from pages.surroundings import PageServices, SimulatedBank


BACK = re.compile(r"/(?:pay|checkout|portal)/[\w./?=&%-]*", re.ASCII)
"""Where a browser may be sent back to: our own pages."""


async def ask(request: Request) -> Response:
    """The question, with two answers; what was answered leads back at once."""
    amount = await _bank(request).asked_about(request.path_params["key"])
    if amount is None:
        return _back(request)
    look = plain_look(request)
    who = forms.visitor(request)
    values = {"amount": look.language.money(amount) if amount.units else None, "proof": who}
    response = page(look, "bank.html", values)
    forms.remember(response, request, who)
    return response


async def answer(request: Request) -> Response:
    """Take the answer and send the browser back to where the payment goes on."""
    form = await forms.fields(request)
    forms.require_same_visitor(request, form.get("proof", ""))
    confirmed = form.get("answer") == "confirm"
    await _bank(request).confirm(request.path_params["key"], confirmed=confirmed)
    return _back(request)


ROUTES = [
    Route("/pages/bank/{key}", ask, methods=["GET"]),
    Route("/pages/bank/{key}", answer, methods=["POST"]),
]


def _bank(request: Request) -> SimulatedBank:
    services: PageServices = request.app.state.services
    if services.bank is None:
        raise NotFound
    return services.bank


def _back(request: Request) -> Response:
    back = request.query_params.get("back", "")
    if not BACK.fullmatch(back):
        raise NotFound
    return RedirectResponse(back, 303, ALWAYS)
