"""The pricing table as merchants write and read it (spec: Public offering, wire 5.2)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from aggregates.pricing_table.events import ShownFeature, ShownPeriod, ShownPlan, TableContent
from kernel.ids import NIL
from wire.base import In, Text, never_null
from wire.catalog.fields import Description, Name, Period, Slug
from wire.monetization.fields import Label, unique
from wire.monetization.style import (
    STYLE,
    TYPOGRAPHY,
    LayoutIn,
    PricingOptionsIn,
    StyleIn,
    TypographyIn,
    layout_out,
    named,
    options_out,
)
from wire.times import seconds


class ShownFeatureIn(In):
    """How a feature is shown."""

    identifier: Slug
    enabled: bool = True
    display_name: Label = ""
    display_description: Description = ""
    display_tooltip_description: bool = False

    def value(self) -> ShownFeature:
        """As facts carry it."""
        return ShownFeature(
            identifier=self.identifier,
            enabled=self.enabled,
            display_name=self.display_name,
            display_description=self.display_description,
            has_tooltip=self.display_tooltip_description,
        )


def _features(rows: list[ShownFeatureIn]) -> list[ShownFeatureIn]:
    return unique(rows, lambda row: row.identifier, "feature")


class ShownPlanIn(In):
    """How a plan is shown; features that are not named follow in the plan's own order."""

    identifier: Slug
    enabled: bool = True
    should_highlight: bool = False
    display_name: Label = ""
    display_description: Description = ""
    includes: Label = ""
    features: Annotated[list[ShownFeatureIn], Field(max_length=200), AfterValidator(_features)] = (
        Field(default_factory=list)
    )

    def value(self) -> ShownPlan:
        """As facts carry it, but for the plan's id."""
        return ShownPlan(
            id=NIL,
            identifier=self.identifier,
            enabled=self.enabled,
            is_highlighted=self.should_highlight,
            display_name=self.display_name,
            display_description=self.display_description,
            includes=self.includes,
            features=tuple(feature.value() for feature in self.features),
        )


class ShownPeriodIn(In):
    """A period to choose from."""

    charge_period: Period
    display_name: Label = ""
    enabled: bool = True
    promo_caption: Label = ""
    default_selected: bool = False

    def value(self) -> ShownPeriod:
        """As facts carry it."""
        return ShownPeriod(
            period=self.charge_period,
            display_name=self.display_name,
            enabled=self.enabled,
            promo_caption=self.promo_caption,
            is_default=self.default_selected,
        )


def _plans(rows: list[ShownPlanIn]) -> list[ShownPlanIn]:
    return unique(rows, lambda row: row.identifier, "plan")


def _periods(rows: list[ShownPeriodIn]) -> list[ShownPeriodIn]:
    if sum(row.default_selected for row in rows) > 1:
        raise ValueError("One period at most is selected at first.")
    return unique(rows, lambda row: row.charge_period, "period")


class TableWordsIn(In):
    """What both POST and PATCH may name; each part is replaced whole."""

    description: Description | None = None
    plans: Annotated[list[ShownPlanIn], Field(max_length=50), AfterValidator(_plans)] = Field(
        default_factory=list
    )
    billing_periods: Annotated[
        list[ShownPeriodIn], Field(max_length=10), AfterValidator(_periods)
    ] = Field(default_factory=list)
    style: StyleIn = StyleIn()
    typography: TypographyIn = TypographyIn()
    layout: LayoutIn = LayoutIn()
    template: Annotated[Text, Field(max_length=100)] | None = None
    description_tooltip_enabled: bool = False
    pricing_options: PricingOptionsIn = PricingOptionsIn()

    def _everything(self) -> dict[str, dict[str, Any]]:
        style: Any = self.style
        return {
            "description": {"description": self.description or ""},
            "plans": {"plans": tuple(plan.value() for plan in self.plans)},
            "billing_periods": {"periods": tuple(row.value() for row in self.billing_periods)},
            "style": {"style": named(style, STYLE), "advanced_mode": style.advanced_mode},
            "typography": {"typography": named(self.typography, TYPOGRAPHY)},
            "layout": {"layout": self.layout.value()},
            "template": {"template": self.template},
            "description_tooltip_enabled": {"has_tooltips": self.description_tooltip_enabled},
            "pricing_options": {"options": self.pricing_options.value()},
        }

    def fields(self, *, all_of_them: bool) -> dict[str, Any]:
        """Fields of TableContent but the name: those the client named, or all."""
        return {
            name: value
            for field, values in self._everything().items()
            if all_of_them or field in self.model_fields_set
            for name, value in values.items()
        }


