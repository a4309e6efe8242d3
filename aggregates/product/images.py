"""The pictures of a product: added, changed, removed; one at most is the thumbnail (wire 18.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from aggregates.product.events import ProductImage
from kernel.errors import InvalidFields, NotFound
from kernel.file_keys import FileKey


MOST_IMAGES = 10
Images = tuple[ProductImage, ...]


class ProductImageNotFound(NotFound):
    """The product has no such image."""

    code = "product_image_not_found"


def with_uploads(images: Images, uploads: Sequence[FileKey]) -> Images:
    """Add uploads at the end; one that is there already stays as it is. Raises InvalidFields."""
    known = {image.id for image in images}
    new = [upload for upload in dict.fromkeys(uploads) if upload.id not in known]
    if len(images) + len(new) > MOST_IMAGES:
        raise InvalidFields({"imageKeys": [f"A product has at most {MOST_IMAGES} images."]})
    last = max((image.ordering for image in images), default=-1)
    added = (
        ProductImage(id=upload.id, key=str(upload), name=upload.name, ordering=last + number)
        for number, upload in enumerate(new, 1)
    )
    return (*images, *added)


def with_changes(images: Images, image_id: UUID, changes: Mapping[str, Any]) -> Images:
    """Change one; a new thumbnail takes the place of the old. Raises ProductImageNotFound."""
    known = find(images, image_id)
    if changes.get("thumbnail"):
        images = tuple(
            image if image is known else replace(image, thumbnail=False) for image in images
        )
    return tuple(replace(image, **changes) if image is known else image for image in images)


def without(images: Images, image_id: UUID) -> Images:
    """Remove one. Raises ProductImageNotFound."""
    known = find(images, image_id)
    return tuple(image for image in images if image is not known)


def find(images: Images, image_id: UUID) -> ProductImage:
    """One image. Raises ProductImageNotFound."""
    for image in images:
        if image.id == image_id:
            return image
    raise ProductImageNotFound
