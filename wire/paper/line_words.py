"""What a line says about itself, in the customer's language: facts speak English."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from kernel.interval import Period
from wire.language import Language


_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAY = rf"(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})"
_CADENCES = {
    "one-time purchase": "one_time",
    "daily": "daily",
    "weekly": "weekly",
    "every 28 days": "every_28_days",
    "monthly": "monthly",
    "every 3 months": "every_3_months",
    "every 6 months": "every_6_months",
    "yearly": "yearly",
}


def described(description: str, spoken: Language) -> str:
    """The same in another language; as it is where we lack the words."""
    found = [_part(part, spoken) for part in description.split(", ")]
    told = [part for part in found if part is not None]
    return ", ".join(told) if len(told) == len(found) else description


def _part(text: str, spoken: Language) -> str | None:
    if key := _CADENCES.get(text.lower()):
        word = spoken.words[key]
        return word if text[0].isupper() else word[0].lower() + word[1:]
    for pattern, tell in _PARTS:
        if match := pattern.fullmatch(text):
            return tell(match, spoken)
    return None


def _units(match: re.Match[str], spoken: Language) -> str:
    return spoken.count_of("units", int(match[1].replace(",", "")))


def _time(match: re.Match[str], spoken: Language) -> str:
    what = spoken.words[match[1].lower()]
    if match[2] is None:
        return what
    return f"{what} ({spoken.count_of('units', int(match[2].replace(',', '')))})"


def _days(match: re.Match[str], spoken: Language) -> str:
    first = _day(match[1], match[2], match[3])
    last = first if match[4] is None else _day(match[4], match[5], match[6])
    return spoken.days(Period(first, last + timedelta(days=1)))


def _day(day: str, month: str, year: str) -> datetime:
    return datetime(int(year), _MONTHS.index(month) + 1, int(day), tzinfo=UTC)


_Tell = Callable[[re.Match[str], Language], str]
_PARTS: tuple[tuple[re.Pattern[str], _Tell], ...] = (
    (re.compile(r"([\d,]+) units?"), _units),
    (re.compile(r"(Unused|Remaining) time(?: of ([\d,]+) units?)?"), _time),
    (re.compile(rf"{_DAY}(?: to {_DAY})?"), _days),
)
