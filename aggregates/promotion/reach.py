"""Which countries a promotion tells a discount code to, and for what."""

from __future__ import annotations

from aggregates.promotion.events import PromotionContent
from kernel.discount import UNLIMITED, Limit
from kernel.publication import Publication
from kernel.purchasing_power import GROUPS


def limits_by_code(content: PromotionContent) -> dict[str, Limit]:
    """What each code of the promotion is kept to; a draft tells nobody."""
    if content.publication is not Publication.ACTIVE:
        return {}
    products = tuple(thing.id for thing in content.products)
    plans = tuple(thing.id for thing in content.plans)
    reached = countries_by_code(content)
    told = [row.code for row in content.groups] + [row.code for row in content.countries]
    codes = {code.upper() for code in told if code}
    limits = {code: Limit(reached.get(code, ()), products, plans) for code in sorted(codes)}
    return {code: limit for code, limit in limits.items() if limit != UNLIMITED}


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
