"""The texts of an invoice on paper, ready to print in the customer's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aggregates.invoice.events import InvoiceCreated
from kernel.discount import AppliedDiscount
from kernel.lines import InvoiceLine
from kernel.money import Money
from wire.brands import brand
from wire.invoice import InvoiceOut
from wire.language import Language
from wire.paper.language import language_of
from wire.paper.line_words import described
from wire.times import parse


TEMPLATE = "invoice"
LETTER_COUNTRIES = frozenset({"US", "CA", "MX"})
STATE_BESIDE_CITY = frozenset({"US", "CA", "AU"})
CJK = {"ja": "JP", "ko": "KR"}
_TONES = {"PAID": "good", "OPEN": "plain", "PAYMENT_FAILED": "bad"}
_STATUS = {"PAID": "status_paid", "OPEN": "status_open", "PAYMENT_FAILED": "status_failed"}
_ENDLESS = re.compile(r"\S{24}")

Row = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """Who sells and who buys, beyond the record: names, address and tax ids as they are now.

    ``letterhead`` are the settings ``legalName``, ``address`` and ``taxId``.
    """

    merchant: str
    letterhead: Mapping[str, Any] = field(default_factory=dict)
    buyer_tax_id: str | None = None


def invoice_texts(
    created: InvoiceCreated, record: InvoiceOut, parties: Parties, refunded: int = 0
) -> dict[str, Any]:
    """From the fact (exact lines and sums) and the record (customer, status, payment).

    ``refunded`` minor units of it were given back.
    """
    merchant = parties.letterhead.get("legalName") or parties.merchant
    country = record["billingAddress"]["country"]
    spoken = language_of(country)
    words = spoken.words
    is_credit = created.totals.total.units < 0
    kind = words["credit_note"] if is_credit else words["invoice"]
    return {
        "words": dict(words),
        "lang": spoken.locale.language,
        "cjk": CJK.get(spoken.locale.language, "SC"),
        "paper": "us-letter" if country in LETTER_COUNTRIES else "a4",
        "title": f"{kind} {created.number}",
        "merchant": _breakable(merchant),
        "kind": kind,
        "number": created.number,
        "status": words[_status(created, record, refunded)],
        "tone": _TONES[record["status"]],
        "letterhead": [_breakable(row) for row in _letterhead(parties.letterhead, spoken)],
        "billed_to": [_breakable(row) for row in _billed_to(record, parties, spoken)],
        "facts": list(_facts(record, spoken)),
        "headline": _headline(created, record, spoken),
        "note": _note(created, record, spoken),
        "pay_link": record["paymentLink"],
        "lines": [_line(line, spoken) for line in created.lines],
        "sums": list(_sums(created, spoken)),
        "ends": [*_ends(created, record, spoken), *_refunded(created, refunded, spoken)],
    }


def _status(created: InvoiceCreated, record: InvoiceOut, refunded: int) -> str:
    is_refunded = refunded and refunded == created.totals.total.units
    return "refunded" if is_refunded else _STATUS[record["status"]]


def _breakable(text: str) -> str:
    """A word that no line has room for may be broken, without a hyphen that is not in it."""
    return _ENDLESS.sub("\\g<0>\u200b", text)


def _letterhead(settings: Mapping[str, Any], spoken: Language) -> Iterator[str]:
    yield from _postal(settings.get("address") or {}, spoken)
    if settings.get("taxId"):
        yield f"{spoken.words['tax_id']} {settings['taxId']}"


def _billed_to(record: InvoiceOut, parties: Parties, spoken: Language) -> Iterator[str]:
    customer = record["customer"]
    yield customer["name"] or customer["email"] or customer["customerId"]
    if customer["name"] and customer["email"]:
        yield customer["email"]
    yield from _postal(record["billingAddress"], spoken)
    if parties.buyer_tax_id:
        yield f"{spoken.words['tax_id']} {parties.buyer_tax_id}"


def _postal(address: Mapping[str, Any], spoken: Language) -> Iterator[str]:
    yield from (str(address[row]) for row in ("line1", "line2") if address.get(row))
    state, code, city = (str(address.get(part) or "") for part in ("state", "postalCode", "city"))
    if address.get("country") in STATE_BESIDE_CITY:
        rows = [", ".join(filter(None, (city, f"{state} {code}".strip())))]
    else:
        rows = [f"{code} {city}".strip(), state]
    yield from filter(None, rows)
    if country := address.get("country"):
        yield spoken.country_name_of.get(str(country), str(country))


def _facts(record: InvoiceOut, spoken: Language) -> Iterator[Row]:
    words = spoken.words
    yield words["number"], record["id"]
    yield words["product"], _breakable(record["product"]["name"])
    yield words["issued"], spoken.day(parse(record["createdOn"]))
    if record["paidAt"]:
        yield words["paid_on"], spoken.day(parse(record["paidAt"]))
    elif record["dueDate"]:
        yield words["due"], spoken.day(parse(record["dueDate"]))


def _headline(created: InvoiceCreated, record: InvoiceOut, spoken: Language) -> Row:
    words, due = spoken.words, created.balance.due
    if created.totals.total.units < 0:
        return words["balance_credited"], spoken.money(-created.totals.total)
    if record["status"] == "PAID":
        return words["amount_paid"], spoken.money(due)
    return words["amount_due"], spoken.money(due)


def _note(created: InvoiceCreated, record: InvoiceOut, spoken: Language) -> str | None:
    words, method = spoken.words, record["paymentMethod"]
    if created.totals.total.units < 0:
        return words["credited"]
    if record["status"] != "PAID":
        return None
    if method is None:
        return words["nothing_due"]
    name = brand(method["paymentMethodName"] or method["paymentMethodType"])
    last4 = f" •••• {method['last4']}" if method["last4"] else ""
    return f"{words['paid_with']} {name}{last4}"


def _line(line: InvoiceLine, spoken: Language) -> dict[str, str]:
    return {
        "name": _breakable(line.name),
        "description": _breakable(described(line.description, spoken)),
        "quantity": spoken.count(line.quantity),
        "unit_price": spoken.price(line.unit_price, line.amount.currency),
        "amount": spoken.money(line.amount),
    }


def _sums(created: InvoiceCreated, spoken: Language) -> Iterator[Row]:
    words, use = spoken.words, created.balance
    yield words["subtotal"], spoken.money(created.totals.subtotal)
    for discount in created.discounts:
        named = ", ".join(_named(discount, spoken))
        label = f"{words['discount']} ({named})" if named else words["discount"]
        yield label, spoken.money(-discount.amount)
    for tax in created.taxes:
        rate = spoken.percentage(tax.terms.percent if tax.terms.rate else "0")
        named = f"{tax.terms.name or words['tax']} {rate}"
        included = f" ({words['included']})" if tax.terms.is_inclusive else ""
        yield f"{named}{included}", spoken.money(tax.amount)
    if use.applied.units and created.totals.total.units >= 0:
        yield words["total"], spoken.money(created.totals.total)
        label = "carried_over" if use.ending.units > 0 else "balance_applied"
        yield words[label], spoken.money(-use.applied)


def _named(discount: AppliedDiscount, spoken: Language) -> Iterator[str]:
    """The code that people typed, and the part it takes; the name is the merchant's own."""
    if discount.code:
        yield discount.code
    if discount.off.percentage is not None:
        yield spoken.percentage(str(discount.off.percentage))


def _ends(created: InvoiceCreated, record: InvoiceOut, spoken: Language) -> Iterator[Row]:
    words, total = spoken.words, created.totals.total
    if total.units < 0:
        yield words["total"], spoken.money(total)
        return
    if not created.balance.applied.units:
        yield words["total"], spoken.money(total)
    due = created.balance.due
    is_paid = record["status"] == "PAID"
    if is_paid and due.units:
        yield words["amount_paid"], spoken.money(-due)
    left = Money(0, due.currency) if is_paid else due
    yield words["amount_due"], spoken.money(left)


def _refunded(created: InvoiceCreated, refunded: int, spoken: Language) -> Iterator[Row]:
    if refunded:
        amount = Money(refunded, created.totals.total.currency)
        yield spoken.words["refunded"], spoken.money(amount)
