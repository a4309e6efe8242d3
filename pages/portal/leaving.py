"""Canceling: why, then what the merchant offers instead, then accept or leave (spec: Retention)."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from starlette.responses import Response

from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import Initiator, SubscriptionCanceled
from aggregates.subscription.retention import Choice
from aggregates.subscription.retention_events import SubscriptionRetentionOfferAccepted
from commands.subscriptions.accept_retention_offer import AcceptRetentionOffer
from commands.subscriptions.cancel_subscription import CancelSubscription
from kernel.errors import Refused
from kernel.ids import derived_id
from kernel.retention import Feedback, OfferType, RetentionOffer
from pages.portal.acting import act
from pages.portal.subscriptions import chosen, offers
from pages.portal.visit import Visit
from pages.portal.words import Shown
from projections import retention


LONGEST_COMMENT = 1_000
WHY, ACCEPT, LEAVE = "why", "accept", "leave"


class NothingToLeave(Refused):
    """This subscription cannot be canceled."""  # noqa: D404 -- customers read it

    code = "nothing_to_cancel"


async def why(visit: Visit) -> Response:
    """Ask for the reason."""
    return _why(visit, await _leavable(visit))


async def stay_or_leave(visit: Visit) -> Response:
    """What is offered for that reason, or the last question; nothing happens yet."""
    subscription = await _leavable(visit)
    key = UUID(subscription.id)
    form = await visit.sent(WHY, key)
    reason, comment = _reason(form), _comment(form)
    if reason is None:
        problems = {"reason": visit.look.language.say("portal_leave.choose")}
        return _why(visit, subscription, problems, comment)
    found = (each for each in await offers(visit, key) if each.feedback is reason)
    offer = next((each for each in found if each.type is not OfferType.NONE), None)
    values = {
        "it": subscription,
        "reason": reason.value,
        "comment": comment,
        "offer": None if offer is None else offer_shown(visit, offer),
        "accept": visit.form(ACCEPT, key, reason),
        "leave": visit.form(LEAVE, key, reason),
    }
    return visit.shown("leaving", values)


async def accept(visit: Visit) -> Response:
    """Take the offer instead."""
    key = UUID((await chosen(visit)).id)
    form = await visit.fields()
    reason = _reason(form)
    visit.require(form, ACCEPT, key, reason)
    configured = await retention.settings(visit.services.reader, visit.tenant)
    offer = None if reason is None else configured.offer(reason)
    if offer is None or reason is None:
        return visit.done("offer_gone", "subscriptions", key)
    return await accepted(visit, key, offer, form)


async def accepted(
    visit: Visit, key: UUID, offer: RetentionOffer, form: Mapping[str, str]
) -> Response:
    """Accept an offer; SUPPORT leads on to the merchant."""
    months = form.get("months", "")
    command = AcceptRetentionOffer(
        subscription_id=key,
        choice=Choice(
            feedback=offer.feedback,
            offer=offer.type,
            pause_months=int(months) if months.isascii() and months.isdigit() else None,
        ),
        discount_id=derived_id(visit.session, "coupon", form["nonce"]),
    )
    facts = await act(visit, command, form)
    taken = next(fact for fact in facts if isinstance(fact, SubscriptionRetentionOfferAccepted))
    if taken.offer is OfferType.SUPPORT:
        return visit.shown("support", {"url": taken.url, "it": await chosen(visit)})
    return visit.done(f"accepted_{taken.offer.value.lower()}", "subscriptions", key)


async def leave(visit: Visit) -> Response:
    """Cancel at the end of what is paid for, with the reason."""
    key = UUID((await chosen(visit)).id)
    form = await visit.fields()
    reason = _reason(form)
    visit.require(form, LEAVE, key, reason)
    wish = Cancellation(
        initiator=Initiator.CUSTOMER, feedback=reason, comment=_comment(form) or None
    )
    facts = await act(visit, CancelSubscription(subscription_id=key, wish=wish), form)
    over = any(isinstance(fact, SubscriptionCanceled) for fact in facts)
    return visit.done("ended" if over else "left", "subscriptions", key)


def offer_shown(visit: Visit, offer: RetentionOffer) -> dict[str, object]:
    """An offer in words."""
    speaks = visit.look.language
    cycles = offer.billing_cycles or 0
    return {
        "type": offer.type.value,
        "percentage": speaks.percentage(str(offer.percentage_off or 0)),
        "cycles": "" if not cycles else speaks.count_of("portal_leave.cycles", cycles),
        "durations": [
            (months, speaks.count_of("portal_leave.months", months)) for months in offer.durations
        ],
    }


def reasons(visit: Visit) -> list[tuple[str, str]]:
    """Every reason with its words."""
    say = visit.look.language.say
    return [(each.value, say(f"portal_reason.{each.value}")) for each in Feedback]


def _why(
    visit: Visit,
    subscription: Shown,
    problems: Mapping[str, str] | None = None,
    comment: str = "",
) -> Response:
    values = {
        "it": subscription,
        "reasons": reasons(visit),
        "comment": comment,
        "longest": LONGEST_COMMENT,
        "why": visit.form(WHY, UUID(subscription.id)),
        "problems": problems or {},
    }
    return visit.shown("why", values, status=400 if problems else 200)


async def _leavable(visit: Visit) -> Shown:
    subscription = await chosen(visit)
    if not subscription.may_leave:
        raise NothingToLeave
    return subscription


def _reason(form: Mapping[str, str]) -> Feedback | None:
    text = form.get("reason", "")
    return Feedback(text) if text in set(Feedback) else None


def _comment(form: Mapping[str, str]) -> str:
    return form.get("comment", "").replace("\x00", "").strip()[:LONGEST_COMMENT]