class PricingTableIn(TableWordsIn):
    """A new table; its identifier is made from the name when left out."""

    name: Name
    identifier: Slug | None = None

    def content(self) -> TableContent:
        """As facts carry it."""
        return TableContent(name=self.name, **self.fields(all_of_them=True))


class PricingTableChangesIn(TableWordsIn):
    """What PATCH may name; what is left out stays. The identifier is fixed."""

    name: Name | None = None

    _not_null = never_null("name")

    def changes(self) -> dict[str, Any]:
        """Fields of TableContent that the client named."""
        changed = self.fields(all_of_them=False)
        return changed if self.name is None else {**changed, "name": self.name}


class PricingTableOut(TypedDict):
    """A pricing table as its merchant sees it."""

    id: str
    identifier: str
    name: str
    description: str
    plans: list[dict[str, Any]]
    billingPeriods: list[dict[str, Any]]
    style: dict[str, Any]
    typography: dict[str, Any]
    layout: dict[str, Any]
    template: str | None
    descriptionTooltipEnabled: bool
    pricingOptions: dict[str, Any]
    status: str
    createdOn: str
    modifiedOn: str


def pricing_table_out(doc: dict[str, Any]) -> PricingTableOut:
    """The pricing table record."""
    content = doc["content"]
    look = look_out(doc)
    return {
        "id": doc["id"],
        "identifier": doc["identifier"],
        "name": content["name"],
        "description": content["description"],
        "plans": [_plan(plan) for plan in content["plans"]],
        "billingPeriods": [period_out(period) for period in content["periods"]],
        "style": look["style"],
        "typography": look["typography"],
        "layout": look["layout"],
        "template": look["template"],
        "descriptionTooltipEnabled": look["descriptionTooltipEnabled"],
        "pricingOptions": look["pricingOptions"],
        "status": doc["status"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def look_out(doc: dict[str, Any]) -> dict[str, Any]:
    """``pricingTable`` of a public offering."""
    content = doc["content"]
    return {
        "name": content["name"],
        "description": content["description"],
        "identifier": doc["identifier"],
        "style": {**STYLE, **content["style"], "advancedMode": content["advanced_mode"]},
        "typography": {**TYPOGRAPHY, **content["typography"]},
        "layout": layout_out(content["layout"]),
        "template": content["template"],
        "descriptionTooltipEnabled": content["has_tooltips"],
        "pricingOptions": options_out(content["options"]),
    }


def period_out(period: dict[str, Any]) -> dict[str, Any]:
    """A billing period as the merchant described it."""
    return {
        "chargePeriod": period["period"],
        "displayName": period["display_name"],
        "enabled": period["enabled"],
        "promoCaption": period["promo_caption"],
        "defaultSelected": period["is_default"],
    }


def _plan(plan: dict[str, Any]) -> dict[str, Any]:
    return {
        "identifier": plan["identifier"],
        "enabled": plan["enabled"],
        "shouldHighlight": plan["is_highlighted"],
        "displayName": plan["display_name"],
        "displayDescription": plan["display_description"],
        "includes": plan["includes"],
        "features": [
            {
                "identifier": feature["identifier"],
                "enabled": feature["enabled"],
                "displayName": feature["display_name"],
                "displayDescription": feature["display_description"],
                "displayTooltipDescription": feature["has_tooltip"],
            }
            for feature in plan["features"]
        ],
    }
