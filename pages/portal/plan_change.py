"""Another plan, period or quantity: choose, see to the cent what it costs, confirm (design 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from starlette.responses import RedirectResponse, Response

from aggregates.invoice.events import InvoiceCreated
from aggregates.subscription.changes import SubscriptionChangeRequested
from aggregates.subscription.contract import Contract
from commands.portal.quote_plans import QuotePlans
from commands.subscriptions.preview_update import Preview, PreviewUpdate
from commands.subscriptions.update_subscription import UpdateSubscription
from commands.subscriptions.wanted_contract import Asked
from kernel.errors import NotFound, Refused
from kernel.interval import ChargePeriod
from kernel.payment_link import payment_link
from kernel.preview_token import PreviewOutdated
from kernel.price import PaymentType
from pages.language import address
from pages.policy import ALWAYS
from pages.portal.acting import act, look_at
from pages.portal.subscriptions import chosen, own
from pages.portal.visit import Visit
from pages.portal.words import Shown
from pages.recurring import per_period
from projections.plan_choices import choices
from wire.language import Language


CHANGE = "change plan"
QUANTITY = "q."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the customer chose; ``waits``: nothing can be charged, so it holds once it is paid."""

    subscription: UUID
    plan: str
    period: ChargePeriod
    quantities: Mapping[str, int]
    waits: bool = False

    @property
    def update(self) -> UpdateSubscription:
        """The update that it means."""
        return UpdateSubscription(
            subscription_id=self.subscription,
            plan=self.plan,
            period=self.period,
            quantities=self.quantities,
            activate_on_payment=self.waits,
        )

    @property
    def about(self) -> tuple[object, ...]:
        """What a form that confirms it is sealed for."""
        return (self.subscription, self.plan, self.period, sorted(self.quantities.items()))


async def choose(visit: Visit) -> Response:
    """The plans of the product, each with its prices for this subscriber."""
    subscription = await chosen(visit)
    key, speaks = UUID(subscription.id), visit.look.language
    plans = await choices(
        visit.services.reader, visit.tenant, key, subscription.record["currency"].upper()
    )
    asked = tuple(
        Asked(plan=plan.identifier, period=period) for plan in plans for period in plan.periods
    )
    quotes: list[Contract | None] = await look_at(
        visit, QuotePlans(subscription_id=key, asked=asked)
    )
    priced = zip(asked, quotes, strict=True)
    options: dict[str, list[dict[str, Any]]] = {}
    for each, quote in priced:
        if quote is not None and each.plan is not None and each.period is not None:
            options.setdefault(each.plan, []).append(_option(subscription, each, quote, speaks))
    values = {
        "it": subscription,
        "plans": [(plan, options[plan.identifier]) for plan in plans if plan.identifier in options],
    }
    return visit.shown("plans", values)


async def review(visit: Visit) -> Response:
    """What it would cost today and from then on; nothing happens yet."""
    subscription = await chosen(visit)
    wanted = _wanted(subscription, visit.request.query_params)
    return await _review(visit, subscription, await _payable(visit, wanted))


async def change(visit: Visit) -> Response:
    """Do it for exactly what was shown; when that no longer holds, show it anew.

    Without a saved payment method it is on to the payment page.
    """
    subscription = await chosen(visit)
    form = await visit.fields()
    wanted = await _payable(visit, _wanted(subscription, form))
    visit.require(form, CHANGE, *wanted.about)
    command = replace(wanted.update, preview_id=form.get("preview", ""))
    try:
        facts = await act(visit, command, form)
    except PreviewOutdated:
        return await _review(visit, subscription, wanted, outdated=True)
    if any(isinstance(fact, SubscriptionChangeRequested) for fact in facts):
        [invoice] = (fact.invoice_id for fact in facts if isinstance(fact, InvoiceCreated))
        path = payment_link("", visit.tenant, invoice)
        return RedirectResponse(address(visit.request, path), 303, ALWAYS)
    after = await chosen(visit)
    word = "changed_unpaid" if after.record["status"] == "past_due" else "changed"
    return visit.done(word, "subscriptions", subscription.id)


async def _review(
    visit: Visit, subscription: Shown, wanted: Wanted, *, outdated: bool = False
) -> Response:
    speaks = visit.look.language
    asked = Asked(plan=wanted.plan, period=wanted.period, quantities=wanted.quantities)
    values: dict[str, Any] = {"it": subscription, "wanted": wanted, "outdated": outdated}
    usual = replace(asked, quantities={})
    quote = QuotePlans(subscription_id=wanted.subscription, asked=(asked, Asked(), usual))
    [contract, present, without] = await look_at(visit, quote)
    known = contract or without
    values |= {
        "same": contract is not None and contract == present,
        "plan": wanted.plan if known is None else known.terms.plan.name,
        "quantities": [] if known is None else _quantities(known, wanted.quantities),
        "prefix": QUANTITY,
    }
    try:
        preview: Preview = await look_at(visit, PreviewUpdate(update=wanted.update))
    except Refused as refusal:
        refused = speaks.refusal(refusal.code, refusal.message)
        return visit.shown("review", {**values, "refused": refused, "costs": None}, status=400)
    values |= {
        "refused": None,
        "costs": costs(speaks, preview, wanted.period),
        "preview": preview.preview_id,
        "change": visit.form(CHANGE, *wanted.about),
    }
    return visit.shown("review", values, status=409 if outdated else 200)


def costs(speaks: Language, preview: Preview, period: ChargePeriod) -> dict[str, Any]:
    """A preview in words."""
    following = preview.next_invoice
    start = None if following is None or following.period is None else following.period.start
    return {
        "today": speaks.money(preview.immediately),
        "charges": preview.immediately.units > 0,
        "recurring": per_period(speaks, preview.recurring, period),
        "next": None if following is None else speaks.money(following.balance.due),
        "next_day": None if start is None else speaks.day(start),
        "lines": []
        if following is None
        else [
            (f"{each.name}: {each.description}", speaks.money(each.amount))
            for each in following.lines
        ],
    }


def _option(subscription: Shown, asked: Asked, quote: Contract, speaks: Language) -> dict[str, Any]:
    record = subscription.record
    return {
        "period": quote.terms.period.value,
        "price": per_period(speaks, quote.amount, quote.terms.period),
        "present": asked.plan == record["plan"]["identifier"]
        and subscription.price == per_period(speaks, quote.amount, quote.terms.period),
    }


async def _payable(visit: Visit, wanted: Wanted) -> Wanted:
    return replace(wanted, waits=not await own(visit).methods())


def _quantities(contract: Contract, typed: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """The features whose quantity is bought ahead: identifier, name, and what was typed, if any."""
    return [
        (feature.identifier, feature.name, typed.get(feature.identifier, feature.quantity))
        for feature in contract.terms.features
        if feature.payment is PaymentType.ADVANCE_COMMITMENT and not contract.is_custom_pricing
    ]


def _wanted(subscription: Shown, fields: Mapping[str, str]) -> Wanted:
    """What a form or an address says. Raises NotFound for what no page of ours says."""
    plan, period = fields.get("plan", ""), fields.get("period", "")
    if not plan and "choice" in fields:
        plan, _, period = fields["choice"].partition(" ")
    if not plan or len(plan) > 255 or period not in set(ChargePeriod):
        raise NotFound
    quantities = {
        name.removeprefix(QUANTITY): int(text)
        for name, text in fields.items()
        if name.startswith(QUANTITY) and text.isascii() and text.isdigit() and len(text) < 10
    }
    return Wanted(
        subscription=UUID(subscription.id),
        plan=plan,
        period=ChargePeriod(period),
        quantities=quantities,
    )
