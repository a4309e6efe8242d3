"""Payment methods by the names that people know."""

from __future__ import annotations


_BRANDS = {
    "amex": "American Express",
    "jcb": "JCB",
    "sepa_debit": "SEPA Direct Debit",
    "unionpay": "UnionPay",
}


def brand(word: str) -> str:
    """A brand or kind of payment method as people write it."""
    return _BRANDS.get(word, word.replace("_", " ").capitalize())
