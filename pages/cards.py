"""A card as a payer types it in: checked, handed to the provider, forgotten."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from pydantic import ValidationError
from starlette.requests import Request

from kernel.errors import Refused
from kernel.ports.payments import CardNumber, MethodNotAccepted, SavedInstrument
from kernel.tenant import Tenant
from pages.surroundings import PageServices
from wire.payment_method import CardIn


_EXPIRY = re.compile(r"\s*(\d{1,2})\s*[/.-]?\s*(\d{4}|\d{2})\s*")
_FIELDS = {"expMonth": "expiry", "exp_month": "expiry", "expYear": "expiry", "exp_year": "expiry"}


class CardRefused(Refused):
    """Check the card."""

    code = "card_refused"

    def __init__(self, problems: Mapping[str, str]) -> None:
        """``problems`` are messages by field: keys of the page's words."""
        self.problems = dict(problems)
        super().__init__()


async def saved_card(
    request: Request, tenant: Tenant, form: Mapping[str, str], key: UUID, *, about: object
) -> SavedInstrument:
    """Hand the card of a form to the provider, under ``key``.

    Raises CardRefused, and TooManyRequests: a form is no place to find out which cards are good;
    ``about`` is what the card shall be good for.
    """
    services: PageServices = request.app.state.services
    tenant.payments.require()
    request.app.state.cards.take(request, about)
    number = entered(form, services.reader.clock.now())
    try:
        return await services.payments.save(number, str(key))
    except MethodNotAccepted as refused:
        raise CardRefused({"number": f"refused.{refused.code}"}) from None


def entered(form: Mapping[str, str], now: datetime) -> CardNumber:
    """The card of a form. Raises CardRefused with what is wrong, never with what was typed."""
    found = _EXPIRY.fullmatch(form.get("expiry", ""))
    if found is None:
        raise CardRefused({"expiry": "card.wrong_expiry"})
    month, year = int(found[1]), int(found[2])
    try:
        card = CardIn.model_validate(
            {
                "number": form.get("number", "").strip(),
                "expMonth": month,
                "expYear": year if year > 99 else 2000 + year,
                "cvc": form.get("cvc", "").strip(),
            }
        )
    except ValidationError as wrong:
        names = (str(error["loc"][0]) for error in wrong.errors(include_input=False))
        problems = (_FIELDS.get(name, name) for name in names)
        raise CardRefused({name: f"card.wrong_{name}" for name in problems}) from None
    if (card.exp_year, card.exp_month) < (now.year, now.month):
        raise CardRefused({"expiry": "card.expired"})
    return CardNumber(
        number=card.number, exp_month=card.exp_month, exp_year=card.exp_year, cvc=card.cvc or ""
    )
