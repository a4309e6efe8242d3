"""What the engine asks about tax: which terms hold for a sale (design 7).

The answer is recorded on the invoice, so that history never asks again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kernel.price import TaxBehavior
from kernel.settings import Settings
from kernel.tax import TaxRelief, TaxTerms, rate_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Taxable:
    """A sale to somebody in ``country`` (two letters, empty: not known)."""

    country: str
    tax_id: str
    tax_code: str
    behavior: TaxBehavior


class TaxIds(Protocol):
    """Knows business tax ids by their form and check digits; asks nobody."""

    def is_valid(self, country: str, tax_id: str) -> bool:
        """Whether this is a valid business tax id of that country."""


class TaxEngine(Protocol):
    """Decides how a sale is taxed; never waits for anything, decisions call it."""

    def terms(self, sale: Taxable, settings: Settings) -> TaxTerms | None:
        """The terms of a sale; None where no rate is known: it is not taxed."""

    def is_business(self, country: str, tax_id: str) -> bool:
        """Whether this is a valid business tax id of that country."""


@dataclass(frozen=True, slots=True)
class NoTaxIds:
    """Accepts no tax id, so that nobody is relieved."""

    def is_valid(self, country: str, tax_id: str) -> bool:
        """Never."""
        del country, tax_id
        return False


@dataclass(frozen=True, slots=True)
class TableTax:
    """By the organization's own table of rates (setting taxRates)."""

    ids: TaxIds = NoTaxIds()

    def is_business(self, country: str, tax_id: str) -> bool:
        """As the ids know it."""
        return self.ids.is_valid(country, tax_id)

    def terms(self, sale: Taxable, settings: Settings) -> TaxTerms | None:
        """The rate of the buyer's country; a valid business tax id of that country relieves."""
        rate = rate_for(settings.tax_rates, sale.country, sale.tax_code)
        if rate is None:
            return None
        inclusive = sale.behavior is TaxBehavior.INCLUSIVE
        relieved = bool(sale.tax_id) and self.ids.is_valid(sale.country, sale.tax_id)
        return TaxTerms(
            country=rate.country,
            tax_code=rate.tax_code,
            percent=rate.percent,
            behavior=TaxBehavior.INCLUSIVE if inclusive else TaxBehavior.EXCLUSIVE,
            name=rate.name,
            relief=TaxRelief.BUSINESS_TAX_ID if relieved else TaxRelief.NONE,
            lowers_price=relieved and inclusive and settings.tax_id_lowers_inclusive_price,
        )


TABLE = TableTax()
"""The table without relief: what stands in where no tax ids can be checked."""
