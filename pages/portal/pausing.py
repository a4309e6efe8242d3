"""Pausing without leaving: the pauses that the merchant offers, by reason."""

from __future__ import annotations

from uuid import UUID

from starlette.responses import Response

from pages.portal.leaving import accepted, offer_shown
from pages.portal.subscriptions import chosen, pauses
from pages.portal.visit import Visit


PAUSE = "pause"


async def show(visit: Visit) -> Response:
    """For how long, and why: each pause is an acceptance of an offer and counts as one."""
    subscription = await chosen(visit)
    say = visit.look.language.say
    every = [
        {
            "reason": offer.feedback.value,
            "words": say(f"portal_reason.{offer.feedback.value}"),
            **offer_shown(visit, offer),
        }
        for offer in await pauses(visit, UUID(subscription.id))
    ]
    values = {
        "it": subscription,
        "offers": every,
        "pause": visit.form(PAUSE, UUID(subscription.id)),
    }
    return visit.shown("pause", values)


async def pause(visit: Visit) -> Response:
    """Begin it; ``choice`` is reason and months in one."""
    key = UUID((await chosen(visit)).id)
    form = await visit.sent(PAUSE, key)
    reason, _, months = form.get("choice", "").partition(" ")
    every = await pauses(visit, key)
    offer = next((each for each in every if each.feedback.value == reason), None)
    if offer is None:
        return visit.done("offer_gone", "subscriptions", key)
    return await accepted(visit, key, offer, {**form, "months": months})
