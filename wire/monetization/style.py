"""The look of a pricing table: colors, type, distances, how amounts are written (wire 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, create_model, model_validator

from aggregates.pricing_table.events import Layout, PricingOptions
from wire.base import In, Text
from wire.monetization.fields import Color, Pixels


STYLE: dict[str, str] = {
    "primaryColor": "#1d4ed8",
    "primaryHoverColor": "#1e40af",
    "onPrimaryColor": "#ffffff",
    "secondaryColor": "#eff4ff",
    "priceColor": "#111827",
    "titleColor": "#111827",
    "buttonColor": "#ffffff",
    "dividerColor": "#e5e7eb",
    "featureColor": "#374151",
    "priceUnitColor": "#4b5563",
    "descriptionColor": "#4b5563",
    "pricePeriodColor": "#4b5563",
    "cardBackgroundColor": "#ffffff",
    "buttonBackgroundColor": "#1d4ed8",
    "buttonHoverBackgroundColor": "#1e40af",
    "billingSwitchBackgroundColor": "#f3f4f6",
    "billingSwitchTextColor": "#4b5563",
    "billingSwitchActiveBackgroundColor": "#ffffff",
    "billingSwitchActiveTextColor": "#111827",
}
"""The color of everything that has one, unless the merchant says otherwise."""

SIZES: dict[str, int] = {
    "priceFontSize": 40,
    "titleFontSize": 20,
    "featureFontSize": 15,
    "priceUnitFontSize": 14,
    "descriptionFontSize": 15,
    "pricePeriodFontSize": 14,
}
WEIGHTS: dict[str, str] = {
    "priceFontWeight": "700",
    "titleFontWeight": "600",
    "featureFontWeight": "400",
    "priceUnitFontWeight": "400",
    "descriptionFontWeight": "400",
    "pricePeriodFontWeight": "400",
}
TYPOGRAPHY: dict[str, int | str] = {**SIZES, **WEIGHTS}

Size = Annotated[int, Field(ge=8, le=120, strict=True)]
Weight = Annotated[Text, Field(pattern=r"^(?:[1-9]00|normal|bold)$")]


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


_colors: dict[str, Any] = {_snake(name): (Color | None, None) for name in STYLE}
_mode: Any = Annotated[bool, Field(strict=True)]
StyleIn: type[In] = create_model("StyleIn", __base__=In, **_colors, advanced_mode=(_mode, False))
"""A color for each part; ``advancedMode`` shows the merchant more of them to choose."""

_type: dict[str, Any] = {
    **{_snake(name): (Size | None, None) for name in SIZES},
    **{_snake(name): (Weight | None, None) for name in WEIGHTS},
}
TypographyIn: type[In] = create_model("TypographyIn", __base__=In, **_type)
"""A size in pixels and a weight for each kind of text."""


def named(look: In, known: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from the usual look."""
    said = {name: getattr(look, _snake(name)) for name in known}
    return {name: said[name] for name in known if said[name] not in {None, known[name]}}


class LayoutIn(In):
    """Distances and widths in pixels."""

    gap: Pixels = 24
    align: Literal["start", "center", "end"] = "center"
    max_width: Annotated[Pixels, Field(ge=200)] = 1200
    min_width: Annotated[Pixels, Field(ge=120)] = 260
    tier_selection_type: Literal["switch", "tabs"] = "switch"

    @model_validator(mode="after")
    def _fits(self) -> LayoutIn:
        if self.min_width > self.max_width:
            raise ValueError("minWidth may not be larger than maxWidth.")
        return self

    def value(self) -> Layout:
        """As facts carry it."""
        return Layout(
            gap=self.gap,
            align=self.align,
            max_width=self.max_width,
            min_width=self.min_width,
            tier_selection=self.tier_selection_type,
        )


Digits = Annotated[int, Field(ge=0, le=6, strict=True)]


class PricingOptionsIn(In):
    """How amounts are written, and whether in the visitor's currency."""

    localization: bool = True
    show_decimal: bool = True
    show_currency_code: bool = False
    show_currency_symbol: bool = True
    maximum_decimal_digits: Digits = 2
    minimum_decimal_digits: Digits = 0

    @model_validator(mode="after")
    def _ordered(self) -> PricingOptionsIn:
        if self.minimum_decimal_digits > self.maximum_decimal_digits:
            raise ValueError("minimumDecimalDigits may not be larger than maximumDecimalDigits.")
        return self

    def value(self) -> PricingOptions:
        """As facts carry it."""
        return PricingOptions(**self.model_dump())


def layout_out(layout: dict[str, Any]) -> dict[str, Any]:
    """``layout``."""
    return {
        "gap": layout["gap"],
        "align": layout["align"],
        "maxWidth": layout["max_width"],
        "minWidth": layout["min_width"],
        "tierSelectionType": layout["tier_selection"],
    }


def options_out(options: dict[str, Any]) -> dict[str, Any]:
    """``pricingOptions``."""
    return {
        "localization": options["localization"],
        "showDecimal": options["show_decimal"],
        "showCurrencyCode": options["show_currency_code"],
        "showCurrencySymbol": options["show_currency_symbol"],
        "maximumDecimalDigits": options["maximum_decimal_digits"],
        "minimumDecimalDigits": options["minimum_decimal_digits"],
    }
