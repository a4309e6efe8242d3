"""A customer who was about to leave takes what is offered instead (spec: Retention)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.invoice.totals import add_up
from aggregates.organization.state import ORGANIZATION
from aggregates.subscription import retention
from aggregates.subscription.contract import Contract
from aggregates.subscription.events import SubscriptionEvent
from aggregates.subscription.offs import due_discounts
from aggregates.subscription.retention import Choice
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import account_instant, load_subscription
from commands.billing.resuming import bring_up_to_date
from commands.billing.words import full_lines
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.discount import DiscountTerms
from kernel.lines import LineOrigin
from kernel.money import Money
from kernel.retention import OfferType, RetentionOffer, RetentionSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptRetentionOffer:
    """``discount_id`` is that of the coupon, should it be a DISCOUNT."""

    subscription_id: UUID
    choice: Choice
    discount_id: UUID


@handles(AcceptRetentionOffer)
async def accept_retention_offer(work: UnitOfWork, command: AcceptRetentionOffer) -> None:
    """Recorded and counted; of two at once the second sees the first (spec: Errors 1).

    What timers are late with comes first.

    Raises what ``retention.require_offer`` and, for a PAUSE, ``pausing.pause`` raise.
    """
    state, account = await load_subscription(work, command.subscription_id)
    organization = await work.load(ORGANIZATION, work.tenant.organization)
    at = await account_instant(work, account)
    settings = organization.retention
    await bring_up_to_date(work, account, state.id, at=at)
    state = await work.load(SUBSCRIPTION, state.id)
    offer = retention.require_offer(state, settings, command.choice, at=at)
    work.record(state.id, _accepted(state, settings, offer, command, at))


def _accepted(
    state: Subscription,
    settings: RetentionSettings,
    offer: RetentionOffer,
    command: AcceptRetentionOffer,
    at: datetime,
) -> list[SubscriptionEvent]:
    feedback, months = command.choice.feedback, command.choice.pause_months
    if offer.type is OfferType.PAUSE and months is not None:
        return retention.accept_pause(state, feedback, months, at=at)
    if offer.type is OfferType.DISCOUNT and state.contract is not None:
        terms = retention.coupon(offer, command.discount_id)
        original = _per_period(state, state.contract, due_discounts(state))
        discounted = _per_period(state, state.contract, (*due_discounts(state), terms))
        return retention.accept_discount(
            state, feedback, terms, original=original, discounted=discounted, at=at
        )
    return retention.accept_support(state, feedback, settings.url_of(offer), at=at)


def _per_period(
    state: Subscription, contract: Contract, discounts: tuple[DiscountTerms, ...]
) -> Money:
    """What a period is billed at after discounts, before tax, rounded as an invoice rounds."""
    lines = full_lines(contract, state.period, LineOrigin(state.id, state.contract_version))
    totals = add_up(lines, currency=contract.terms.currency, discounts=discounts).totals
    return totals.subtotal - totals.discount
