"""Facts about a pricing table."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from kernel.interval import ChargePeriod


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFeature:
    """How a feature of a plan is shown; ``display_name`` empty: its own name."""

    identifier: str
    enabled: bool = True
    display_name: str = ""
    display_description: str = ""
    has_tooltip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """How a plan is shown; ``includes`` is the line above its features."""

    id: UUID
    identifier: str
    enabled: bool = True
    is_highlighted: bool = False
    display_name: str = ""
    display_description: str = ""
    includes: str = ""
    features: tuple[ShownFeature, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPeriod:
    """A period to choose from; ``promo_caption`` says why one should."""

    period: ChargePeriod
    display_name: str = ""
    enabled: bool = True
    promo_caption: str = ""
    is_default: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Distances in pixels, and how tiers are chosen."""

    gap: int = 24
    align: str = "center"
    max_width: int = 1200
    min_width: int = 260
    tier_selection: str = "switch"


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingOptions:
    """How amounts are written, and whether in the visitor's currency."""

    localization: bool = True
    show_decimal: bool = True
    show_currency_code: bool = False
    show_currency_symbol: bool = True
    maximum_decimal_digits: int = 2
    minimum_decimal_digits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContent:
    """All that a merchant says of a table, plans and periods in the order in which they are shown.

    ``style`` and ``typography`` hold only what differs from the usual look. No ``periods``: those
    that the plans are offered in.
    """

    name: str
    description: str = ""
    plans: tuple[ShownPlan, ...] = ()
    periods: tuple[ShownPeriod, ...] = ()
    style: dict[str, str] = field(default_factory=dict)
    advanced_mode: bool = False
    typography: dict[str, int | str] = field(default_factory=dict)
    layout: Layout = field(default_factory=Layout)
    template: str | None = None
    has_tooltips: bool = False
    options: PricingOptions = field(default_factory=PricingOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingTableCreated:
    """A merchant chose plans and how to show them."""

    table_id: UUID
    identifier: str
    content: TableContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingTableChanged:
    """The table is as told here from now on, in every offering that shows it."""

    table_id: UUID
    content: TableContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingTableArchived:
    """No other offering can show the table; those that do go on."""

    table_id: UUID
    occurred_at: datetime


PricingTableEvent = PricingTableCreated | PricingTableChanged | PricingTableArchived
