"""From a contract and a period to invoice, order, balance and the first attempt to collect.

``prepare`` works everything out and records nothing, so that a caller can first record what the
invoice is for: facts stand in the log in the order in which people tell the story.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.balance import decide as balances
from aggregates.balance.events import BalanceReason
from aggregates.balance.state import BALANCE, balance_id
from aggregates.invoice import decide as invoices
from aggregates.invoice.decide import Draft
from aggregates.invoice.events import BalanceUse
from aggregates.invoice.state import INVOICE
from aggregates.invoice.totals import Sums, add_up, settle, spare
from aggregates.order import decide as orders
from aggregates.order.decide import Purchase
from aggregates.order.state import ORDER
from aggregates.subscription import discounts
from aggregates.subscription.contract import Contract
from aggregates.subscription.offs import due_discounts
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import load_balance
from commands.billing.licensing import issue_license
from commands.billing.taxing import tax_of_sale
from commands.billing.words import full_lines, sale_of
from commands.unit_of_work import UnitOfWork
from kernel.discount import DiscountTerms
from kernel.ids import derived_id, document_number
from kernel.interval import Period
from kernel.lines import InvoiceLine, LineOrigin
from kernel.money import Money
from kernel.offer import LicenseTerms
from kernel.sale import Totals
from kernel.tax import TaxTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What to invoice: one period of a contract, or a one-time sale (``period`` None).

    ``contract_version`` is the version of the subscription's fact that holds the contract.
    ``carried`` lines are worked out already, discounts included: what a change credits and
    charges, and what was deferred. ``is_whole`` False: nothing but those. ``change`` names an
    invoice by the fact that made it instead of by its period.
    ``discounts`` None: those that the subscription has left. ``is_first``: the subscription has no
    order yet, so that a license key comes with this one (design 13). ``custom_fields``
    are what the buyer answered at checkout. ``beside`` are invoices of the period that the
    subscription does not know. ``spares_balance``: who buys may not spend what the customer has.
    """

    subscription_id: UUID
    customer: UUID
    contract: Contract
    contract_version: int
    period: Period | None
    is_renewal: bool = False
    carried: tuple[InvoiceLine, ...] = ()
    is_whole: bool = True
    change: int | None = None
    discounts: tuple[DiscountTerms, ...] | None = None
    beside: tuple[UUID, ...] = ()
    custom_fields: Mapping[str, Any] | None = None
    is_first: bool = False
    spares_balance: bool = False

    @property
    def license(self) -> LicenseTerms | None:
        """The terms of the key that comes with the order of this bill; None: none does."""
        terms = self.contract.terms.plan.license
        return terms if self.is_first and terms.enabled else None

    @property
    def invoice_id(self) -> UUID:
        """The same period is invoiced once, and so is the same change."""
        if self.change is not None:
            return derived_id(self.subscription_id, "invoice", "change", self.change)
        return invoice_of(self.subscription_id, self.period)


def invoice_of(subscription_id: UUID, period: Period | None) -> UUID:
    """The invoice of a whole period of a subscription, or of a one-time sale."""
    began = "once" if period is None else period.start.isoformat()
    return derived_id(subscription_id, "invoice", began)


async def prepare(work: UnitOfWork, bill: Bill) -> Draft:
    """Lines, discounts, tax and what the balance does; raises PaymentProviderMissing if due.

    Carried lines keep out of the discounts. Lines that say how they are taxed stay with that.
    """
    currency = bill.contract.terms.currency
    balance = await load_balance(work, bill.customer, currency)
    sums = await sums_of(work, bill)
    total = sums.totals.total
    provider = work.tenant.payments
    settled = spare if bill.spares_balance else settle
    use = settled(total, balance=balance.money(currency), minimum=provider.minimum(currency))
    if use.due.units:
        provider.require()
    return Draft(
        invoice_id=bill.invoice_id,
        order_id=derived_id(bill.invoice_id, "order") if total.units >= 0 else None,
        sale=sale_of(bill.subscription_id, bill.customer, bill.contract),
        lines=sums.lines,
        totals=sums.totals,
        balance=use,
        period=bill.period,
        discounts=sums.discounts,
        taxes=sums.taxes,
        custom_fields=bill.custom_fields,
    )


async def sums_of(work: UnitOfWork, bill: Bill) -> Sums:
    """What the bill comes to; it gives back no more tax than the present period was billed."""
    origin = LineOrigin(bill.subscription_id, bill.contract_version)
    whole = full_lines(bill.contract, bill.period, origin) if bill.is_whole else ()
    carried = tuple(replace(line, is_prorated=True) for line in bill.carried)
    held, taxed = bill.discounts, None
    if held is None:
        held = due_discounts(await work.load(SUBSCRIPTION, bill.subscription_id))
    if any(line.amount.units < 0 for line in carried):
        taxed = await tax_taken(work, bill)
    return add_up(
        (*carried, *whole),
        currency=bill.contract.terms.currency,
        discounts=held,
        tax=await tax_of_sale(work, bill.customer, bill.contract.terms),
        taxed=taxed,
    )


async def tax_taken(work: UnitOfWork, bill: Bill) -> dict[TaxTerms, int]:
    """The tax per rate on the invoices of the present period, credits taken off."""
    state = await work.load(SUBSCRIPTION, bill.subscription_id)
    taken: dict[TaxTerms, int] = {}
    for invoice_id in dict.fromkeys((*state.invoices, *bill.beside)):
        created = (await work.load(INVOICE, invoice_id)).created
        for tax in created.taxes if created else ():
            taken[tax.terms] = taken.get(tax.terms, 0) + tax.amount.units
    return taken


