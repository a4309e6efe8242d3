"""What a checkout page shows: the decision of completion, made without consequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from aggregates.checkout import decide
from aggregates.invoice.decide import Draft
from commands.billing.selling import Deal, require_buyer
from commands.bus import handles
from commands.checkout.entering import enter, one_by_one
from commands.checkout.offering import PlanOption, options
from commands.checkout.pricing import deal_of, fingerprint, first_invoice, quantities_of, rule_of
from commands.checkout.visit import Visit, instant, load_visit, take_details
from commands.unit_of_work import UnitOfWork
from kernel.discount import AppliedDiscount
from kernel.errors import Invalid, InvalidFields
from kernel.interval import ChargePeriod
from kernel.lines import InvoiceLine
from kernel.money import Money
from kernel.offer import PlanWords, ProductWords
from kernel.sale import Totals
from kernel.tax import AppliedTax


CODE = "discountCode"
_FIELDS = {
    "plan": "planIdentifier",
    "period": "chargePeriod",
    "billing_address": "billingAddress",
    "discount_code": CODE,
}
"""Where a page shows what is wrong, by the first of the changes that were refused together."""

Problems = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheckout:
    """Dispatch it as a preview. ``changes`` as in ChangeCheckout, on top of what is there."""

    session_id: str
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """What can be chosen, and what is chosen at its price.

    With a trial, ``lines``, ``totals``, ``discounts``, ``taxes`` and ``credit`` are those of the
    first paid invoice at its end, and ``due`` now is nothing. ``credit`` is what the customer's
    balance takes off. ``problems`` say by field what is wrong; the rest is quoted without it.
    ``token`` pins all of that for CompleteCheckout.
    """

    options: tuple[PlanOption, ...]
    plan: PlanWords
    product: ProductWords
    period: ChargePeriod
    currency: str
    quantities: Mapping[str, int]
    lines: tuple[InvoiceLine, ...]
    totals: Totals
    discounts: tuple[AppliedDiscount, ...]
    taxes: tuple[AppliedTax, ...]
    credit: Money
    due: Money
    trial_days: int
    trial_ends_at: datetime | None
    needs_card: bool
    problems: Mapping[str, tuple[str, ...]]
    token: str


@handles(QuoteCheckout)
async def quote_checkout(work: UnitOfWork, command: QuoteCheckout) -> Quote:
    """Raises CheckoutNotFound, CheckoutClosed, CheckoutBusy, CustomerIsArchived.

    And what ``agree`` raises.
    """
    visit = await load_visit(work, command.session_id)
    at = await instant(work, visit)
    decide.require_open(visit.state, at=at)
    require_buyer(visit.account, visit.account.customer.customer_id)
    problems: Problems = {}
    for part in one_by_one(command.changes):
        try:
            visit = await enter(work, visit, part, at=at)
        except Invalid as refused:
            problems |= _said(refused, next(iter(part)))
    visit = await take_details(work, visit, at=at)
    deal, wrong = await _deal(work, visit, at)
    draft = await first_invoice(work, deal)
    rule = await rule_of(work, visit)
    shown = await options(work, visit.state.terms, visit.state.selection, rule)
    return _quote(deal, draft, shown, problems | wrong)


async def _deal(work: UnitOfWork, visit: Visit, at: datetime) -> tuple[Deal, Problems]:
    """The deal; without the discount code, if that cannot be used any more."""
    attempt = visit.state.attempts + 1
    selection = visit.state.selection
    try:
        return await deal_of(work, visit, attempt, at=at), {}
    except Invalid as refused:
        if selection.discount_code is None:
            raise
        plain = replace(visit.state, selection=replace(selection, discount_code=None))
        deal = await deal_of(work, replace(visit, state=plain), attempt, at=at)
        return deal, {CODE: (refused.message,)}


def _said(refused: Invalid, first: str) -> Problems:
    if isinstance(refused, InvalidFields):
        return {name: tuple(messages) for name, messages in refused.fields.items()}
    return {_FIELDS.get(first, first): (refused.message,)}


def _quote(deal: Deal, draft: Draft, shown: tuple[PlanOption, ...], problems: Problems) -> Quote:
    terms, due = deal.start.contract.terms, draft.balance.due
    trial_ends_at = deal.start.trial_ends_at
    tried = 0 if trial_ends_at is None else (trial_ends_at - deal.start.started_at).days
    return Quote(
        options=shown,
        plan=terms.plan,
        product=terms.product,
        period=terms.period,
        currency=terms.currency,
        quantities=quantities_of(terms),
        lines=draft.lines,
        totals=draft.totals,
        discounts=draft.discounts,
        taxes=draft.taxes,
        credit=Money(max(draft.balance.applied.units, 0), terms.currency),
        due=Money(0, terms.currency) if tried else due,
        trial_days=tried,
        trial_ends_at=trial_ends_at,
        needs_card=due.units > 0,
        problems=problems,
        token=fingerprint(deal, draft),
    )
