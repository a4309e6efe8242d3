"""Change the words of a product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.product import decide, images
from aggregates.product.state import PRODUCT
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.file_keys import FileKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeProduct:
    """``changes`` holds the fields of ProductWording that the client named.

    ``new_identifier`` is what the client sent of the identifier, which is fixed, if anything.
    ``uploads`` are where pictures to be added are kept.
    """

    product_id: UUID
    changes: Mapping[str, Any]
    new_identifier: str | None = None
    uploads: tuple[FileKey, ...] = ()


@handles(ChangeProduct)
async def change_product(work: UnitOfWork, command: ChangeProduct) -> UUID:
    """The product's id. Raises ProductNotFound, ProductAlreadyArchived, InvalidFields."""
    product = await load_own(work, PRODUCT, command.product_id)
    decide.require_active(product)
    if command.new_identifier not in {None, product.identifier}:
        raise InvalidFields({"identifier": ["The identifier is fixed after creation."]})
    shown = images.with_uploads(product.wording.images, command.uploads)
    wording = replace(product.wording, images=shown, **command.changes)
    work.record(command.product_id, decide.reword(product, at=work.instant(), wording=wording))
    return command.product_id
