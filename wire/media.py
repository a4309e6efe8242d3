"""Uploads, and the files and pictures that come of them, as clients read them (wire 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from kernel import file_keys, plan_file_link
from kernel.tenant import Tenant
from wire.base import In, Text


def _plain_name(name: str) -> str:
    if not file_keys.is_file_name(name):
        raise ValueError("Enter a plain file name of at most 200 characters, without a folder.")
    return name


class MediaIn(In):
    """A file that is about to be uploaded."""

    file_name: Annotated[Text, AfterValidator(_plain_name)]
    file_type: Annotated[Text, Field(max_length=200, pattern=r"^[\w.+-]+/[\w.+-]+$")]


class UploadTicketOut(TypedDict):
    """Post ``fields`` and then the file, as ``file``, to ``url`` as a multipart form."""

    url: str
    fields: dict[str, str]
    fileKey: str


class PlanFileChangesIn(In):
    """What PATCH of a plan's file may name."""

    name: Annotated[Text, AfterValidator(_plain_name)] | None = None
    ordering: Annotated[int, Field(ge=-(2**31), lt=2**31, strict=True)] | None = None
    enabled: bool | None = None

    def changes(self) -> dict[str, Any]:
        """Fields of PlanFile that the client named."""
        return self.model_dump(exclude_none=True)


class ProductImageChangesIn(PlanFileChangesIn):
    """What PATCH of a product's image may name."""

    thumbnail: bool | None = None


class PlanFileOut(TypedDict):
    """A file that comes with a plan; its address holds for a quarter of an hour."""

    id: str
    name: str
    ordering: int
    enabled: bool
    downloadUrl: str


class ProductImageOut(TypedDict):
    """A picture of a product."""

    id: str
    name: str
    image: str
    ordering: int
    thumbnail: bool
    enabled: bool


Files = Sequence[Mapping[str, Any]]


def plan_files_out(
    files: Files, plan: str, base_url: str, tenant: Tenant, reader: UUID, now: datetime
) -> list[PlanFileOut]:
    """The files of a plan for a reader, in order."""
    return [
        {
            "id": file["id"],
            "name": file["name"],
            "ordering": file["ordering"],
            "enabled": file["enabled"],
            "downloadUrl": plan_file_link.download_url(
                base_url, tenant, plan, UUID(file["id"]), reader, now
            ),
        }
        for file in sorted(files, key=lambda each: each["ordering"])
    ]


def product_images_out(images: Files, base_url: str, organization: UUID) -> list[ProductImageOut]:
    """The pictures of a product, in order."""
    return [
        {
            "id": image["id"],
            "name": image["name"],
            "image": public_address(base_url, organization, image["key"]),
            "ordering": image["ordering"],
            "thumbnail": image["thumbnail"],
            "enabled": image["enabled"],
        }
        for image in sorted(images, key=lambda each: each["ordering"])
    ]


def public_address(base_url: str, organization: UUID, key: str) -> str:
    """Where a public picture is."""
    return f"{base_url}/media/{organization}/{quote(key)}"
