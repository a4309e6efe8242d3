"""The texts of an invoice on paper, and the document that is made of them."""

import dataclasses
import json
import re
from datetime import UTC, datetime
from uuid import UUID

import pytest

from adapters.typesetting import TypstTypesetter
from aggregates.invoice.events import BalanceUse
from kernel.discount import AppliedDiscount, PriceOff
from kernel.interval import Period
from kernel.lines import InvoiceLine, LineOrigin
from kernel.money import CURRENCIES, Money
from kernel.price import TaxBehavior
from kernel.sale import Totals
from kernel.tax import AppliedTax, TaxTerms
from tests.billing_facts import JAN_31, Buyer, Histories
from wire.paper.invoice import TEMPLATE, Parties, invoice_texts
from wire.paper.language import FOLDER, WORDS, language_of


pytestmark = pytest.mark.anyio

MONTH = Period(datetime(2026, 11, 21, tzinfo=UTC), datetime(2026, 12, 21, tzinfo=UTC))
VAT = TaxTerms(country="DE", tax_code="", percent="19.00", behavior=TaxBehavior.EXCLUSIVE)


def fact(currency="USD", lines=1, units=2999, discount=0, tax=0, applied=0):
    def money(n):
        return Money(n, currency)

    rows = tuple(
        InvoiceLine(
            name=f"Pro {number}",
            description="Monthly, 21 Nov 2026 to 20 Dec 2026",
            quantity=1,
            unit_price=money(units).decimal(),
            amount=money(units),
            numerator=units,
            denominator=1,
            period=MONTH,
            feature=None,
            origin=LineOrigin(UUID(int=1), 1),
        )
        for number in range(lines)
    )
    total = units * lines - discount + tax
    due = max(total - applied, 0)
    launch = AppliedDiscount(
        id=UUID(int=3), name="Launch", code="L5", off=PriceOff(percentage=5), amount=money(discount)
    )
    created = Buyer(Histories()).subscribes().is_billed(at=JAN_31)._invoice(JAN_31)
    return dataclasses.replace(
        created,
        lines=rows,
        totals=Totals(
            subtotal=money(units * lines),
            discount=money(discount),
            tax=money(tax),
            total=money(total),
        ),
        balance=BalanceUse(
            starting=money(-applied), applied=money(applied), ending=money(0), due=money(due)
        ),
        discounts=(launch,) if discount else (),
        taxes=(AppliedTax(terms=VAT, base=money(units), amount=money(tax)),) if tax else (),
    )


def record(created, *, country=None, status="OPEN", name="Ada Lovelace", method=True):
    paid = status == "PAID"
    address = dict.fromkeys(("line1", "line2", "city", "state", "postalCode", "country"))
    card = {"paymentMethodType": "card", "paymentMethodName": "amex", "last4": "0005"}
    return {
        "id": created.number,
        "customer": {"customerId": "ada", "name": name, "email": "ada@example.com"},
        "billingAddress": {**address, "city": "Ulm", "postalCode": "89073", "country": country},
        "product": {"id": str(UUID(int=2)), "name": "Orbit"},
        "status": status,
        "createdOn": "2026-11-21T10:30:15Z",
        "paidAt": "2026-11-22T10:30:15Z" if paid else None,
        "dueDate": None if paid else "2026-11-21T10:30:15Z",
        "paymentLink": None if paid else "https://billing.example/pay/token",
        "paymentMethod": card if paid and method else None,
    }


def texts(created=None, merchant="Orbit", letterhead=None, tax_id=None, refunded=0, **fields):
    created = created or fact()
    parties = Parties(merchant=merchant, letterhead=letterhead or {}, buyer_tax_id=tax_id)
    return invoice_texts(created, record(created, **fields), parties, refunded)


def test_it_says_who_sells_and_both_tax_ids():
    address = {"line1": "Ring 1", "postalCode": "10115", "city": "Berlin", "country": "DE"}
    seller = {"legalName": "Orbit Software GmbH", "address": address, "taxId": "DE136695976"}
    said = texts(letterhead=seller, tax_id="DE811569869", country="DE")
    assert said["merchant"] == "Orbit Software GmbH"
    assert said["letterhead"] == ["Ring 1", "10115 Berlin", "Deutschland", "USt-IdNr. DE136695976"]
    assert said["billed_to"][-1] == "USt-IdNr. DE811569869"
    assert texts()["letterhead"] == []


@pytest.fixture
def typesetter():
    made = TypstTypesetter(FOLDER)
    yield made
    made.close()


def plain(text):
    return re.sub(r"[\u00a0\u202f]", " ", text)


@pytest.mark.parametrize(
    ("country", "currency", "amount", "issued", "kind"),
    [
        ("US", "USD", "$29.99", "November 21, 2026", "Invoice"),
        ("DE", "EUR", "29,99 €", "21. November 2026", "Rechnung"),
        ("FR", "EUR", "29,99 €", "21 novembre 2026", "Facture"),
        ("JP", "JPY", "￥2,999", "2026年11月21日", "請求書"),
        ("KW", "KWD", "KWD 2.999", "21 November 2026", "Invoice"),
        ("IN", "INR", "₹29.99", "21 November 2026", "Invoice"),
        (None, "GBP", "£29.99", "21 November 2026", "Invoice"),
        ("XX", "GBP", "£29.99", "21 November 2026", "Invoice"),
    ],
)
def test_it_speaks_as_the_customer_does(country, currency, amount, issued, kind):
    found = texts(fact(currency), country=country)
    assert (plain(found["headline"][1]), found["facts"][2][1], found["kind"]) == (
        amount,
        issued,
        kind,
    )


