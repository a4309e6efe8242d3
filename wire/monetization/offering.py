"""The offering as merchants write and read it (wire 5.2, design 13)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, field_validator, model_validator
from typing_extensions import TypedDict

from aggregates.offering.events import OfferingContent
from kernel.price_rule import (
    LARGEST_DECREASE,
    LARGEST_INCREASE,
    Adjustment,
    Condition,
    ConditionType,
    PriceRule,
)
from kernel.purchasing_power import PurchasingPower
from wire.base import In, Text, never_null
from wire.catalog.fields import Description, Name
from wire.monetization.fields import Status, publication
from wire.times import seconds


class ConditionIn(In):
    """Countries by two-letter code, or purchasing power groups."""

    type: ConditionType
    values: Annotated[list[Text], Field(min_length=1, max_length=300)]

    @model_validator(mode="after")
    def _known(self) -> ConditionIn:
        for value in self.values:
            if self.type is ConditionType.COUNTRY:
                if len(value) != 2 or not (value.isascii() and value.isalpha()):
                    raise ValueError(f"{value!r} is not a two-letter country code.")
            elif value.upper() not in PurchasingPower.__members__:
                known = ", ".join(PurchasingPower)
                raise ValueError(f"{value!r} is not one of: {known}.")
        return self

    def value(self) -> Condition:
        """As facts carry it."""
        values = tuple(dict.fromkeys(value.upper() for value in self.values))
        return Condition(type=self.type, values=values)


class RuleIn(In):
    """Prices up or down by a percentage where any of the conditions holds."""

    conditions: Annotated[list[ConditionIn], Field(max_length=50)] | None = None
    adjustment: Adjustment
    percentage: Annotated[int, Field(ge=1, le=LARGEST_INCREASE, strict=True)]

    @model_validator(mode="after")
    def _not_free(self) -> RuleIn:
        if self.adjustment is Adjustment.DECREASE and self.percentage > LARGEST_DECREASE:
            raise ValueError(f"A price goes down by at most {LARGEST_DECREASE} percent.")
        return self

    def value(self, rule_id: UUID) -> PriceRule:
        """As facts carry it."""
        return PriceRule(
            id=rule_id,
            conditions=tuple(condition.value() for condition in self.conditions or ()),
            adjustment=self.adjustment,
            percentage=self.percentage,
        )


class OfferingIn(In):
    """A new offering; without ``pricingTableId`` it shows every visible plan on sale."""

    name: Name
    description: Description | None = None
    pricing_table_id: UUID | None = None
    targeting_rule: RuleIn | None = None
    status: Status = "active"

    @field_validator("targeting_rule")
    @classmethod
    def _conditioned(cls, value: RuleIn | None) -> RuleIn | None:
        if value is not None and not value.conditions:
            raise ValueError("A targeting rule needs conditions.")
        return value

    def content(self, rule_id: UUID) -> OfferingContent:
        """As facts carry it."""
        rule = self.targeting_rule
        return OfferingContent(
            name=self.name,
            description=self.description or "",
            pricing_table=self.pricing_table_id,
            rule=None if rule is None else rule.value(rule_id),
            publication=publication(self.status),
        )


class OfferingChangesIn(In):
    """What PATCH may name; what is left out stays, null takes table or rule away."""

    name: Name | None = None
    description: Description | None = None
    pricing_table_id: UUID | None = None
    targeting_rule: RuleIn | None = None
    status: Status | None = None

    _not_null = never_null("name", "status")

    def changes(self, rule_id: UUID) -> dict[str, Any]:
        """Fields of OfferingContent that the client named."""
        rule = self.targeting_rule
        everything = {
            "name": ("name", self.name),
            "description": ("description", self.description or ""),
            "pricing_table_id": ("pricing_table", self.pricing_table_id),
            "targeting_rule": ("rule", None if rule is None else rule.value(rule_id)),
            "status": ("publication", self.status and publication(self.status)),
        }
        return dict(everything[name] for name in everything if name in self.model_fields_set)


class ConditionOut(TypedDict):
    """Where a rule holds."""

    type: str
    values: list[str]


class RuleOut(TypedDict):
    """How prices move, and where; ``id`` is the ``ruleId`` of a checkout."""

    id: str
    conditions: list[ConditionOut]
    adjustment: str
    percentage: int


class OfferingOut(TypedDict):
    """An offering as its merchant sees it."""

    id: str
    name: str
    description: str
    pricingTableId: str | None
    targetingRule: RuleOut | None
    status: str
    createdOn: str
    modifiedOn: str


def offering_out(doc: dict[str, Any]) -> OfferingOut:
    """The offering record."""
    content = doc["content"]
    return {
        "id": doc["id"],
        "name": content["name"],
        "description": content["description"],
        "pricingTableId": content["pricing_table"],
        "targetingRule": content["rule"],
        "status": doc["status"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }
