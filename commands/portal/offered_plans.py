"""What a subscriber may move to without the merchant: what the portal shows, at its price."""

from __future__ import annotations

from aggregates.subscription.contract import Contract
from aggregates.subscription.state import Subscription
from commands.plan_terms import UnknownPlan, on_sale
from commands.subscriptions.wanted_contract import Asked
from commands.unit_of_work import UnitOfWork
from kernel.errors import NotAllowed
from kernel.interval import INTERVALS


class QuantitiesAreAgreed(NotAllowed):
    """The quantities belong to a price that was agreed on; ask the merchant to change them."""

    code = "quantities_are_agreed"


async def require_offered(work: UnitOfWork, state: Subscription, asked: Asked) -> None:
    """Refuse another plan unless it is on sale, visible, recurring and of the same product.

    One's own plan stays open to other periods and quantities, also when it is hidden by now; but
    an agreed price covers all quantities, so that more of them would be free. Raises UnknownPlan,
    which says the same of a hidden plan and of one that is not there, and QuantitiesAreAgreed.
    """
    present = state.contract
    if present is None:
        return
    if asked.plan is not None and asked.plan != present.terms.plan.identifier:
        await _require_on_show(work, present, asked.plan, asked)
    elif present.is_custom_pricing and asked.quantities:
        raise QuantitiesAreAgreed


async def _require_on_show(work: UnitOfWork, present: Contract, plan: str, asked: Asked) -> None:
    offer = await on_sale(work, plan)
    recurs = asked.period is None or asked.period in INTERVALS
    same = offer.product.id == present.terms.product.id
    if not (recurs and same and offer.version.wording.is_visible):
        raise UnknownPlan(f"The plan {plan!r} is not on sale.")
