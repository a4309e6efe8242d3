"""Every numbered case has a test that names it, or says what it waits for."""

import re
from pathlib import Path

import pytest

from tests.house.cases import PROVEN_BY, ROWS, WAITING


ROOT = Path(__file__).parents[2]
NAMES = re.compile(
    r"def (test_cases?_[0-9]\w*)|id=\"(case [0-9]+b?)|^ +\"(case [0-9]+b?)|\"(case [0-9]+b?)\"",
    re.MULTILINE,
)
NUMBER = re.compile(r"[0-9]+b?")


def numbers_of(name):
    """``test_cases_15_and_16_a_trial`` names 15 and 16, ``test_case_18_7_days`` only 18."""
    words = name.replace("_", " ").removeprefix("test ").split()
    named = []
    for word in words[1:]:
        if NUMBER.fullmatch(word) and (not named or words[0] == "cases"):
            named.append(word)
        elif word not in {"and", "to"}:
            break
    return named


def named():
    """All numbers that tests name."""
    found = set()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for match in NAMES.finditer(path.read_text()):
            found.update(numbers_of(next(name for name in match.groups() if name)))
    return found


NAMED = named()


@pytest.mark.parametrize("row", ROWS)
def test_every_case_is_proven_or_waits(row):
    proven = row in NAMED or row in PROVEN_BY
    assert proven or row in WAITING, f"no test names case {row}"
    assert not (proven and row in WAITING), f"case {row} waits no longer"


@pytest.mark.parametrize("row", PROVEN_BY)
def test_what_proves_a_case_is_there(row):
    path, name = PROVEN_BY[row].split("::")
    assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE)


def test_only_cases_are_listed():
    assert PROVEN_BY.keys() | WAITING.keys() <= set(ROWS)


def test_a_name_tells_its_numbers():
    assert numbers_of("test_cases_15_and_16_a_trial_of_7_days") == ["15", "16"]
    assert numbers_of("test_case_100b_credit_of_12_days") == ["100b"]
    assert numbers_of("case 10") == ["10"]
