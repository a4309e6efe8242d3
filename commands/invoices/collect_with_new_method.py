"""A new payment method came: collect at once what is open (design 8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.invoice.state import INVOICE
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import caused_instant, load_account
from commands.billing.collecting import attempt
from commands.billing.invoicing import invoice_of
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict


class AlreadyTried(Conflict):
    """The method was tried when it came."""

    code = "already_tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectWithNewMethod:
    """``customer`` is the stream; ``caused_at`` when the method came.

    ``was_added``: just now, so that whatever it was tried on it was tried on since.
    """

    customer: UUID
    method_id: UUID
    caused_at: datetime
    was_added: bool = False


@handles(CollectWithNewMethod)
async def collect_with_new_method(work: UnitOfWork, command: CollectWithNewMethod) -> None:
    """Begin attempts for everything overdue; what is being tried already is left alone.

    The same command begins none twice, also where two workers take it up at once: AlreadyTried.
    """
    account = await load_account(work, command.customer)
    method = account.methods.find(command.method_id)
    if method is None or method.needs_action:
        return
    portfolio = await work.load(PORTFOLIO, portfolio_id(command.customer))
    owing = [await work.load(SUBSCRIPTION, subscription) for subscription in portfolio.open]
    at = caused_instant(work, account.id, account.customer, command.caused_at)
    began = False
    for subscription in owing:
        for invoice_id in _open_invoices(subscription):
            if command.was_added and method.id in (await work.load(INVOICE, invoice_id)).tried:
                continue  # sold meanwhile, and this is late
            began = await attempt(work, invoice_id, method, at=at) or began
    if began:
        work.claim(work.context.command_id, AlreadyTried())


def _open_invoices(state: Subscription) -> Iterable[UUID]:
    if state.checkout is not None and state.status is Status.INCOMPLETE:
        return ()  # who stands at the checkout says what it is paid with
    if state.own_card is not None:
        return ()  # a stranger bought it: it is not the customer's to pay
    if state.status is Status.INCOMPLETE:
        return (invoice_of(state.id, state.period),)
    waiting = () if state.pending is None else (state.pending.invoice_id,)
    return (*(state.dunning.invoices if state.dunning else ()), *waiting)
