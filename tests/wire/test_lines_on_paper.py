"""Lines of invoices are told in the customer's language, whatever billing writes on them."""

import re

import pytest

from commands.billing import words
from kernel.interval import ChargePeriod
from wire.paper.language import WORDS, language_of
from wire.paper.line_words import described


UNUSED = "Unused time of 1,200 units, 25 Jan 2025 to 14 Feb 2025"
SPOKEN = {"de": "DE", "fr": "FR", "es": "ES", "it": "IT", "nl": "NL", "pt": "PT", "ja": "JP"}


def told(description, country):
    text = re.sub(r"[\u00a0\u202f]", " ", described(description, language_of(country)))
    return text.replace("\N{EN DASH}", "-")


@pytest.mark.parametrize(
    ("country", "text"),
    [
        ("US", "Unused time (1,200 units), Jan 25, 2025 - Feb 14, 2025"),
        ("GB", "Unused time (1,200 units), 25 Jan 2025 - 14 Feb 2025"),
        ("DE", "Nicht genutzte Zeit (1.200 Einheiten), 25.01.2025 - 14.02.2025"),
        ("FR", "Période non utilisée (1 200 unités), 25 janv. 2025 - 14 févr. 2025"),
        ("JP", "未使用期間 (1,200ユニット), 2025/01/25 - 2025/02/14"),
    ],
)
def test_part_of_a_period(country, text):
    assert told(UNUSED, country) == text


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("Monthly, 1 Mar 2025 to 31 Mar 2025", "Monatlich, 01.03.2025 - 31.03.2025"),
        ("1 unit, every 3 months, 1 Mar 2025", "1 Einheit, alle 3 Monate, 01.03.2025"),
        ("One-time purchase", "Einmaliger Kauf"),
        ("Remaining time", "Verbleibende Zeit"),
        ("Late fee, 1 Mar 2025", "Late fee, 1 Mar 2025"),
        ("", ""),
    ],
)
def test_what_is_known_is_told_and_the_rest_left_alone(description, text):
    assert told(description, "DE") == text


@pytest.mark.parametrize("language", WORDS.keys() - {"en"})
@pytest.mark.parametrize("period", ChargePeriod)
def test_every_period_has_its_word(language, period):
    english = words._CADENCE[period]
    assert told(english, SPOKEN[language]) != english
