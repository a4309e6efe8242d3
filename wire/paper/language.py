"""In which language a document speaks to a customer: that of the billing country."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from babel import Locale, UnknownLocaleError

from wire.language import Language


FOLDER = Path(__file__).parent
WORDS: Mapping[str, Mapping[str, str]] = json.loads((FOLDER / "words.json").read_text("utf-8"))
INTERNATIONAL = "en_001"


@cache
def language_of(country: str | None) -> Language:
    """What is spoken there, if we have its words; else English as it is written there."""
    if country:
        for tag in (f"und_{country}", f"en_{country}"):
            try:
                locale = Locale.parse(tag)
            except (UnknownLocaleError, ValueError):
                continue
            if locale.language in WORDS:
                return Language(locale, WORDS[locale.language])
    return Language(Locale.parse(INTERNATIONAL), WORDS["en"])
