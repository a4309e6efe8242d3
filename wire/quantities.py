"""How many of a plan's features are bought, as clients say it (wire 6.3)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from kernel.price import LARGEST_QUANTITY
from wire.base import In
from wire.fields import Identifier


class QuantityIn(In):
    """How much of a feature."""

    identifier: Identifier
    quantity: Annotated[int, Field(ge=0, le=LARGEST_QUANTITY, strict=True)]


Quantities = Annotated[tuple[QuantityIn, ...], Field(max_length=200)]


class QuantitiesIn(In):
    """A request that names features and how many of each, none twice."""

    features: Quantities = ()

    @model_validator(mode="after")
    def _one_quantity_per_feature(self) -> Self:
        named = [item.identifier for item in self.features]
        if len(named) != len(set(named)):
            raise ValueError("Each feature may be named once.")
        return self

    @property
    def quantities(self) -> dict[str, int]:
        """By feature identifier."""
        return {item.identifier: item.quantity for item in self.features}
