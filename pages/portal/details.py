"""Name, address and tax id as invoices show them; the email address is the merchant's to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from starlette.responses import Response

from commands.customers.change_customer import ChangeCustomer
from kernel.postal import Address
from pages.countries import countries, is_country
from pages.portal.acting import act
from pages.portal.visit import Visit
from wire.customer import CustomerChangesIn


DETAILS = "details"
ADDRESS = ("line1", "line2", "city", "state", "postal_code", "country")


async def show(visit: Visit) -> Response:
    """The form with what is known."""
    customer = visit.customer
    address = customer.billing_address or Address()
    known = {name: getattr(address, name) or "" for name in ADDRESS}
    return _form(visit, {"name": customer.name or "", "tax_id": customer.tax_id or "", **known})


async def change(visit: Visit) -> Response:
    """Keep what was typed in; an empty field is cleared."""
    form = await visit.sent(DETAILS)
    typed = {name: form.get(name, "").strip() for name in ("name", "tax_id", *ADDRESS)}
    given = {name: text or None for name, text in typed.items()}
    try:
        body = CustomerChangesIn.model_validate(
            {
                "name": given["name"],
                "tax_id": given["tax_id"],
                "billing_address": {name: given[name] for name in ADDRESS},
            }
        )
    except ValidationError as wrong:
        say = visit.look.language.say
        names = (str(error["loc"][-1]) for error in wrong.errors(include_input=False))
        return _form(visit, typed, dict.fromkeys(names, say("portal_details.wrong")))
    if given["country"] and not is_country(given["country"]):
        return _form(visit, typed, {"country": visit.look.language.say("portal_details.wrong")})
    address = body.billing_address
    named: dict[str, Any] = {} if address is None else address.model_dump()
    changes = {
        "name": body.name,
        "tax_id": body.tax_id,
        "billing_address": Address(**named) if any(named.values()) else None,
    }
    command = ChangeCustomer(customer_id=visit.customer.customer_id, changes=changes)
    await act(visit, command, form)
    return visit.done("details_changed", "details")


def _form(
    visit: Visit, typed: Mapping[str, str], problems: Mapping[str, str] | None = None
) -> Response:
    values = {
        "typed": typed,
        "countries": countries(visit.look.language.locale),
        "details": visit.form(DETAILS),
        "problems": problems or {},
    }
    return visit.shown("details", values, status=400 if problems else 200)
