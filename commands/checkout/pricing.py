"""What a session's selection comes to: the one decision of quotes and of completion."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from aggregates.checkout.events import Selection, Terms
from aggregates.checkout.state import Checkout
from aggregates.invoice.decide import Draft
from aggregates.plan.pricing import QuantityOutOfRange
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import Start
from commands.billing.invoicing import prepare
from commands.billing.selling import Deal, agree, draw_up
from commands.checkout.visit import Visit, billing_country
from commands.custom_price import at_price
from commands.offerings.pricing import localized_contract, rule_for_sale
from commands.plan_terms import Wanted, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid
from kernel.interval import INTERVALS
from kernel.offer import OfferTerms
from kernel.price import PaymentType, TaxBehavior
from kernel.price_rule import PriceRule


class NothingPaidByStranger(Invalid):
    """By this link a customer who is known already has to pay something now."""

    code = "nothing_paid"


async def resolved(
    work: UnitOfWork, agreed: Terms, selection: Selection, asked: Mapping[str, int]
) -> Selection:
    """The selection with a quantity for all that its plan sells ahead.

    ``asked`` are the quantities that were just chosen; those of the selection are kept where the
    plan sells so many. Raises what ``plan_terms`` raises.
    """
    chosen = wanted_of(agreed, selection)
    wanted = replace(chosen, quantities=asked, kept=selection.quantities)
    try:
        terms = await plan_terms(work, wanted)
    except QuantityOutOfRange:
        terms = await plan_terms(work, replace(wanted, kept={}))
    return replace(selection, quantities=quantities_of(terms))


def quantities_of(terms: OfferTerms) -> dict[str, int]:
    """What is bought ahead, by feature identifier."""
    return {
        feature.identifier: feature.quantity
        for feature in terms.features
        if feature.payment is PaymentType.ADVANCE_COMMITMENT
    }


async def deal_of(work: UnitOfWork, visit: Visit, attempt: int, *, at: datetime) -> Deal:
    """What the sale comes to, with everything loaded. Raises what ``agree`` and ``draw_up`` raise.

    The customer's details are those that it is taxed by; see ``take_details``.
    """
    state, account = visit.state, visit.account
    code = state.selection.discount_code
    rule = await rule_of(work, visit)
    contract = await agree(
        work,
        account,
        wanted_of(state.terms, state.selection),
        lambda terms: _contract(state, terms, rule),
        discount_code=code,
    )
    days = _trial_days(state, contract)
    start = Start(
        customer=account.id,
        contract=contract,
        started_at=at,
        trial_ends_at=at + timedelta(days=days) if days else None,
        test_clock=account.customer.test_clock_id,
        checkout=visit.id,
    )
    deal = await draw_up(
        work,
        visit.sale(attempt),
        start,
        discount_code=code,
        custom_fields=dict(state.details.custom_fields) or None,
        spares_balance=not state.is_trusted,
        at=at,
    )
    if not state.is_trusted:
        _require_own_money(deal)
    return deal


async def first_invoice(work: UnitOfWork, deal: Deal) -> Draft:
    """The first invoice that is due: now, or at the end of the trial as things stand now."""
    return deal.draft or await prepare(work, deal.bill)


def fingerprint(deal: Deal, draft: Draft) -> str:
    """The same for the same offer at the same price: what a buyer saw and agreed to."""
    terms, totals = deal.start.contract.terms, draft.totals
    trial = deal.start.trial_ends_at
    days = None if trial is None else (trial - deal.start.started_at).days
    sums = (totals.subtotal, totals.discount, totals.tax, totals.total, draft.balance.due)
    said = (
        *(terms.plan.identifier, terms.plan.version, terms.period, terms.currency, days),
        *(amount.units for amount in sums),
        sorted(quantities_of(terms).items()),
    )
    return hashlib.sha256(repr(said).encode()).hexdigest()[:32]


def wanted_of(agreed: Terms, selection: Selection) -> Wanted:
    """What is asked of the catalog."""
    return Wanted(
        plan=selection.plan,
        period=selection.period,
        currency=agreed.currency,
        quantities=selection.quantities,
        is_agreed=agreed.custom_amount is not None,
    )


async def rule_of(work: UnitOfWork, visit: Visit) -> PriceRule | None:
    """The rule of the offering that the buyer comes from, if it holds where they are billed."""
    shown_in = visit.state.terms.shown_in
    return await rule_for_sale(
        work,
        offering_id=shown_in.offering,
        rule_id=shown_in.rule,
        country=billing_country(visit),
    )


def _require_own_money(deal: Deal) -> None:
    """A stranger pays by a card of his own: what comes later is charged to that one."""
    if deal.draft is not None and deal.draft.is_paid and deal.start.contract.amount.units:
        raise NothingPaidByStranger


def _contract(state: Checkout, terms: OfferTerms, rule: PriceRule | None) -> Contract:
    agreed = state.terms
    if agreed.custom_amount is None:
        return localized_contract(terms, rule)
    return at_price(terms, agreed.custom_amount, agreed.tax_behavior or TaxBehavior.EXCLUSIVE)


def _trial_days(state: Checkout, contract: Contract) -> int:
    """Only what recurs and costs something is tried."""
    terms = contract.terms
    if terms.period not in INTERVALS or not contract.amount.units:
        return 0
    return terms.trial_days if state.terms.trial_days is None else state.terms.trial_days
