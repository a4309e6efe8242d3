"""A promotion as a visitor meets it (wire 23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernel.purchasing_power import group_of
from wire.localization import country_name


@dataclass(frozen=True, slots=True)
class Offered:
    """Percent off, and the code that takes it off."""

    percentage: int = 0
    code: str = ""


NOTHING = Offered()


def flagged(*, is_crawler: bool) -> dict[str, bool]:
    """``security``: what is known of the visitor; addresses of the others are in no table here."""
    return {"vpn": False, "tor": False, "proxy": False, "relay": False, "crawler": is_crawler}


def reduction_in(
    promotion: Mapping[str, Any], country: str | None, flags: Mapping[str, bool]
) -> Offered:
    """What a country is offered: its own row wins over that of its group."""
    minded = promotion["security"]
    if country is None or any(is_so and minded[flag] for flag, is_so in flags.items()):
        return NOTHING
    for rows, key, value in (
        (promotion["countries"], "country", country),
        (promotion["groups"], "group", group_of(country)),
    ):
        for row in rows:
            if row[key] == value:
                return Offered(row["percentage"], row["code"]) if row["percentage"] else NOTHING
    return NOTHING


def promoted_out(
    promotion: Mapping[str, Any], country: str | None, offered: Offered, flags: Mapping[str, bool]
) -> dict[str, Any]:
    """The answer to a visitor; placeholders of widgets are for the visitor's page to fill in."""
    return {
        "country": country_name(country),
        "countryCode": country or "",
        "percentage": offered.percentage,
        "code": offered.code,
        "message": promotion["message"],
        "widgets": promotion["widgets"],
        "security": flags,
    }
