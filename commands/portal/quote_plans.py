"""What other plans would cost a subscriber per period, by the rules that an update follows."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.state import SUBSCRIPTION
from commands.bus import handles
from commands.portal.offered_plans import require_offered
from commands.subscriptions.wanted_contract import Asked, wanted_contract
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid, NotAllowed


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePlans:
    """The plans and periods to look at; to be run by ``Bus.preview`` alone."""

    subscription_id: UUID
    asked: tuple[Asked, ...]


@handles(QuotePlans)
async def quote_plans(work: UnitOfWork, command: QuotePlans) -> list[Contract | None]:
    """The contract of each, with the quantities the subscriber has; None for what is not sold."""
    state = await work.load(SUBSCRIPTION, command.subscription_id)
    if state.contract is None:
        raise SubscriptionNotFound
    found: list[Contract | None] = []
    for asked in command.asked:
        try:
            await require_offered(work, state, asked)
            found.append(await wanted_contract(work, state, asked))
        except (Invalid, NotAllowed):
            found.append(None)
    return found