@pytest.mark.parametrize("currency", sorted(CURRENCIES))
def test_every_currency_has_its_own_places(currency):
    for country in ("US", "DE", "JP"):
        shown = language_of(country).money(Money(1234567, currency))
        assert re.sub(r"\D", "", shown) == "1234567", shown


def test_all_languages_have_the_same_words():
    assert len({tuple(words) for words in WORDS.values()}) == 1
    assert all(all(words.values()) for words in WORDS.values())


def test_a_paid_one_says_how_it_was_paid():
    found = texts(country="US", status="PAID")
    assert found["status"] == "Paid"
    assert found["note"] == "Paid with American Express •••• 0005"
    assert found["pay_link"] is None
    assert found["ends"][-1] == ("Amount due", "$0.00")


def test_the_name_of_a_discount_is_the_merchants_own():
    created = fact("EUR", discount=150)
    (launch,) = created.discounts
    shown = []
    for off in (PriceOff(percentage=5), PriceOff(amount=Money(150, "EUR"))):
        kept = dataclasses.replace(
            created, discounts=(dataclasses.replace(launch, code=None, off=off),)
        )
        shown.append(plain(texts(kept, country="DE")["sums"][1][0]))
    assert shown == ["Rabatt (5 %)", "Rabatt"]


def test_what_was_paid_and_given_back_is_in_the_sums():
    paid = fact("EUR", units=8000, applied=-750)
    part = texts(paid, country="DE", status="PAID", refunded=500)
    assert [(label, plain(amount)) for label, amount in part["ends"]] == [
        ("Bezahlter Betrag", "-87,50 €"),
        ("Offener Betrag", "0,00 €"),
        ("Erstattet", "5,00 €"),
    ]
    assert part["status"] == "Bezahlt"
    assert texts(paid, country="DE", status="PAID", refunded=8000)["status"] == "Erstattet"


def test_what_is_too_small_to_charge_is_carried_over():
    small = fact(units=17, applied=17)
    zero, units = Money(0, "USD"), Money(17, "USD")
    use = BalanceUse(starting=zero, applied=units, ending=units, due=zero)
    found = texts(dataclasses.replace(small, balance=use), country="DE", status="PAID")
    assert found["sums"][-1][0] == "Übertrag auf die nächste Rechnung"
    credited = texts(fact(units=1000, applied=1000), country="DE", status="PAID")
    assert credited["sums"][-1][0] == "Verrechnetes Guthaben"


def test_an_american_address_has_the_state_beside_the_city():
    created = fact()
    shown = record(created, country="US")
    shown["billingAddress"] |= {"city": "Austin", "state": "TX", "postalCode": "78701"}
    found = invoice_texts(created, shown, Parties(merchant="Orbit"))
    assert found["billed_to"][2:] == ["Austin, TX 78701", "United States"]


def test_an_open_one_links_to_its_payment_page():
    found = texts(country="US", status="PAYMENT_FAILED")
    assert (found["status"], found["tone"]) == ("Payment failed", "bad")
    assert found["pay_link"] == "https://billing.example/pay/token"
    assert found["note"] is None


def test_discounts_taxes_and_balance_are_broken_down():
    found = texts(fact("EUR", discount=500, tax=475, applied=974), country="DE")
    assert [(plain(label), plain(amount)) for label, amount in found["sums"]] == [
        ("Zwischensumme", "29,99 €"),
        ("Rabatt (L5, 5 %)", "-5,00 €"),
        ("Steuer 19 %", "4,75 €"),
        ("Gesamtbetrag", "29,74 €"),
        ("Verrechnetes Guthaben", "-9,74 €"),
    ]
    assert [plain(amount) for _, amount in found["ends"]] == ["20,00 €"]


def test_a_negative_one_is_a_credit_note():
    found = texts(fact(units=-2999, applied=-2999), country="US", status="PAID", method=False)
    assert found["kind"] == "Credit note"
    assert found["headline"] == ("Added to your balance", "$29.99")
    assert found["ends"] == [("Total", "-$29.99")]


async def test_the_same_texts_make_the_same_bytes(typesetter):
    first = await typesetter.pdf(TEMPLATE, texts(country="JP"))
    other = TypstTypesetter(FOLDER)
    again = await other.pdf(TEMPLATE, texts(country="JP"))
    other.close()
    assert first.startswith(b"%PDF-")
    assert first == again


def pages(pdf):
    return int(re.search(rb"/Type/Pages/Count (\d+)", pdf)[1])


async def test_two_hundred_lines_go_over_pages(typesetter):
    assert pages(await typesetter.pdf(TEMPLATE, texts())) == 1
    assert pages(await typesetter.pdf(TEMPLATE, texts(fact("KWD", lines=200)))) > 5


@pytest.mark.parametrize(
    "name",
    [
        "W" * 400,
        "株式会社山田製作所",
        "محمد بن عبد الله",
        "#panic() $x$ @a *b* \\ ]",
        "Ünal Öğüt 😀",
        "\u202e",
    ],
)
async def test_any_name_can_be_set_and_none_is_markup(typesetter, name):
    made = await typesetter.pdf(TEMPLATE, texts(name=name, merchant=name, country="DE"))
    assert made.startswith(b"%PDF-")
    assert json.dumps(texts(name=name))
