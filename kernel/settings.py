"""What an organization decides about its billing (spec: Organization settings, design 13).

Percentages are exact decimal text (``"2.9"``), so that nothing is ever rounded on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kernel.money import Money
from kernel.postal import Address


class ProrationBehavior(StrEnum):
    """What a change within a paid period costs, and when (spec: Organization settings)."""

    IMMEDIATE_CHARGE = "IMMEDIATE_CHARGE"
    PRORATE_NEXT_INVOICE = "PRORATE_NEXT_INVOICE"
    NO_PRORATION = "NO_PRORATION"


class WebhookSignature(StrEnum):
    """The signature scheme that new webhook endpoints get (design 9)."""

    STANDARD = "STANDARD"
    HEX = "HEX"


def percent(text: str) -> Fraction:
    """A percentage as an exact factor: ``"2.9"`` is 29/1000."""
    return Fraction(text) / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRate:
    """The tax of a country, for one tax code or, when that is empty, for all others."""

    country: str
    percent: str
    tax_code: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFee:
    """The fixed fee per successful payment of one currency, in its minor units."""

    currency: str
    units: int


FIXED_FEES = (
    FixedFee(currency="USD", units=40),
    FixedFee(currency="EUR", units=40),
    FixedFee(currency="GBP", units=35),
    FixedFee(currency="JPY", units=60),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeSchedule:
    """What a Merchant of Record charges per payment (design 7, wire 30.5).

    ``threshold_units`` is what one currency has to process before ``base_percent_after`` holds.
    """

    base_percent: str = "2.9"
    base_percent_after: str = "3.5"
    threshold_units: int = 500_000
    fixed_units: tuple[FixedFee, ...] = FIXED_FEES
    international_percent: str = "1.5"
    subscription_percent: str = "0.7"
    conversion_percent: str = "1.0"
    payout_currency: str = "USD"
    floor_percent: str = "0"
    floor_fixed_units: int = 0

    def fixed(self, currency: str) -> Money:
        """The fixed fee of a currency; nothing for one that is not listed."""
        units = next((fee.units for fee in self.fixed_units if fee.currency == currency), 0)
        return Money(units, currency)


DUNNING_DAYS = (1, 2, 3, 5, 7, 9, 11, 14)
"""Days after the first failure on which a card is tried again (design 8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of an organization with their defaults.

    ``off_session_charging`` allows charges without checkout. ``dunning_schedule`` counts days from
    the first failure. ``tax_id_lowers_inclusive_price``: without tax, an inclusive price drops by
    it instead of staying as it is. ``legal_name``, ``address`` and ``tax_id`` are what invoices on
    paper say of the merchant.
    """

    update_subscription_proration_behavior: ProrationBehavior = ProrationBehavior.IMMEDIATE_CHARGE
    migrate_subscription_proration_behavior: ProrationBehavior = (
        ProrationBehavior.PRORATE_NEXT_INVOICE
    )
    one_subscription_per_product: bool = False
    off_session_charging: bool = True
    tax_rates: tuple[TaxRate, ...] = ()
    tax_id_lowers_inclusive_price: bool = False
    dunning_schedule: tuple[int, ...] = DUNNING_DAYS
    checkout_expiry_hours: int = 24
    fee_schedule: FeeSchedule = FeeSchedule()
    webhook_signature_scheme: WebhookSignature = WebhookSignature.STANDARD
    legal_name: str = ""
    address: Address | None = None
    tax_id: str = ""
