"""From what a client asks of a subscription to the contract that is to hold (design 13: Update)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from aggregates.plan.state import PLAN
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.state import Subscription
from commands.custom_price import at_price
from commands.plan_terms import Wanted, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.interval import ChargePeriod
from kernel.price import PaymentType
from kernel.price_rule import localized_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """``plan`` and ``period`` None stay; ``quantities`` not named stay where the plan has them."""

    plan: str | None = None
    period: ChargePeriod | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)


async def wanted_contract(work: UnitOfWork, state: Subscription, asked: Asked) -> Contract:
    """The contract, the present one when nothing differs; raises what ``plan_terms`` raises.

    A subscriber who stays on a plan stays on its version; the currency never changes. A custom
    price holds for as long as plan and period do.
    """
    present = state.contract
    if present is None:
        raise SubscriptionNotFound
    terms, bought = present.terms, _bought(present)
    stays = asked.plan is None or asked.plan == terms.plan.identifier
    period = asked.period or terms.period
    same = all(bought.get(name) == quantity for name, quantity in asked.quantities.items())
    if stays and same and period is terms.period:
        return present
    wanted = Wanted(
        plan=asked.plan or terms.plan.identifier,
        period=period,
        currency=terms.currency,
        quantities=asked.quantities,
        version=terms.plan.version if stays else None,
        feature_version=present.feature_version if stays else None,
        kept=bought,
        is_agreed=stays and present.is_custom_pricing,
    )
    found = localized_terms(await plan_terms(work, wanted), present.price_rule)
    if stays and present.is_custom_pricing and period is terms.period:
        agreed = at_price(found, present.amount, terms.tax_behavior)
        return replace(agreed, feature_version=present.feature_version)
    return Contract(
        terms=found,
        amount=found.amount,
        feature_version=present.feature_version if stays else found.plan.version,
        price_rule=present.price_rule,
    )


async def newest_contract(
    work: UnitOfWork, present: Contract, *, features: bool, pricing: bool
) -> Contract:
    """The contract under the newest published version of its plan, in one part or in both.

    The present one when it is the newest already. Raises what ``plan_terms`` raises.
    """
    terms = present.terms
    newest = (await work.load(PLAN, terms.plan.id)).published
    number = terms.plan.version if newest is None else newest.number
    price = number if pricing else terms.plan.version
    granted = number if features else present.feature_version
    if (price, granted) == (terms.plan.version, present.feature_version):
        return present
    wanted = Wanted(
        plan=terms.plan.identifier,
        period=terms.period,
        currency=terms.currency,
        version=price,
        feature_version=granted,
        kept=_bought(present),
    )
    rule = present.price_rule
    found = localized_terms(await plan_terms(work, wanted), rule)
    return Contract(terms=found, amount=found.amount, feature_version=granted, price_rule=rule)


def _bought(contract: Contract) -> dict[str, int]:
    """The quantities that are paid ahead, by feature identifier; a custom price covers them all."""
    if contract.is_custom_pricing:
        granted = ((each.feature.identifier, each.value) for each in contract.terms.entitlements)
        return {name: value for name, value in granted if type(value) is int}
    return {
        feature.identifier: feature.quantity
        for feature in contract.terms.features
        if feature.payment is PaymentType.ADVANCE_COMMITMENT
    }
