"""The feature as clients write and read it (wire 18.2)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from kernel.entitlement import FeatureType, MeterKind, MeterWords
from kernel.errors import InvalidFields
from wire.base import In, Metadata, never_null
from wire.catalog.fields import Description, Json, Name, Slug


class UnitsIn(In):
    """How people count it: one user, two users."""

    singular: Name
    plural: Name


class FeatureDetailsIn(In):
    """What a METER feature counts."""

    feature_sub_type: MeterKind = MeterKind.PRE_AGGREGATED_USAGE
    units: UnitsIn | None = None
    customer_unit: Json = None


class MeterIn(In):
    """How raw events become usage; {} for totals."""

    aggregation: Metadata = Field(default_factory=dict)
    filters: list[Json] = Field(default_factory=list)


class FeatureChangesIn(In):
    """What PATCH may name; what is left out stays."""

    name: Name | None = None
    description: Description | None = None
    metadata: Metadata | None = None

    _not_null = never_null("name")

    def changes(self) -> dict[str, Any]:
        """Fields of FeatureWording that the client named."""
        everything = {
            "name": self.name,
            "description": self.description or "",
            "metadata": self.metadata or {},
        }
        return {name: everything[name] for name in everything if name in self.model_fields_set}


class FeatureIn(In):
    """A new feature; identifier, type and meter are fixed from then on."""

    name: Name
    feature_type: FeatureType
    description: Description | None = None
    identifier: Slug | None = None
    feature_details: FeatureDetailsIn | None = None
    meter: MeterIn | None = None
    metadata: Metadata | None = None

    def meter_words(self) -> MeterWords | None:
        """What a METER feature counts; None for other types. Raises InvalidFields."""
        if self.feature_type is not FeatureType.METER:
            return None
        details, meter = self.feature_details, self.meter or MeterIn()
        if details is None or details.units is None:
            raise InvalidFields({"featureDetails": ["A METER feature needs its units."]})
        return MeterWords(
            kind=details.feature_sub_type,
            singular=details.units.singular,
            plural=details.units.plural,
            customer_unit=details.customer_unit,
            aggregation=meter.aggregation,
            filters=meter.filters,
        )


def feature_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The feature record."""
    meter = doc["meter"]
    return {
        "id": doc["id"],
        "identifier": doc["identifier"],
        "name": doc["name"],
        "description": doc["description"],
        "featureType": doc["type"],
        "featureDetails": feature_details_out(meter),
        "meter": meter_out(meter),
        "details": {},
        "metadata": doc["metadata"],
        "isArchived": doc["is_archived"],
        "modifiedOn": doc["modified_on"],
    }


def feature_details_out(meter: dict[str, Any] | None) -> dict[str, Any]:
    """``featureDetails``: units and kind of a METER feature, else {}."""
    if meter is None:
        return {}
    units = {"singular": meter["singular"], "plural": meter["plural"]}
    details = {"featureSubType": meter["kind"], "units": units}
    unit = meter["customer_unit"]
    return details if unit is None else {**details, "customerUnit": unit}


def meter_out(meter: dict[str, Any] | None) -> dict[str, Any]:
    """``meter``: how raw events become usage, else {}."""
    if meter is None or meter["kind"] != MeterKind.RAW_EVENTS:
        return {}
    return {"aggregation": meter["aggregation"], "filters": meter["filters"]}
