"""Enter a product into the catalog."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from aggregates.product import decide, images
from aggregates.product.events import ProductWording
from aggregates.product.state import PRODUCT
from commands.bus import handles
from commands.catalog.identifiers import choose_identifier
from commands.unit_of_work import UnitOfWork
from kernel.file_keys import FileKey


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateProduct:
    """``identifier`` None: made from the name. ``created_by`` is a name to show.

    ``uploads`` are where its pictures are kept.
    """

    wording: ProductWording
    created_by: str
    identifier: str | None = None
    uploads: tuple[FileKey, ...] = ()


@handles(CreateProduct)
async def create_product(work: UnitOfWork, command: CreateProduct) -> UUID:
    """The product's id. Raises ProductExists, InvalidFields."""
    identifier, stream = await choose_identifier(
        work, PRODUCT, command.identifier, command.wording.name
    )
    facts = decide.create(
        await work.load(PRODUCT, stream),
        at=work.instant(),
        product_id=stream,
        identifier=identifier,
        wording=replace(command.wording, images=images.with_uploads((), command.uploads)),
        created_by=command.created_by,
    )
    work.record(stream, facts, owner=work.tenant.organization)
    return stream
