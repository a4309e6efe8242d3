"""The payment methods that the simulator knows, and what each does (wire 31)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kernel.ports.payments import Declined, Instrument


class Silence(StrEnum):
    """What has become of a first call that got no answer."""

    CHARGED = "charged"
    DECLINED = "declined"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """One method: what is seen of it, and how its charges go.

    ``refusal`` refuses every charge, with ``failures`` only the first so many. ``silence``: the
    first call of a key gets no answer.
    """

    name: str
    instrument: Instrument
    number: str = ""
    refusal: Declined | None = None
    failures: int | None = None
    authenticate: bool = False
    silence: Silence | None = None
    refunds: bool = True

    def declines(self, earlier_failures: int) -> bool:
        """Whether the next charge is refused, after so many refused ones."""
        if self.refusal is None or self.silence is not None:
            return self.silence is Silence.DECLINED
        return self.failures is None or earlier_failures < self.failures


def _declined(code: str, message: str, *, hard: bool = False) -> Declined:
    return Declined(code=code, message=message, hard=hard)


REFUSED = _declined("card_declined", "The card was declined.")
POOR = _declined("insufficient_funds", "The card has insufficient funds.")
STOLEN = _declined("stolen_card", "The card was reported stolen.", hard=True)
LOST_CARD = _declined("lost_card", "The card was reported lost.", hard=True)
EXPIRED = _declined("expired_card", "The card has expired.")
BROKEN = _declined("processing_error", "The card could not be processed. Try again later.")


def _card(  # noqa: PLR0913 -- a line of the table below each
    number: str,
    name: str,
    *,
    brand: str = "visa",
    funding: str = "credit",
    country: str = "US",
    refusal: Declined | None = None,
    failures: int | None = None,
    authenticate: bool = False,
    silence: Silence | None = None,
    refunds: bool = True,
) -> Simulated:
    return Simulated(
        name=name,
        number=number,
        instrument=Instrument(
            type="card", brand=brand, last4=number[-4:], funding=funding, country=country
        ),
        refusal=refusal,
        failures=failures,
        authenticate=authenticate,
        silence=silence,
        refunds=refunds,
    )


CARDS: Final = (
    _card("4242424242424242", "visa"),
    _card("4000056655665556", "visa-debit", funding="debit"),
    _card("5555555555554444", "mastercard", brand="mastercard"),
    _card("378282246310005", "amex", brand="amex"),
    _card("4000002760000016", "visa-de", country="DE"),
    _card("4000008260000000", "visa-gb", country="GB"),
    _card("3566002020360505", "jcb-jp", brand="jcb", country="JP"),
    _card("4000000000000002", "declined", refusal=REFUSED),
    _card("4000002500003155", "authenticate", authenticate=True),
    _card("4000000000009995", "insufficient-funds", refusal=POOR),
    _card("4000000000100018", "recovers-1", refusal=POOR, failures=1),
    _card("4000000000100026", "recovers-2", refusal=POOR, failures=2),
    _card("4000000000100042", "recovers-4", refusal=POOR, failures=4),
    _card("4000000000009979", "stolen", refusal=STOLEN),
    _card("4000000000009987", "lost-card", refusal=LOST_CARD),
    _card("4000000000000069", "expired", refusal=EXPIRED),
    _card("4000000000000119", "processing-error", refusal=BROKEN),
    _card("4000000000200016", "silent-charged", silence=Silence.CHARGED),
    _card("4000000000200024", "silent-declined", refusal=REFUSED, silence=Silence.DECLINED),
    _card("4000000000200032", "silent-lost", silence=Silence.LOST),
    _card("4000000000005126", "refund-fails", refunds=False),
)
"""docs/reference/test-cards.md shows this table to readers."""

OTHERS: Final = (
    Simulated(
        name="sepa-debit",
        instrument=Instrument(type="sepa_debit", last4="3000", country="DE"),
    ),
    Simulated(
        name="sepa-debit-declined",
        instrument=Instrument(type="sepa_debit", last4="3002", country="DE"),
        refusal=Declined(
            code="debit_not_authorized",
            message="The bank refused the debit.",
            method_type="sepa_debit",
        ),
    ),
    Simulated(
        name="amazon-pay",
        instrument=Instrument(type="amazon_pay", country="US"),
    ),
)

BY_NUMBER: Final = {card.number: card for card in CARDS}
BY_NAME: Final = {method.name: method for method in (*CARDS, *OTHERS)}
