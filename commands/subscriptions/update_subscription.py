"""Change the plan, the period, the quantities or the trial of a subscription (wire 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from aggregates.subscription import changing
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import account_instant, load_subscription
from commands.billing.changing import Wish, carry_out
from commands.billing.renewing import catch_up, convert_trial
from commands.bus import handles
from commands.subscriptions.wanted_contract import Asked, wanted_contract
from commands.unit_of_work import UnitOfWork
from kernel.interval import ChargePeriod
from kernel.settings import ProrationBehavior


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSubscription:
    """What is None or not named stays; ``behavior`` None is the organization's default.

    ``activate_on_payment``: the change holds once what is due for it is paid.
    """

    subscription_id: UUID
    plan: str | None = None
    period: ChargePeriod | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    behavior: ProrationBehavior | None = None
    trial_ends_at: datetime | None = None
    ends_trial: bool = False
    activate_on_payment: bool = False


@handles(UpdateSubscription)
async def update_subscription(work: UnitOfWork, command: UpdateSubscription) -> UUID:
    """The subscription's id, which never changes.

    Raises SubscriptionNotFound and what ``require_changeable``, ``step`` and ``plan_terms`` raise.
    """
    state, account = await load_subscription(work, command.subscription_id)
    asked = Asked(plan=command.plan, period=command.period, quantities=command.quantities)
    contract = await wanted_contract(work, state, asked)
    at = await account_instant(work, account)
    changing.require_changeable(state, at=at)
    await convert_trial(work, account, state.id, at=at)
    await catch_up(work, account, state.id, at=at)
    changing.require_changeable(await work.load(SUBSCRIPTION, state.id), at=at)
    default = account.settings.update_subscription_proration_behavior
    wish = Wish(
        contract=contract,
        behavior=command.behavior or default,
        trial_ends_at=command.trial_ends_at,
        ends_trial=command.ends_trial,
        waits=command.activate_on_payment,
    )
    await carry_out(work, account, state.id, wish, at=at)
    return state.id
