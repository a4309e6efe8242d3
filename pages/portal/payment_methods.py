"""The customer's ways to pay: add one, choose the default, remove the others (wire 15)."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from starlette.responses import Response

from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.payment_methods.change_payment_method import ChangePaymentMethod
from commands.payment_methods.remove_payment_method import RemovePaymentMethod
from kernel.errors import NotFound
from kernel.ids import derived_id
from pages.cards import CardRefused, saved_card
from pages.portal.acting import act
from pages.portal.subscriptions import own
from pages.portal.visit import Visit
from pages.portal.words import method_shown


ADD, DEFAULT, REMOVE = "add method", "default method", "remove method"
PLACE = "payment-methods"


async def listed(visit: Visit) -> Response:
    """All that can be charged."""
    now = visit.services.reader.clock.now()
    every = [method_shown(body, now) for body in await own(visit).methods()]
    for each in every:
        each["make_default"] = visit.form(DEFAULT, each["number"])
        each["remove"] = visit.form(REMOVE, each["number"])
    return visit.shown("methods", {"methods": every})


async def show_form(visit: Visit) -> Response:
    """Where a card is typed in."""
    return _form(visit)


async def add(visit: Visit) -> Response:
    """Save the card with the provider; it is the default from now on if that was wished."""
    form = await visit.sent(ADD)
    method = derived_id(visit.session, "method", form["nonce"])
    try:
        saved = await saved_card(visit.request, visit.tenant, form, method, about=visit.customer.id)
    except CardRefused as refused:
        return _form(visit, refused.problems)
    command = AddPaymentMethod(
        customer_id=visit.customer.customer_id,
        method_id=method,
        provider=visit.tenant.payments.name,
        saved=saved,
        make_default="default" in form,
    )
    await act(visit, command, form)
    return visit.done("card_added", PLACE)


async def make_default(visit: Visit) -> Response:
    """Charge this one from now on."""
    number, method = await _method(visit)
    form = await visit.sent(DEFAULT, number)
    command = ChangePaymentMethod(
        customer=visit.customer.id, method_id=method, make_default=True, card={}
    )
    await act(visit, command, form)
    return visit.done("default_chosen", PLACE)


async def remove(visit: Visit) -> Response:
    """Forget one that is not the default."""
    number, method = await _method(visit, gone=True)
    form = await visit.sent(REMOVE, number)
    command = RemovePaymentMethod(customer=visit.customer.id, method_id=method, by_customer=True)
    await act(visit, command, form)
    return visit.done("card_removed", PLACE)


def _form(visit: Visit, problems: Mapping[str, str] | None = None) -> Response:
    """Never with what was typed before."""
    say = visit.look.language.say
    values = {
        "add": visit.form(ADD),
        "cards": visit.tenant.payments.saves_cards,
        "problems": {name: say(key) for name, key in (problems or {}).items()},
    }
    return visit.shown("add_method", values, status=400 if problems else 200)


async def _method(visit: Visit, *, gone: bool = False) -> tuple[int, UUID]:
    """The number in the address and the id behind it. Raises NotFound unless it is one's own."""
    text = visit.request.path_params["number"]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    method = await own(visit).method(number, removed=gone)
    if method is None:
        raise NotFound
    return number, method
