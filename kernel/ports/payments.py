"""What the engine asks of a payment provider: every call keyed, every outcome a value (design 8).

A key names one attempt for ever. The same key never moves money twice and always comes to the same
result; a call whose outcome is unknown is settled later by ``lookup``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from kernel.errors import Invalid, NotReady
from kernel.money import Money, exponent


class PaymentProviderMissing(NotReady):
    """No payment provider is connected to this organization."""

    code = "payment_provider_missing"


class MethodNotAccepted(Invalid):
    """The payment provider does not accept this payment method."""

    code = "payment_method_not_accepted"


@dataclass(frozen=True, slots=True)
class ProviderTerms:
    """What decisions need to know of a provider without asking it.

    ``minimums`` are the smallest charges in minor units for currencies of 0, 2 and 3 decimal
    places; a smaller amount goes to the customer's balance (design 7). ``saves_cards`` says that
    card numbers may be handed in through the API (sandbox only).
    """

    name: str
    takes_payments: bool = True
    saves_cards: bool = False
    minimums: tuple[int, int, int] = (50, 50, 500)

    def minimum(self, currency: str) -> Money:
        """The smallest amount that is charged. Raises UnknownCurrency."""
        return Money(self.minimums[max(exponent(currency) - 1, 0)], currency)

    def require(self) -> None:
        """Raise PaymentProviderMissing unless payments can be taken."""
        if not self.takes_payments:
            raise PaymentProviderMissing


SIMULATED = ProviderTerms("simulated", saves_cards=True)
"""The deterministic provider of the sandbox."""

NO_PROVIDER = ProviderTerms("none", takes_payments=False)
"""Production without an adapter (design 8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """What may be known of a payment method: never a full number, never a security code."""

    type: str
    brand: str = ""
    last4: str = ""
    exp_month: int = 0
    exp_year: int = 0
    funding: str = ""
    country: str = ""

    @property
    def is_card(self) -> bool:
        """Cards are retried after a failure, other methods are not (design 8)."""
        return self.type == "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNumber:
    """A card as it was typed in; lives for the length of one request and is never stored."""

    number: str
    exp_month: int
    exp_year: int
    cvc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedInstrument:
    """A payment method as the provider keeps it; ``reference`` charges it later."""

    reference: str
    instrument: Instrument
    needs_action: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """Money to take from a saved method, or to hold (authorize). ``key`` names the attempt.

    ``continues`` is the key of the one that asked for the authentication which the customer passed.
    """

    key: str
    amount: Money
    method: str
    description: str
    customer: str = ""
    continues: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    """Money to give back of the payment that ``payment`` refers to. ``key`` names the attempt."""

    key: str
    amount: Money
    payment: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Succeeded:
    """The provider did it. ``international``: a card issued outside the merchant's country."""

    reference: str
    method_type: str = "card"
    country: str = ""
    international: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """The provider refused. ``hard``: trying this method again is of no use."""

    code: str
    message: str
    method_type: str = "card"
    hard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsAuthentication:
    """The customer has to confirm the payment (3-D Secure, bank app)."""

    code: str = "authentication_required"
    message: str = "The customer has to authenticate this payment."
    method_type: str = "card"


class Authentication(StrEnum):
    """How far the customer's confirmation of a payment has come."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer in time: it may have happened. Look it up by its key before sending it again."""


ChargeResult = Succeeded | Declined | NeedsAuthentication | Unknown
RefundResult = Succeeded | Declined | Unknown
Settled = Succeeded | Declined | NeedsAuthentication


class PaymentProvider(Protocol):
    """One provider of one organization. Safe to call from many tasks and processes at once.

    Calls never raise for an outcome: what went wrong at the provider is a Declined, silence is
    Unknown. They raise BadUpstream for an answer that makes no sense.
    """

    @property
    def terms(self) -> ProviderTerms:
        """Name, minimums and abilities."""

    async def save(self, source: CardNumber | str, key: str) -> SavedInstrument:
        """Keep a card, or what a token of the provider stands for.

        Raises MethodNotAccepted, PaymentProviderMissing.
        """

    async def authorize(self, charge: Charge) -> ChargeResult:
        """Hold the amount without taking it; a zero amount checks the method."""

    async def charge(self, charge: Charge) -> ChargeResult:
        """Take the amount now, without the customer present."""

    async def refund(self, refund: Refund) -> RefundResult:
        """Give back part or all of a payment."""

    async def lookup(self, key: str) -> Settled | None:
        """What became of a key; None when the provider has never heard of it."""

    async def challenge(self, key: str, back: str) -> str | None:
        """Where the customer confirms what ended in NeedsAuthentication under this key.

        The browser comes back to ``back``, a path of ours. None: there is nothing to confirm.
        """

    async def authentication(self, key: str) -> Authentication:
        """What the customer did there. A confirmed charge is tried again, continuing this key."""
