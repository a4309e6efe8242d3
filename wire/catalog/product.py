"""The product as clients write and read it (wire 18.1)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from aggregates.product.events import ProductSettings, TaxCode
from wire.base import In, Text, never_null
from wire.catalog.fields import Currency, Description, HttpUrl, Name, Slug


UploadKeys = Annotated[list[Text], Field(max_length=10)]


class ProductChangesIn(In):
    """What PATCH may name; what is left out stays."""

    name: Name | None = None
    description: Description | None = None
    tax_code: TaxCode | None = None
    identifier: Text | None = None
    image_keys: UploadKeys | None = None
    file_keys: UploadKeys | None = None

    _not_null = never_null("name", "tax_code")

    def changes(self) -> dict[str, Any]:
        """Fields of ProductWording that the client named."""
        everything = {
            "name": self.name,
            "description": self.description or "",
            "tax_code": self.tax_code,
        }
        return {name: everything[name] for name in everything if name in self.model_fields_set}


class ProductIn(In):
    """A new product; its identifier is made from the name when left out."""

    name: Name
    tax_code: TaxCode
    description: Description | None = None
    identifier: Slug | None = None
    image_keys: UploadKeys | None = None


class ProductSettingsIn(In):
    """What PATCH of the settings may name; what is left out stays, null clears."""

    vpn: bool | None = None
    tor: bool | None = None
    proxy: bool | None = None
    currency: Currency | None = None
    product_url: HttpUrl | None = None

    _not_null = never_null("vpn", "tor", "proxy")

    def changes(self) -> dict[str, Any]:
        """Fields of ProductSettings that the client named."""
        return self.model_dump(include=self.model_fields_set)


def product_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The product record; ``plans`` are the identifiers of its published plans."""
    return {
        "id": doc["id"],
        "identifier": doc["identifier"],
        "name": doc["name"],
        "description": doc["description"],
        "taxCode": doc["tax_code"],
        "createdBy": doc["created_by"],
        "createdOn": doc["created_on"],
        "modifiedOn": doc["modified_on"],
        "isArchived": doc["archived"],
        "images": IMAGES_TOKEN,
        "plans": PLANS_TOKEN,
    }


IMAGES_TOKEN = "\x00images"  # noqa: S105 a place in a body, not a secret
PLANS_TOKEN = "\x00plans"  # noqa: S105 a place in a body, not a secret


def settings_out(settings: ProductSettings) -> dict[str, Any]:
    """The settings record."""
    return {
        "vpn": settings.vpn,
        "tor": settings.tor,
        "proxy": settings.proxy,
        "currency": settings.currency,
        "productUrl": settings.product_url,
    }
