"""Amounts on pricing tables: short when whole, exact when not, as the merchant wants them."""

from decimal import Decimal

import pytest
from babel import Locale

from pages.language import in_english
from pages.price_amounts import USUAL, Amounts
from pages.price_cards import cards_of
from wire.language import Language


@pytest.mark.parametrize(
    ("amount", "currency", "locale", "options", "text"),
    [
        ("20", "USD", "en_US", {}, "$20"),
        ("19.9", "USD", "en_US", {}, "$19.90"),
        ("19.99", "EUR", "de_DE", {}, "19,99\xa0€"),
        ("20", "USD", "en_US", {"minimumDecimalDigits": 2}, "$20.00"),
        ("19.99", "USD", "en_US", {"showDecimal": False}, "$20"),
        ("19.99", "USD", "en_US", {"maximumDecimalDigits": 1}, "$20.0"),
        ("20", "USD", "en_US", {"showCurrencySymbol": False}, "20"),
        ("20", "USD", "en_US", {"showCurrencyCode": True}, "$20\xa0USD"),
        ("1234567", "USD", "en_US", {}, "$1,234,567"),
        ("1000", "JPY", "en_US", {"minimumDecimalDigits": 2}, "¥1,000"),
        ("1.5", "KWD", "en_US", {"maximumDecimalDigits": 3}, "KWD\xa01.500"),
    ],
)
def test_prices(amount, currency, locale, options, text):
    amounts = Amounts(Language(Locale.parse(locale), {}), {**USUAL, **options})
    assert amounts.write(Decimal(amount), currency) == text


@pytest.mark.parametrize(
    ("amount", "text"), [("0.0004", "$0.0004"), ("5", "$5"), ("4.99", "$4.99"), ("0.125", "$0.125")]
)
def test_the_price_of_a_unit_keeps_all_its_places(amount, text):
    amounts = Amounts(Language(Locale.parse("en_US"), {}), USUAL)
    assert amounts.write_exactly(Decimal(amount), "USD") == text


def sold_by(quantity, base=0):
    """The card of a plan whose price is that of a quantity, beside a base price."""
    charge = {"chargePeriod": "MONTHLY", "priceData": {"amount": base}}
    feature = {
        "identifier": "storage",
        "displayName": "Storage",
        "displayDescription": "",
        "displayTooltipDescription": False,
        "enabled": True,
        "featureType": "METER",
        "featureDetails": {"units": {"singular": "gigabyte", "plural": "gigabytes"}},
        "value": None,
        "hasUnlimitedUsage": False,
        "charges": [{"chargePeriod": "MONTHLY", "tiers": [], **quantity}],
    }
    price = {"priceType": "PAID", "currency": "USD", "freeTrial": False, "charges": [charge]}
    plan = {
        "identifier": "store",
        "displayName": "Store",
        "displayDescription": "",
        "shouldHighlight": False,
        "enabled": True,
        "includes": "",
        "price": price,
        "originalPrice": {},
        "features": [feature],
    }
    period = {"chargePeriod": "MONTHLY", "displayName": "Monthly", "enabled": True}
    shown = {**period, "promoCaption": "", "defaultSelected": True}
    body = {"pricingTable": None, "billingPeriods": [shown], "plans": [plan]}
    [card] = cards_of(body, in_english(), lambda *_: "").cards
    [offer] = card.offers
    return offer.price, offer.extras


def tiers(*rows):
    rows = [
        {"upTo": up, "unitAmount": Decimal(unit), "flatAmount": flat} for up, unit, flat in rows
    ]
    return {"priceData": {"currency": "USD"}, "tiers": rows}


GRADUATED = tiers((1000, "0", 0), (5000, "0.10", 0), ("inf", "0.05", 0))
STAIRS = tiers((10_000, "0", 150), ("inf", "0", 300))
FLAT = {"priceData": {"amount": Decimal("0.0004")}}
PACKAGE = {"priceData": {"amount": 10, "block_size": 1000}}


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (GRADUATED, "from $0.05 per gigabyte"),
        (STAIRS, "from $150 for gigabytes"),
        (FLAT, "$0.0004 per gigabyte"),
        (PACKAGE, "$10 per 1,000 gigabytes"),
    ],
)
def test_what_a_quantity_costs_stands_beside_the_base_price_or_is_the_price(quantity, text):
    assert sold_by(quantity, base=5) == ("$5", (f"+ {text}",))
    assert sold_by(quantity) == (text[0].upper() + text[1:], ())


def test_a_quantity_that_costs_nothing_is_not_told():
    assert sold_by(tiers(("inf", "0", 0)), base=5) == ("$5", ())
