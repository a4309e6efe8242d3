"""What is generated and committed is what this version would generate."""

from pathlib import Path

import pytest

from app import documents


REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.mark.parametrize("name", documents.generated())
def test_it_is_current(name):
    assert (REFERENCE / name).read_text() == documents.generated()[name], "run ./billstream docs"
