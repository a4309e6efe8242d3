"""Somebody pays an invoice on its page (design 8: manual payment)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.invoice import decide as invoices
from aggregates.invoice.events import InvoiceCreated
from aggregates.invoice.state import INVOICE
from aggregates.order.events import Status as OrderStatus
from aggregates.order.state import ORDER
from commands.billing.account import Account, account_instant, load_subscription
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict, Invalid, NotFound
from kernel.sale import MethodWords


MOST_ATTEMPTS = 50
"""So often an invoice is tried before its page takes no more: a link is no place to test cards."""


class InvoiceNotFound(NotFound):
    """There is no such invoice."""

    code = "invoice_not_found"


class InvoiceNotPayable(Conflict):
    """The invoice can no longer be paid."""

    code = "invoice_not_payable"


class TriedTooOften(Conflict):
    """Too many payments of this invoice were tried. Ask who sent it to you."""

    code = "tried_too_often"


class NoSavedMethod(Invalid):
    """There is no saved payment method that can be charged."""

    code = "no_saved_payment_method"


@dataclass(frozen=True, slots=True)
class EnteredCard:
    """A card that is used once and not saved: the provider's name for it, and its words.

    ``continues`` is the provider's key of the attempt that the payer confirmed with the bank.
    """

    reference: str
    words: MethodWords
    continues: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayInvoice:
    """``attempt`` is the one that the payer's form stands for; ``card`` None: the saved method."""

    invoice_id: UUID
    attempt: int
    card: EnteredCard | None = None


@handles(PayInvoice)
async def pay_invoice(work: UnitOfWork, command: PayInvoice) -> None:
    """Begin the attempt; nothing when there was one meanwhile, or nothing is owed any more.

    Raises InvoiceNotFound, InvoiceNotPayable, TriedTooOften, NoSavedMethod, PaymentProviderMissing,
    ClockAdvancing.
    """
    invoice = await work.load(INVOICE, command.invoice_id)
    created = invoice.created
    if created is None:
        raise InvoiceNotFound
    if invoice.attempts + 1 != command.attempt or not invoice.is_open or invoice.in_flight:
        return
    if await is_given_up(work, created):
        raise InvoiceNotPayable
    if invoice.attempts >= MOST_ATTEMPTS:
        raise TriedTooOften
    work.tenant.payments.require()
    state, account = await load_subscription(work, created.sale.subscription.id)
    card = command.card or _saved(account, state.payment_method)
    at = await account_instant(work, account)
    known = account.methods.methods
    newest = known[-1].id if known else None
    facts = invoices.pay_by_hand(
        invoice,
        card.words,
        reference=card.reference,
        newest=newest,
        continues=card.continues,
        at=at,
    )
    work.record(command.invoice_id, facts)


async def is_given_up(work: UnitOfWork, created: InvoiceCreated) -> bool:
    """What the invoice was for will not come about any more."""
    if created.order_id is None:
        return True
    order = await work.load(ORDER, created.order_id)
    return order.status is OrderStatus.FAILED


def _saved(account: Account, preferred: UUID | None) -> EnteredCard:
    method = account.methods.to_charge(preferred)
    if method is None:
        raise NoSavedMethod
    return EnteredCard(method.reference, MethodWords.of(method.id, method.instrument))
