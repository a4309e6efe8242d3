"""Move a subscription to the newest version of its plan (spec: migrate, design 13)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import changing
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import Account, account_instant, load_subscription
from commands.billing.changing import Wish, carry_out
from commands.billing.renewing import catch_up, convert_trial
from commands.bus import handles
from commands.subscriptions.update_subscription import previewed_instant, what_was_read
from commands.subscriptions.wanted_contract import newest_contract
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid
from kernel.preview_token import Previewed, PreviewOutdated, verify
from kernel.settings import ProrationBehavior


class NothingToMigrate(Invalid):
    """At least one of updateFeatures and updatePricing must be true."""

    code = "nothing_to_migrate"


class CustomPriced(Invalid):
    """The subscription has a custom price; it is not migrated."""

    code = "custom_priced_subscription"


class AlreadyLatest(Invalid):
    """The subscription has the latest version of its plan already."""

    code = "already_latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrateSubscription:
    """Features and price move apart or together.

    ``preview_id``: it costs what that preview showed, or is refused.
    """

    subscription_id: UUID
    update_features: bool
    update_pricing: bool
    preview_id: str | None = None

    @property
    def subject(self) -> str:
        """What a preview is of."""
        asked = (self.update_features, self.update_pricing)
        return json.dumps(["migrate", str(self.subscription_id), *asked])


@handles(MigrateSubscription)
async def migrate_subscription(work: UnitOfWork, command: MigrateSubscription) -> UUID:
    """Bill it as the organization's default says; the same again is refused, so it happens once.

    Raises NothingToMigrate, SubscriptionNotFound, CustomPriced, AlreadyLatest, PreviewOutdated, and
    what ``require_changeable`` and ``plan_terms`` raise.
    """
    await migrated(work, command)
    return command.subscription_id


async def migrated(work: UnitOfWork, command: MigrateSubscription) -> Previewed:
    """Decide the migration: when it happens, and on what it rests."""
    if not (command.update_features or command.update_pricing):
        raise NothingToMigrate
    state, account = await load_subscription(work, command.subscription_id)
    if state.contract is None:
        raise SubscriptionNotFound
    if state.contract.is_custom_pricing:
        raise CustomPriced
    contract = await newest_contract(
        work, state.contract, features=command.update_features, pricing=command.update_pricing
    )
    await work.load(PORTFOLIO, portfolio_id(account.id))
    at = await account_instant(work, account)
    shown = None
    if command.preview_id is not None:
        shown = verify(work.tenant.secret, command.subject, command.preview_id)
        at = previewed_instant(state, shown, at)
    changing.require_changeable(state, at=at)
    if contract == state.contract:
        raise AlreadyLatest
    await convert_trial(work, account, state.id, at=at)
    await catch_up(work, account, state.id, at=at)
    changing.require_changeable(await work.load(SUBSCRIPTION, state.id), at=at)
    wish = Wish(contract=contract, behavior=_behavior(state.contract, contract, account))
    await carry_out(work, account, state.id, wish, at=at)
    done = Previewed(at, what_was_read(work, account))
    if shown is not None and shown != done:
        raise PreviewOutdated
    return done


def _behavior(present: Contract, newest: Contract, account: Account) -> ProrationBehavior:
    """The organization's default for another price; features alone bill nothing."""
    if newest.terms.plan.version == present.terms.plan.version:
        return ProrationBehavior.NO_PRORATION
    return account.settings.migrate_subscription_proration_behavior
