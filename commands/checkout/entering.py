"""Takes what a buyer entered into a session, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from aggregates.checkout import decide
from aggregates.checkout.events import Selection, Terms
from aggregates.checkout.state import BuyerDetails
from aggregates.organization.state import ORGANIZATION
from commands.checkout.offering import periods_of, price_of
from commands.checkout.pricing import resolved, wanted_of
from commands.checkout.visit import Visit, again, billing_country
from commands.discounts.create_discount import discount_of
from commands.discounts.redeeming import redemption_of
from commands.plan_terms import on_sale, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.custom_fields import CustomField, answers
from kernel.errors import InvalidFields


DETAILS = ("email", "name", "billing_address", "tax_id", "custom_fields")
SELECTION = ("plan", "period", "quantities", "discount_code")


async def enter(
    work: UnitOfWork, visit: Visit, changes: Mapping[str, Any], *, at: datetime
) -> Visit:
    """Record the changes; the visit with them.

    Raises InvalidFields, DiscountsNotAllowed, SelectionFixed, and what ``plan_terms`` and
    ``redemption_of`` raise.
    """
    if any(name in changes for name in DETAILS):
        details = await _details(work, visit, changes)
        work.record(visit.id, decide.change_details(visit.state, details, at=at))
    if any(name in changes for name in SELECTION):
        selection = await _selection(work, visit, changes)
        facts = decide.change_selection(visit.state, selection, at=at)
        if facts and selection.discount_code:
            selection = await with_code(work, visit, selection, at=at)
            facts = decide.change_selection(visit.state, selection, at=at)
        work.record(visit.id, facts)
    return await again(work, visit)


def one_by_one(changes: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The changes in parts that are right or wrong by themselves: for who still types."""
    together = {"plan", "period", "quantities"}
    chosen = {name: changes[name] for name in changes if name in together}
    if chosen:
        yield chosen
    taxed = {name: changes[name] for name in ("billing_address", "tax_id") if name in changes}
    if "billing_address" in taxed:
        yield {"billing_address": taxed["billing_address"]}
    if "tax_id" in taxed:
        yield {"tax_id": taxed["tax_id"]}
    for name in ("email", "name", "custom_fields", "discount_code"):
        if name in changes:
            yield {name: changes[name]}


async def custom_fields(work: UnitOfWork) -> tuple[CustomField, ...]:
    """What the organization asks its buyers."""
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    return organization.look.custom_fields


async def with_code(
    work: UnitOfWork, visit: Visit, selection: Selection, *, at: datetime
) -> Selection:
    """The selection with its discount code as the merchant writes it, in whatever case it came.

    Refuses one that cannot be used for it.
    """
    code = selection.discount_code or ""
    wanted = wanted_of(visit.state.terms, selection)
    redemption = await redemption_of(
        work,
        code,
        customer=visit.account.id,
        subscription_id=discount_of(work, code),
        offer=await plan_terms(work, wanted),
        at=at,
        country=billing_country(visit),
    )
    return replace(selection, discount_code=redemption.terms.code or code)


async def _details(work: UnitOfWork, visit: Visit, changes: Mapping[str, Any]) -> BuyerDetails:
    before = visit.state.details
    plain: dict[str, Any] = {
        name: changes[name] or None for name in DETAILS[:-1] if name in changes
    }
    details = replace(before, **plain)
    if "custom_fields" in changes:
        given = {**before.custom_fields, **changes["custom_fields"]}
        details = replace(details, custom_fields=answers(await custom_fields(work), given))
    if details.tax_id and "tax_id" in changes:
        require_tax_id(work, details)
    return details


def require_tax_id(work: UnitOfWork, details: BuyerDetails) -> None:
    """Raise InvalidFields unless the tax id is one of the buyer's country."""
    address = details.billing_address
    country = (address.country if address else None) or ""
    if not country:
        raise InvalidFields({"taxId": ["Enter the country of the billing address first."]})
    if not work.tenant.tax.is_business(country.upper(), details.tax_id or ""):
        raise InvalidFields({"taxId": ["This is not a valid tax id of the country."]})


async def _selection(work: UnitOfWork, visit: Visit, changes: Mapping[str, Any]) -> Selection:
    state = visit.state
    before = state.selection
    code = changes.get("discount_code", before.discount_code)
    selection = replace(
        before,
        plan=changes.get("plan", before.plan),
        period=changes.get("period", before.period),
        discount_code=(code or "").strip() or None,
    )
    decide.require_offered(state, selection)
    asked = changes.get("quantities", {})
    if selection.plan == before.plan:
        return await resolved(work, state.terms, selection, asked)
    return await _fitting(
        work, state.terms, replace(selection, quantities={**before.quantities, **asked})
    )


async def _fitting(work: UnitOfWork, terms: Terms, selection: Selection) -> Selection:
    """As another plan can be had: a form also sends the period and quantities of the one before."""
    price = price_of(await on_sale(work, selection.plan), terms.currency)
    periods = periods_of(price, terms.periods)
    if periods and selection.period not in periods:
        selection = replace(selection, period=periods[0])
    return await resolved(work, terms, selection, {})
