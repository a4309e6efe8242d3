"""Everything a customer does in the portal: only what customers may do, only with their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from aggregates.customer.decide import CustomerNotFound
from aggregates.license.refusals import LicenseNotFound
from aggregates.license.state import LICENSE
from aggregates.payment_method.decide import PaymentMethodNotFound
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.events import Initiator
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.bus import handler_of, handles
from commands.customers.change_customer import ChangeCustomer
from commands.licenses.deactivate_license import RevokeInstance
from commands.payment_methods.add_payment_method import AddPaymentMethod
from commands.payment_methods.change_payment_method import ChangePaymentMethod
from commands.payment_methods.remove_payment_method import RemovePaymentMethod
from commands.portal.look_at_waiting_change import LookAtWaitingChange
from commands.portal.offered_plans import require_offered
from commands.portal.quote_plans import QuotePlans
from commands.portal.signing_in import signed_in
from commands.subscriptions.accept_retention_offer import AcceptRetentionOffer
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.migrate_subscription import MigrateSubscription
from commands.subscriptions.pause_subscription import ResumeSubscription
from commands.subscriptions.preview_migration import PreviewMigration
from commands.subscriptions.preview_update import PreviewUpdate
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from commands.subscriptions.wanted_contract import Asked
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict, NotAllowed


EDITABLE = frozenset({"name", "billing_address", "tax_id"})
"""The details that customers may change themselves; the email address is what signs them in."""


class FormAlreadySent(Conflict):
    """The form was sent already."""

    code = "form_already_sent"


class NotForCustomers(NotAllowed):
    """Only the merchant may do this."""

    code = "not_for_customers"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActAsCustomer:
    """``command`` for whom a session stands for; a ``form`` is taken once, however often sent."""

    session_id: UUID
    command: Any
    form: UUID | None = None


Check = Callable[[UnitOfWork, Any, UUID], Awaitable[None]]


@handles(ActAsCustomer)
async def act_as_customer(work: UnitOfWork, command: ActAsCustomer) -> Any:
    """What the command returns; session and ownership hold in the same append as its facts.

    Raises NotSignedIn, NotForCustomers, FormAlreadySent, the NotFound of what belongs to somebody
    else, and what the command raises.
    """
    customer = await signed_in(work, command.session_id)
    check = _ALLOWED.get(type(command.command))
    if check is None:
        raise NotForCustomers
    await check(work, command.command, customer)
    if command.form is not None:
        work.claim(command.form, FormAlreadySent())
    return await handler_of(command.command)(work, command.command)


async def own_subscription(work: UnitOfWork, subscription: UUID, customer: UUID) -> Subscription:
    """The subscription, if it is this customer's. Raises SubscriptionNotFound."""
    state = await work.load(SUBSCRIPTION, subscription)
    if state.contract is None or state.customer != customer:
        raise SubscriptionNotFound
    return state


async def _of_subscription(work: UnitOfWork, command: Any, customer: UUID) -> None:
    await own_subscription(work, command.subscription_id, customer)


async def _changed(work: UnitOfWork, command: Any, customer: UUID) -> Subscription:
    """What a stranger pays for is cancelled or kept as it is: its price is not the customer's."""
    state = await own_subscription(work, command.subscription_id, customer)
    if state.own_card is not None:
        raise NotForCustomers
    return state


async def _migrates(work: UnitOfWork, command: MigrateSubscription, customer: UUID) -> None:
    await _changed(work, command, customer)


async def _updates(work: UnitOfWork, command: UpdateSubscription, customer: UUID) -> None:
    """To what is on show, on the merchant's terms."""
    state = await _changed(work, command, customer)
    asked = Asked(plan=command.plan, period=command.period, quantities=command.quantities)
    wished = UpdateSubscription(
        subscription_id=command.subscription_id,
        plan=command.plan,
        period=command.period,
        quantities=command.quantities,
        activate_on_payment=command.activate_on_payment,
        preview_id=command.preview_id,
    )
    if command != wished:
        raise NotForCustomers
    await require_offered(work, state, asked)


async def _previewed(work: UnitOfWork, command: PreviewUpdate, customer: UUID) -> None:
    await _updates(work, command.update, customer)


async def _would_migrate(work: UnitOfWork, command: PreviewMigration, customer: UUID) -> None:
    await _migrates(work, command.migration, customer)


async def _cancels(work: UnitOfWork, command: CancelSubscription, customer: UUID) -> None:
    """As the customer, without giving money back."""
    await own_subscription(work, command.subscription_id, customer)
    if command.wish.initiator is not Initiator.CUSTOMER or command.credit_unused_time:
        raise NotForCustomers


async def _reactivates(work: UnitOfWork, command: ReactivateSubscription, customer: UUID) -> None:
    """What the customer scheduled; an end that the merchant set stays."""
    state = await own_subscription(work, command.subscription_id, customer)
    if state.ending is not None and state.ending.initiator is not Initiator.CUSTOMER:
        raise NotForCustomers


async def _resumes(work: UnitOfWork, command: ResumeSubscription, customer: UUID) -> None:
    """A pause that the customer accepted as an offer; one that the merchant set stays."""
    state = await own_subscription(work, command.subscription_id, customer)
    if state.pause is not None and not state.pause.offered:
        raise NotForCustomers


async def _adds_method(work: UnitOfWork, command: AddPaymentMethod, customer: UUID) -> None:
    if work.natural_id("customer", command.customer_id) != customer:
        raise CustomerNotFound


async def _changes_method(work: UnitOfWork, command: ChangePaymentMethod, customer: UUID) -> None:
    del work
    if command.customer != customer:
        raise PaymentMethodNotFound
    if command.card:
        raise NotForCustomers


async def _removes_method(work: UnitOfWork, command: RemovePaymentMethod, customer: UUID) -> None:
    del work
    if command.customer != customer:
        raise PaymentMethodNotFound
    if not command.by_customer:
        raise NotForCustomers


async def _releases(work: UnitOfWork, command: RevokeInstance, customer: UUID) -> None:
    issued = (await work.load(LICENSE, command.license_id)).issued
    if issued is None or issued.sale.customer != customer:
        raise LicenseNotFound


async def _changes_details(work: UnitOfWork, command: ChangeCustomer, customer: UUID) -> None:
    if work.natural_id("customer", command.customer_id) != customer:
        raise CustomerNotFound
    if not EDITABLE.issuperset(command.changes):
        raise NotForCustomers


_ALLOWED: dict[type, Check] = {
    AcceptRetentionOffer: _of_subscription,
    AddPaymentMethod: _adds_method,
    CancelSubscription: _cancels,
    ChangeCustomer: _changes_details,
    ChangePaymentMethod: _changes_method,
    LookAtWaitingChange: _of_subscription,
    MigrateSubscription: _migrates,
    PreviewMigration: _would_migrate,
    PreviewUpdate: _previewed,
    QuotePlans: _of_subscription,
    ReactivateSubscription: _reactivates,
    RemovePaymentMethod: _removes_method,
    ResumeSubscription: _resumes,
    RevokeInstance: _releases,
    UpdateSubscription: _updates,
}
"""What a customer may do, and the check that it is with the customer's own."""
