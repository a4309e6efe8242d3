"""Facts about a product."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class TaxCode(StrEnum):
    """What kind of goods it is to the tax office (wire 18.1)."""

    SAAS = "saas"
    SAAS_BUSINESS = "saas_business"
    SOFTWARE = "software"
    VIDEO_CONTENT = "videocontent"
    INFORMATION_SERVICE = "informationservice"
    EBOOK = "ebook"
    DIGITAL_GRAPHIC = "digitalgraphic"
    VIDEO_GAME = "videogame"
    E_SERVICE = "eservice"
    TRAINING = "training"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductImage:
    """A picture of a product; one of them at the most is the thumbnail."""

    id: UUID
    key: str
    name: str
    ordering: int
    thumbnail: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductWording:
    """What people read and see of a product, and how it is taxed."""

    name: str
    description: str
    tax_code: TaxCode
    images: tuple[ProductImage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSettings:
    """Who may buy, and in which currency a plan must be priced at least (None: any).

    ``vpn``, ``tor`` and ``proxy`` turn buyers away who hide behind one.
    """

    vpn: bool = False
    tor: bool = False
    proxy: bool = False
    currency: str | None = None
    product_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductCreated:
    """A product entered the catalog; its identifier is fixed from now on."""

    product_id: UUID
    identifier: str
    wording: ProductWording
    created_by: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductReworded:
    """Name, description or tax code changed; what is sold already keeps its copies."""

    product_id: UUID
    wording: ProductWording
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSettingsChanged:
    """The settings that apply from now on."""

    product_id: UUID
    settings: ProductSettings
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductArchived:
    """Nothing of it is sold any more; subscribers keep what they have."""

    product_id: UUID
    occurred_at: datetime


ProductEvent = ProductCreated | ProductReworded | ProductSettingsChanged | ProductArchived
