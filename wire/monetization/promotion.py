"""The promotion as merchants write and read it, and as visitors meet it (wire 23)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from aggregates.promotion.events import (
    Banner,
    CountryReduction,
    GroupReduction,
    PromotionContent,
    PromotionSecurity,
)
from kernel.purchasing_power import PurchasingPower
from wire.base import In, Text, never_null
from wire.catalog.fields import Name, Slug
from wire.discount import Code
from wire.fields import Country, Identifier
from wire.monetization.fields import Color, Label, Status, publication, unique
from wire.times import seconds


Percentage = Annotated[int, Field(ge=0, le=100, strict=True)]
Length = Annotated[Text, Field(pattern=r"^\d{1,3}(?:\.\d{1,2})?(?:px|em|rem|%)$")]


class ReductionIn(In):
    """Percent off, and the discount code that takes it off; without a code it is announced only."""

    percentage: Percentage
    code: Code | Literal[""] | None = None


class GroupReductionIn(ReductionIn):
    """What a purchasing power group is offered."""

    group: PurchasingPower

    def value(self) -> GroupReduction:
        """As facts carry it."""
        return GroupReduction(group=self.group, percentage=self.percentage, code=self.code or "")


class CountryReductionIn(ReductionIn):
    """What one country is offered, whatever its group is."""

    country: Country

    def value(self) -> CountryReduction:
        """As facts carry it."""
        return CountryReduction(
            country=self.country, percentage=self.percentage, code=self.code or ""
        )


class SecurityIn(In):
    """To whom nothing is offered; ``billingCountry``: the billing country has to match."""

    vpn: bool = True
    tor: bool = True
    proxy: bool = True
    relay: bool = True
    crawler: bool = True
    billing_country: bool = True


class BannerIn(In):
    """A banner; its message may hold {country}, {country_flag}, {coupon_code} and so on."""

    type: Literal["BANNER"] = "BANNER"
    background_color: Color = "#111827"
    font_color: Color = "#ffffff"
    highlight_font_color: Color = "#fbbf24"
    font_size: Length = "16px"
    border_radius: Length = "0px"
    placement: Literal["top", "bottom"] = "top"
    un_styled: bool = False
    add_close_icon: bool = True
    country_message: Annotated[Text, Field(max_length=2_000)] = ""

    def value(self) -> Banner:
        """As facts carry it."""
        return Banner(
            background_color=self.background_color,
            font_color=self.font_color,
            highlight_font_color=self.highlight_font_color,
            font_size=self.font_size,
            border_radius=self.border_radius,
            placement=self.placement,
            is_unstyled=self.un_styled,
            has_close_icon=self.add_close_icon,
            country_message=self.country_message,
        )


def _groups(rows: list[GroupReductionIn]) -> list[GroupReductionIn]:
    return unique(rows, lambda row: row.group, "group")


def _countries(rows: list[CountryReductionIn]) -> list[CountryReductionIn]:
    return unique(rows, lambda row: row.country, "country")


class PromotionWordsIn(In):
    """What both POST and PATCH may name; each part is replaced whole."""

    products: Annotated[list[Identifier], Field(max_length=100)] = Field(default_factory=list)
    plans: Annotated[list[Slug], Field(max_length=100)] = Field(default_factory=list)
    groups: Annotated[list[GroupReductionIn], Field(max_length=10), AfterValidator(_groups)] = (
        Field(default_factory=list)
    )
    countries: Annotated[
        list[CountryReductionIn], Field(max_length=300), AfterValidator(_countries)
    ] = Field(default_factory=list)
    security: SecurityIn = SecurityIn()
    widgets: Annotated[list[BannerIn], Field(max_length=10)] = Field(default_factory=list)
    message: Label = ""

    def fields(self, *, all_of_them: bool) -> dict[str, Any]:
        """Fields of PromotionContent: those the client named, or all but name and status."""
        everything = {
            "groups": ("groups", tuple(row.value() for row in self.groups)),
            "countries": ("countries", tuple(row.value() for row in self.countries)),
            "security": ("security", PromotionSecurity(**self.security.model_dump())),
            "widgets": ("banners", tuple(row.value() for row in self.widgets)),
            "message": ("message", self.message),
        }
        wanted = everything if all_of_them else self.model_fields_set
        return dict(everything[name] for name in everything if name in wanted)


class PromotionIn(PromotionWordsIn):
    """A new promotion; for all products and plans unless some are named."""

    name: Name
    status: Status = "active"

    def content(self) -> PromotionContent:
        """As facts carry it, but for products and plans."""
        return PromotionContent(
            name=self.name,
            publication=publication(self.status),
            **self.fields(all_of_them=True),
        )


class PromotionChangesIn(PromotionWordsIn):
    """What PATCH may name; what is left out stays."""

    name: Name | None = None
    status: Status | None = None

    _not_null = never_null("name", "status")

    def changes(self) -> dict[str, Any]:
        """Fields of PromotionContent that the client named, but for products and plans."""
        changed = self.fields(all_of_them=False)
        if self.name is not None:
            changed["name"] = self.name
        if self.status is not None:
            changed["publication"] = publication(self.status)
        return changed


class PromotionOut(TypedDict):
    """A promotion as its merchant sees it."""

    id: str
    name: str
    products: list[dict[str, str]]
    plans: list[dict[str, str]]
    groups: list[dict[str, Any]]
    countries: list[dict[str, Any]]
    security: dict[str, bool]
    widgets: list[dict[str, Any]]
    message: str
    status: str
    createdOn: str
    modifiedOn: str


def promotion_out(doc: dict[str, Any]) -> PromotionOut:
    """The promotion record."""
    content = doc["content"]
    security = dict(content["security"])
    return {
        "id": doc["id"],
        "name": content["name"],
        "products": content["products"],
        "plans": content["plans"],
        "groups": content["groups"],
        "countries": content["countries"],
        "security": {"billingCountry": security.pop("billing_country"), **security},
        "widgets": [banner_out(banner) for banner in content["banners"]],
        "message": content["message"],
        "status": doc["status"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def banner_out(banner: dict[str, Any]) -> dict[str, Any]:
    """A widget."""
    return {
        "type": "BANNER",
        "backgroundColor": banner["background_color"],
        "fontColor": banner["font_color"],
        "highlightFontColor": banner["highlight_font_color"],
        "fontSize": banner["font_size"],
        "borderRadius": banner["border_radius"],
        "placement": banner["placement"],
        "unStyled": banner["is_unstyled"],
        "addCloseIcon": banner["has_close_icon"],
        "countryMessage": banner["country_message"],
    }
