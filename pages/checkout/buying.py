"""What the buttons of the checkout page do: keep what was entered, and buy."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from commands.awaiting import checkout, outcomes
from commands.checkout.change_checkout import ChangeCheckout
from commands.checkout.complete_checkout import (
    CardRequired,
    CompleteCheckout,
    NewCard,
    PriceChanged,
)
from commands.checkout.entering import one_by_one
from kernel.custom_fields import FieldType
from kernel.errors import Invalid, InvalidFields
from kernel.ids import derived_id
from pages.cards import CardRefused, saved_card
from pages.checkout.entered import CUSTOM, Problems, by_field, changes_of
from pages.checkout.visit import Visit


PAY, REMOVE_CODE = "pay", "remove_code"
CODE = "discount_code"


async def keep(visit: Visit, form: Mapping[str, str]) -> Problems:
    """Keep all that is right; what is wrong, by field."""
    changes, problems = changes_of(as_asked(visit, form))
    if form.get("action") == REMOVE_CODE:
        changes[CODE] = None
    count_codes(visit, changes)
    for part in one_by_one(changes):
        try:
            await visit.does(ChangeCheckout(session_id=visit.session_id, changes=part))
        except InvalidFields as refused:
            problems |= by_field(refused.fields)
        except Invalid as refused:
            problems |= by_field({next(iter(part)): (refused.message,)})
    return problems


async def pay(visit: Visit, form: Mapping[str, str]) -> Problems:
    """Begin the present attempt, at the price that the form showed.

    Raises PriceChanged, and other refusals of CompleteCheckout.
    """
    quote = await visit.quote()
    if problems := by_field(quote.problems):
        return problems
    if form.get("quote") != quote.token:
        raise PriceChanged
    try:
        card = await _card(visit, form) if quote.needs_card else None
        await visit.does(
            CompleteCheckout(
                session_id=visit.session_id,
                attempt=visit.now.attempt,
                card=card,
                saved_method=_saved(form),
                quote=quote.token,
            )
        )
    except CardRefused as refused:
        return {name: visit.look.language.say(key) for name, key in refused.problems.items()}
    except InvalidFields as refused:
        return by_field(refused.fields)
    except CardRequired as refused:
        return {"number": visit.look.language.refusal(refused.code, refused.message)}
    return {}


async def wait(visit: Visit) -> None:
    """Until what was begun is known; not for ever."""
    awaited = checkout(visit.tenant, visit.session_id, visit.now.attempt)
    await outcomes(visit.services.bus, [awaited])


def count_codes(visit: Visit, changes: Mapping[str, Any]) -> None:
    """A code that is not the present one could be a guess. Raises TooManyRequests."""
    code = changes.get(CODE)
    if code and code != visit.now.session.selection.discount_code:
        visit.request.app.state.codes.take(visit.request, visit.tenant.organization)


def as_asked(visit: Visit, form: Mapping[str, str]) -> Mapping[str, str]:
    """What was asked for, numbers in plain text: an email that may not be changed was not."""
    asked = visit.now.custom_fields
    numbers = {f"{CUSTOM}{field.key}" for field in asked if field.type is FieldType.NUMBER}
    locked = visit.now.session.terms.lock_email and visit.now.session.details.email
    untyped = visit.look.language.untyped
    return {
        name: untyped(text) if name in numbers else text
        for name, text in form.items()
        if name != "email" or not locked
    }


async def _card(visit: Visit, form: Mapping[str, str]) -> NewCard | None:
    """The provider's name for the card that was typed in; None: a saved method."""
    if _saved(form) is not None:
        return None
    key = derived_id(visit.tenant.organization, "checkout card", secrets.token_hex(16))
    saved = await saved_card(visit.request, visit.tenant, form, key, about=visit.session_id)
    return NewCard(key, visit.services.payments.terms.name, saved)


def _saved(form: Mapping[str, str]) -> UUID | None:
    try:
        return UUID(form.get("way", ""))
    except ValueError:
        return None
