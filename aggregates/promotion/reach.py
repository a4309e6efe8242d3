"""Which countries a promotion tells a discount code to."""

from __future__ import annotations

from aggregates.promotion.events import PromotionContent
from kernel.publication import Publication
from kernel.purchasing_power import GROUPS


def countries_by_code(content: PromotionContent) -> dict[str, tuple[str, ...]]:
    """The countries of each code, if buyers have to be billed in them.

    A draft tells nobody; without the switch a code may be used from anywhere.
    """
    if not content.security.billing_country or content.publication is not Publication.ACTIVE:
        return {}
    own = {row.country for row in content.countries}
    reached: dict[str, set[str]] = {}
    for row in content.countries:
        if row.code:
            reached.setdefault(row.code.upper(), set()).add(row.country)
    for group in content.groups:
        if group.code:
            told = {country for country, its in GROUPS.items() if its is group.group}
            reached.setdefault(group.code.upper(), set()).update(told - own)
    return {code: tuple(sorted(countries)) for code, countries in reached.items()}
