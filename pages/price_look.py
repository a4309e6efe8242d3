"""The colors and sizes that a merchant gave a pricing table, as rules of a style sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wire.monetization.style import STYLE, TYPOGRAPHY


_COLORS = {
    "primaryColor": "primary",
    "onPrimaryColor": "on-primary",
    "priceColor": "price",
    "titleColor": "title",
    "buttonColor": "button-text",
    "dividerColor": "divider",
    "featureColor": "feature",
    "priceUnitColor": "unit",
    "descriptionColor": "description",
    "pricePeriodColor": "period",
    "cardBackgroundColor": "card",
    "secondaryColor": "secondary",
    "primaryHoverColor": "primary-hover",
    "buttonBackgroundColor": "button",
    "buttonHoverBackgroundColor": "button-hover",
    "billingSwitchBackgroundColor": "switch",
    "billingSwitchTextColor": "switch-text",
    "billingSwitchActiveBackgroundColor": "switch-active",
    "billingSwitchActiveTextColor": "switch-active-text",
}
_TEXTS = ("price", "title", "feature", "description")
_SIZES = {
    **{f"{text}FontSize": f"{text}-size" for text in _TEXTS},
    "priceUnitFontSize": "unit-size",
    "pricePeriodFontSize": "period-size",
}
_WEIGHTS = {
    **{f"{text}FontWeight": f"{text}-weight" for text in _TEXTS},
    "priceUnitFontWeight": "unit-weight",
    "pricePeriodFontWeight": "period-weight",
}


def is_colored(table: Mapping[str, Any] | None) -> bool:
    """Whether the merchant chose any color: then all of the table is as in the light."""
    style = (table or {}).get("style", {})
    return any(style[name] != usual for name, usual in STYLE.items() if name in style)


def rules_of(table: Mapping[str, Any] | None) -> str:
    """One rule with what differs from the usual look; empty when nothing does.

    Every value was checked when it was written: a color, a number, a weight.
    """
    if table is None:
        return ""
    style, type_, layout = table["style"], table["typography"], table["layout"]
    said = {
        f"--bs-{variable}": style[name]
        for name, variable in _COLORS.items()
        if is_colored(table) and style[name] != STYLE[name]
    }
    said |= {
        f"--bs-{variable}": f"{type_[name]}px"
        for name, variable in _SIZES.items()
        if type_[name] != TYPOGRAPHY[name]
    }
    said |= {
        f"--bs-{variable}": type_[name]
        for name, variable in _WEIGHTS.items()
        if type_[name] != TYPOGRAPHY[name]
    }
    said |= {
        "--bs-gap": f"{layout['gap']}px",
        "--bs-max-width": f"{layout['maxWidth']}px",
        "--bs-min-width": f"{layout['minWidth']}px",
    }
    inside = " ".join(f"{name}: {value};" for name, value in said.items())
    return f".bs-pricing.bs-pricing {{ {inside} }}\n"
