"""Purchasing power groups: countries by the income of the people in them.

The groups are the four income groups of the World Bank (gross national income per head, fiscal year
2026). A territory that it does not classify has no group, so no condition on groups holds there.
"""

from __future__ import annotations

from enum import StrEnum


class PurchasingPower(StrEnum):
    """How much people of a country can spend, from most to least."""

    HIGH_INCOME = "HIGH_INCOME"
    UPPER_MIDDLE_INCOME = "UPPER_MIDDLE_INCOME"
    LOWER_MIDDLE_INCOME = "LOWER_MIDDLE_INCOME"
    LOW_INCOME = "LOW_INCOME"


_COUNTRIES = {
    PurchasingPower.HIGH_INCOME: """
        AD AE AG AS AT AU AW BB BE BG BH BM BN BS CA CH CL CR CW CY CZ DE DK EE ES FI FO FR GB GI GL
        GR GU GY HK HR HU IE IL IM IS IT JP KN KR KW KY LI LT LU LV MC MF MO MP MT NC NL NO NR NZ OM
        PA PF PL PR PT PW QA RO RU SA SC SE SG SI SK SM SX TC TT TW US UY VG VI""",
    PurchasingPower.UPPER_MIDDLE_INCOME: """
        AL AM AR AZ BA BR BW BY BZ CN CO CU CV DM DO DZ EC FJ GA GD GE GQ GT ID IQ IR JM KZ LC LY MD
        ME MH MK MN MU MV MX MY PE PY RS SR SV TH TM TO TR TV UA VC WS XK ZA""",
    PurchasingPower.LOWER_MIDDLE_INCOME: """
        AO BD BJ BO BT CG CI CM DJ EG FM GH GN HN HT IN JO KE KG KH KI KM LA LB LK LS MA MM MR NA NG
        NI NP PG PH PK PS SB SN ST SZ TJ TL TN TZ UZ VN VU ZM ZW""",
    PurchasingPower.LOW_INCOME: """
        AF BF BI CD CF ER ET GM GW KP LR MG ML MW MZ NE RW SD SL SO SS SY TD TG UG VE YE""",
}

GROUPS = {country: group for group, codes in _COUNTRIES.items() for country in codes.split()}
"""The group of each classified country, by its ISO 3166 two-letter code."""


def group_of(country: str | None) -> PurchasingPower | None:
    """The group of a country; None for an unknown or unclassified one."""
    return None if country is None else GROUPS.get(country)
