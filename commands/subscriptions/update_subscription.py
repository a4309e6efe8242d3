"""Change the plan, the period, the quantities or the trial of a subscription (wire 6.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import changing
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import Account, account_instant, load_subscription
from commands.billing.changing import Wish, carry_out
from commands.billing.renewing import catch_up, convert_trial
from commands.bus import handles
from commands.subscriptions.wanted_contract import Asked, wanted_contract
from commands.unit_of_work import UnitOfWork
from kernel.interval import ChargePeriod
from kernel.preview_token import VALID_FOR, Previewed, PreviewOutdated, digest_of, verify
from kernel.settings import ProrationBehavior


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSubscription:
    """What is None or not named stays; ``behavior`` None is the organization's default.

    ``activate_on_payment``: the change holds once what is due for it is paid. ``preview_id``: it
    costs what that preview showed, or is refused.
    """

    subscription_id: UUID
    plan: str | None = None
    period: ChargePeriod | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    behavior: ProrationBehavior | None = None
    trial_ends_at: datetime | None = None
    ends_trial: bool = False
    activate_on_payment: bool = False
    preview_id: str | None = None

    @property
    def subject(self) -> str:
        """What a preview is of: the subscription and what is asked of it."""
        asked = (
            str(self.subscription_id),
            self.plan,
            self.period,
            sorted(self.quantities.items()),
            self.behavior,
            self.trial_ends_at and self.trial_ends_at.isoformat(),
            self.ends_trial,
        )
        return json.dumps(asked)


@handles(UpdateSubscription)
async def update_subscription(work: UnitOfWork, command: UpdateSubscription) -> UUID:
    """The subscription's id, which never changes.

    Raises SubscriptionNotFound, PreviewOutdated, and what ``require_changeable``, ``step`` and
    ``plan_terms`` raise.
    """
    await updated(work, command)
    return command.subscription_id


async def updated(work: UnitOfWork, command: UpdateSubscription) -> Previewed:
    """Decide the update: when it happens, and on what it rests."""
    state, account = await load_subscription(work, command.subscription_id)
    asked = Asked(plan=command.plan, period=command.period, quantities=command.quantities)
    contract = await wanted_contract(work, state, asked)
    await work.load(PORTFOLIO, portfolio_id(account.id))
    at = await account_instant(work, account)
    shown = None
    if command.preview_id is not None:
        shown = verify(work.tenant.secret, command.subject, command.preview_id)
        at = previewed_instant(state, shown, at)
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
    done = Previewed(at, what_was_read(work, account))
    if shown is not None and shown != done:
        raise PreviewOutdated
    return done


def what_was_read(work: UnitOfWork, account: Account) -> bytes:
    """Everything the decision rests on but the time, which a test clock tells."""
    clock = account.customer.test_clock_id
    return digest_of({key: version for key, version in work.versions.items() if key != clock})


def previewed_instant(state: Subscription, shown: Previewed, now: datetime) -> datetime:
    """The instant that was shown, while it holds: for half an hour, within the same period."""
    crossed = state.period is not None and shown.instant < state.period.end <= now
    if crossed or not shown.instant <= now <= shown.instant + VALID_FOR:
        raise PreviewOutdated
    return shown.instant
