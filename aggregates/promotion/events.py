"""Facts about a promotion."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from kernel.publication import Publication
from kernel.purchasing_power import PurchasingPower


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotedThing:
    """A product or plan that the promotion is for."""

    id: UUID
    identifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReduction:
    """What people of a purchasing power group are offered; ``code`` is that of a discount."""

    group: PurchasingPower
    percentage: int
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryReduction:
    """What people of one country are offered, whatever their group is."""

    country: str
    percentage: int
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionSecurity:
    """To whom nothing is offered: visitors who hide where they are, and machines.

    ``billing_country``: the discount is for buyers whose billing country is the one offered to.
    """

    vpn: bool = True
    tor: bool = True
    proxy: bool = True
    relay: bool = True
    crawler: bool = True
    billing_country: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """A strip on the merchant's page that tells of the discount."""

    background_color: str = "#111827"
    font_color: str = "#ffffff"
    highlight_font_color: str = "#fbbf24"
    font_size: str = "16px"
    border_radius: str = "0px"
    placement: str = "top"
    is_unstyled: bool = False
    has_close_icon: bool = True
    country_message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionContent:
    """All that a merchant says of a promotion; for no products and plans: for all."""

    name: str
    products: tuple[PromotedThing, ...] = ()
    plans: tuple[PromotedThing, ...] = ()
    groups: tuple[GroupReduction, ...] = ()
    countries: tuple[CountryReduction, ...] = ()
    security: PromotionSecurity = field(default_factory=PromotionSecurity)
    banners: tuple[Banner, ...] = ()
    message: str = ""
    publication: Publication = Publication.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionCreated:
    """A merchant offers people less to pay, by where they are."""

    promotion_id: UUID
    content: PromotionContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionChanged:
    """The promotion is as told here from now on."""

    promotion_id: UUID
    content: PromotionContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionArchived:
    """Nobody is offered it any more; its discount codes live on."""

    promotion_id: UUID
    occurred_at: datetime


PromotionEvent = PromotionCreated | PromotionChanged | PromotionArchived
