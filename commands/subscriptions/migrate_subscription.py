"""Move a subscription to the newest version of its plan (spec: migrate, design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import changing
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import account_instant, load_subscription
from commands.billing.changing import Wish, carry_out
from commands.billing.renewing import catch_up, convert_trial
from commands.bus import handles
from commands.subscriptions.wanted_contract import newest_contract
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid


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
    """Features and price move apart or together."""

    subscription_id: UUID
    update_features: bool
    update_pricing: bool


@handles(MigrateSubscription)
async def migrate_subscription(work: UnitOfWork, command: MigrateSubscription) -> UUID:
    """Bill it as the organization's default says; the same again is refused, so it happens once.

    Raises NothingToMigrate, SubscriptionNotFound, CustomPriced, AlreadyLatest, and what
    ``require_changeable`` and ``plan_terms`` raise.
    """
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
    changing.require_changeable(state, at=at)
    if contract == state.contract:
        raise AlreadyLatest
    await convert_trial(work, account, state.id, at=at)
    await catch_up(work, account, state.id, at=at)
    changing.require_changeable(await work.load(SUBSCRIPTION, state.id), at=at)
    behavior = account.settings.migrate_subscription_proration_behavior
    await carry_out(work, account, state.id, Wish(contract=contract, behavior=behavior), at=at)
    return state.id
