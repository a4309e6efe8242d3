"""Takes back an invoice whose sale never came about: nobody shall pay it later."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.balance import decide as balances
from aggregates.balance.events import BalanceReason
from aggregates.balance.state import BALANCE, balance_id
from aggregates.discount.redeem import release
from aggregates.discount.state import DISCOUNT
from aggregates.invoice import decide as invoices
from aggregates.invoice.state import INVOICE
from aggregates.subscription.state import Subscription
from commands.discounts.create_discount import discount_of
from commands.unit_of_work import UnitOfWork


async def withdraw(work: UnitOfWork, invoice_id: UUID, *, at: datetime) -> None:
    """Its link leads nowhere any more, and what it used of the balance is there again."""
    invoice = await work.load(INVOICE, invoice_id)
    facts = invoices.withdraw(invoice, at=at)
    work.record(invoice_id, facts)
    if invoice.created is None or not facts:
        return
    applied, customer = invoice.created.balance.applied, invoice.created.sale.customer
    stream = balance_id(customer, applied.currency)
    returned = balances.change(
        await work.load(BALANCE, stream),
        -applied,
        customer=customer,
        reason=BalanceReason.INVOICE_WITHDRAWN,
        invoice_id=invoice_id,
        at=at,
    )
    work.record(stream, returned, owner=customer)


async def release_discounts(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """Somebody else may use the codes that it had taken."""
    for held in state.discounts:
        if held.terms.code is None:
            continue
        stream = discount_of(work, held.terms.code)
        discount = await work.load(DISCOUNT, stream)
        work.record(stream, release(discount, state.id, at=at))
