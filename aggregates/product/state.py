"""What decisions about a product read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never, get_args
from uuid import UUID

from aggregates.product.events import (
    ProductArchived,
    ProductCreated,
    ProductEvent,
    ProductReworded,
    ProductSettings,
    ProductSettingsChanged,
    ProductWording,
    TaxCode,
)
from kernel.fold import Fold
from kernel.ids import NIL
from kernel.offer import ProductWords


UNNAMED = ProductWording(name="", description="", tax_code=TaxCode.SAAS)
FIRST_SETTINGS = ProductSettings()
"""Every product starts with these (wire 18.1: made on first read)."""


class Status(StrEnum):
    """Where a product is in its life."""

    ABSENT = "absent"
    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Product:
    """A product as decisions see it."""

    status: Status = Status.ABSENT
    id: UUID = NIL
    identifier: str = ""
    wording: ProductWording = UNNAMED
    settings: ProductSettings = FIRST_SETTINGS

    @property
    def words(self) -> ProductWords:
        """What things sold under it show."""
        return ProductWords(
            id=self.id,
            identifier=self.identifier,
            name=self.wording.name,
            tax_code=self.wording.tax_code,
        )


def evolve(state: Product, fact: ProductEvent) -> Product:
    """Total and free of rules: what is recorded is true."""
    match fact:
        case ProductCreated():
            return Product(Status.ACTIVE, fact.product_id, fact.identifier, fact.wording)
        case ProductReworded():
            return replace(state, wording=fact.wording)
        case ProductSettingsChanged():
            return replace(state, settings=fact.settings)
        case ProductArchived():
            return replace(state, status=Status.ARCHIVED)
        case _:
            assert_never(fact)


PRODUCT = Fold("product", Product(), evolve, get_args(ProductEvent))
