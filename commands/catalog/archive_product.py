"""Take a product out of sale."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.product import decide
from aggregates.product.state import PRODUCT
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveProduct:
    """Its plans go out of sale with it; subscribers keep what they have."""

    product_id: UUID


@handles(ArchiveProduct)
async def archive_product(work: UnitOfWork, command: ArchiveProduct) -> None:
    """Raises ProductNotFound, ProductAlreadyArchived."""
    product = await load_own(work, PRODUCT, command.product_id)
    work.record(command.product_id, decide.archive(product, at=work.instant()))