async def issue(work: UnitOfWork, bill: Bill, draft: Draft, *, at: datetime) -> None:
    """Record the invoice, its order, what it uses of discounts and does to the balance."""
    await _use_discounts(work, bill, draft, at)
    if draft.order_id is None:
        await _issue(work, draft, None, at)
    else:
        await _issue_with_order(work, bill, draft, draft.order_id, at)
    await _use_balance(work, bill.customer, draft, at)


async def _issue_with_order(
    work: UnitOfWork, bill: Bill, draft: Draft, order_id: UUID, at: datetime
) -> None:
    order_number = claim_number(work, "ORD", order_id, at)
    number = await _issue(work, draft, order_number, at)
    purchase = Purchase(
        order_id=order_id,
        sale=draft.sale,
        totals=draft.totals,
        invoice_id=draft.invoice_id,
        invoice_number=number,
        is_paid=draft.is_paid,
        is_renewal=bill.is_renewal,
        entitlements=bill.contract.terms.entitlements,
        license=bill.license,
        custom_fields=bill.custom_fields,
    )
    await _order(work, purchase, order_number, at)


async def credit(work: UnitOfWork, bill: Bill, *, at: datetime) -> Draft:
    """Issue a credit note: its negative total goes to the balance, there is no order (design 7)."""
    currency = bill.contract.terms.currency
    balance = await load_balance(work, bill.customer, currency)
    sums = await sums_of(work, bill)
    totals = sums.totals
    draft = Draft(
        invoice_id=derived_id(bill.invoice_id, "credit"),
        order_id=None,
        sale=sale_of(bill.subscription_id, bill.customer, bill.contract),
        lines=sums.lines,
        totals=totals,
        balance=settle(totals.total, balance=balance.money(currency), minimum=Money(0, currency)),
        period=bill.period,
        taxes=sums.taxes,
    )
    await _issue(work, draft, None, at)
    await _use_balance(work, bill.customer, draft, at)
    return draft


def trial_order_of(subscription_id: UUID) -> UUID:
    """The order that the start of a trial is."""
    return derived_id(subscription_id, "order", "trial")


async def order_trial(work: UnitOfWork, bill: Bill, *, at: datetime) -> None:
    """A trial is an order of nothing due, without an invoice (design 13)."""
    order_id = trial_order_of(bill.subscription_id)
    nothing = Money(0, bill.contract.terms.currency)
    purchase = Purchase(
        order_id=order_id,
        sale=sale_of(bill.subscription_id, bill.customer, bill.contract),
        totals=Totals(subtotal=nothing, discount=nothing, tax=nothing, total=nothing),
        invoice_id=None,
        invoice_number=None,
        is_paid=True,
        is_trial=True,
        entitlements=bill.contract.terms.entitlements,
        license=bill.license,
        custom_fields=bill.custom_fields,
    )
    await _order(work, purchase, claim_number(work, "ORD", order_id, at), at)


def claim_number(work: UnitOfWork, prefix: str, of: UUID, at: datetime) -> str:
    """A number people read; one that is taken makes the whole command try the next (design 7)."""
    number = document_number(prefix, at, of, work.attempt)
    work.claim(work.natural_id("number", number))
    return number


async def _issue(work: UnitOfWork, draft: Draft, order_number: str | None, at: datetime) -> str:
    number = claim_number(work, "INV", draft.invoice_id, at)
    invoice = await work.load(INVOICE, draft.invoice_id, absent=True)
    facts = invoices.create(invoice, draft, number=number, order_number=order_number, at=at)
    work.record(draft.invoice_id, facts, owner=draft.sale.customer)
    return number


async def _order(work: UnitOfWork, purchase: Purchase, number: str, at: datetime) -> None:
    order = await work.load(ORDER, purchase.order_id, absent=True)
    facts = orders.create(order, purchase, number=number, at=at)
    work.record(purchase.order_id, facts, owner=purchase.sale.customer)
    await issue_license(work, purchase.order_id, at=at)


async def _use_discounts(work: UnitOfWork, bill: Bill, draft: Draft, at: datetime) -> None:
    if not draft.discounts:
        return
    state = await work.load(SUBSCRIPTION, bill.subscription_id)
    facts = discounts.use(
        state.discounts,
        bill.subscription_id,
        (applied.id for applied in draft.discounts),
        invoice_id=draft.invoice_id,
        period=draft.period,
        at=at,
    )
    work.record(bill.subscription_id, facts)


async def _use_balance(work: UnitOfWork, customer: UUID, draft: Draft, at: datetime) -> None:
    use = draft.balance
    stream = balance_id(customer, use.applied.currency)
    facts = balances.change(
        await work.load(BALANCE, stream),
        use.applied,
        customer=customer,
        reason=_reason(draft.totals, use),
        invoice_id=draft.invoice_id,
        at=at,
    )
    work.record(stream, facts, owner=customer)


def _reason(totals: Totals, use: BalanceUse) -> BalanceReason:
    if totals.total.units < 0:
        return BalanceReason.CREDIT_NOTE
    if use.due.units == 0 and use.ending.units > 0:
        return BalanceReason.BELOW_MINIMUM_CHARGE
    return BalanceReason.APPLIED_TO_INVOICE
