"""Change the settings of a product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.product import decide
from aggregates.product.state import PRODUCT
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeProductSettings:
    """``changes`` holds the fields of ProductSettings that the client named."""

    product_id: UUID
    changes: Mapping[str, Any]


@handles(ChangeProductSettings)
async def change_product_settings(work: UnitOfWork, command: ChangeProductSettings) -> UUID:
    """The product's id. Raises ProductNotFound, ProductAlreadyArchived, UnknownCurrency."""
    product = await load_own(work, PRODUCT, command.product_id)
    decide.require_active(product)
    settings = replace(product.settings, **command.changes)
    facts = decide.change_settings(product, at=work.instant(), settings=settings)
    work.record(command.product_id, facts)
    return command.product_id
