"""The buyer pressed the button (design 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.checkout import decide
from aggregates.checkout.events import CheckoutPaymentStarted, Status
from aggregates.invoice import decide as invoices
from aggregates.invoice.state import INVOICE
from commands.billing.selling import Deal, conclude, join_portfolio, require_buyer
from commands.bus import handles
from commands.checkout.entering import custom_fields
from commands.checkout.finishing import finish, paid_with
from commands.checkout.pricing import deal_of, fingerprint, first_invoice
from commands.checkout.visit import Visit, buyer, instant, load_visit, take_details
from commands.unit_of_work import UnitOfWork
from kernel.custom_fields import missing
from kernel.errors import Conflict, Invalid, InvalidFields
from kernel.ids import derived_id
from kernel.ports.payments import SavedInstrument
from kernel.sale import MethodWords


REQUIRED = ["This field is required."]


class CardRequired(Invalid):
    """Enter a card, or choose a saved one."""

    code = "card_required"


class PriceChanged(Conflict):
    """The price is not what was shown; look at it again."""

    code = "price_changed"


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card that was entered: ``saved`` is what the provider said of it."""

    method_id: UUID
    provider: str
    saved: SavedInstrument


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteCheckout:
    """``attempt`` is the one that the buyer's form stands for; ``quote`` the token that was shown.

    One of ``card`` and ``saved_method`` is needed when something is due, or to be tried first.
    """

    session_id: str
    attempt: int
    card: NewCard | None = None
    saved_method: UUID | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class _Way:
    """How it is paid."""

    method: MethodWords
    reference: str
    provider: str
    card: SavedInstrument | None


@handles(CompleteCheckout)
async def complete_checkout(work: UnitOfWork, command: CompleteCheckout) -> None:
    """Sell once: at once if nothing is due, else a payment or an authorization is begun.

    Nothing happens when the attempt was begun before, from another tab or by pressing twice.
    Raises CheckoutNotFound, CheckoutClosed, InvalidFields, CardRequired, PriceChanged, and what
    ``deal_of`` raises.
    """
    visit = await load_visit(work, command.session_id)
    state = visit.state
    if state.attempts + 1 != command.attempt or state.status in {Status.PROCESSING, Status.SUCCESS}:
        return
    at = await instant(work, visit)
    decide.require_open(state, at=at)
    require_buyer(visit.account, visit.account.customer.customer_id)
    await _require_details(work, visit)
    visit = await take_details(work, visit, at=at)
    deal = await deal_of(work, visit, command.attempt, at=at)
    draft = await first_invoice(work, deal)
    if command.quote and command.quote != fingerprint(deal, draft):
        raise PriceChanged
    if draft.is_paid:
        await finish(work, visit, deal, attempt=command.attempt, paid_by=None, at=at)
        return
    way = _way(visit, command)
    started = _started(visit, deal, way, command.attempt, at)
    if deal.draft is None:
        work.record(visit.id, decide.start_payment(state, started))
    else:
        await _begin(work, visit, deal, started, at)


async def _begin(
    work: UnitOfWork, visit: Visit, deal: Deal, started: CheckoutPaymentStarted, at: datetime
) -> None:
    """The sale waits for its payment; nobody sees it before."""
    facts = decide.start_payment(visit.state, started)
    paying = paid_with(visit, deal, started)
    await conclude(work, paying, at=at)
    work.record(visit.id, facts)
    if started.invoice_id is not None:
        invoice = await work.load(INVOICE, started.invoice_id)
        begun = invoices.start_payment(
            invoice, started.method, reference=started.reference, off_session=False, at=at
        )
        work.record(started.invoice_id, begun)
    await join_portfolio(work, paying, at=at)


def _started(
    visit: Visit, deal: Deal, way: _Way, attempt: int, at: datetime
) -> CheckoutPaymentStarted:
    return CheckoutPaymentStarted(
        attempt=attempt,
        subscription_id=deal.subscription_id,
        invoice_id=None if deal.draft is None else deal.draft.invoice_id,
        method=way.method,
        reference=way.reference,
        provider=way.provider,
        provider_key=authorization_key(visit.id, attempt, 0),
        card=way.card,
        currency=visit.state.terms.currency,
        occurred_at=at,
    )


def authorization_key(session: UUID, attempt: int, number: int) -> str:
    """What the provider knows an authorization by, for ever."""
    return str(derived_id(session, "authorization", attempt, number))


def _way(visit: Visit, command: CompleteCheckout) -> _Way:
    """Raises CardRequired: also for a method that this buyer may not choose."""
    card = command.card
    if card is not None:
        words = MethodWords.of(card.method_id, card.saved.instrument)
        return _Way(words, card.saved.reference, card.provider, card.saved)
    saved = visit.account.methods.find(command.saved_method)
    if saved is None or saved.needs_action or not visit.state.is_trusted:
        raise CardRequired
    words = MethodWords.of(saved.id, saved.instrument)
    return _Way(words, saved.reference, saved.provider, None)


async def _require_details(work: UnitOfWork, visit: Visit) -> None:
    """Raise InvalidFields with all that is missing.

    A stranger changes no detail of a customer, and cannot make up for one that is missing.
    """
    details = buyer(visit)
    problems = missing(await custom_fields(work), visit.state.details.custom_fields)
    if visit.state.is_trusted and not details.email:
        problems["email"] = REQUIRED
    address = details.billing_address
    if (
        visit.state.is_trusted
        and visit.account.settings.tax_rates
        and not (address and address.country)
    ):
        problems["billingAddress"] = ["Enter the country."]
    if problems:
        raise InvalidFields(problems)
