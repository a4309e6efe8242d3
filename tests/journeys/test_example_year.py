"""The example year agrees to the last cent against a real `up`, and would say if it did not."""

import sys
from pathlib import Path

import pytest

from tests.processes import running


EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = [pytest.mark.journey, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("year") / "data"
    with running("up", "--port", 0, "--edge-port", 0, "--data-dir", folder) as process:
        yield process
        process.stop()


@pytest.fixture
def year(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in [name for name in sys.modules if name.startswith("year")]:
        monkeypatch.delitem(sys.modules, name)
    import year as module  # noqa: PLC0415 - found beside the example only here

    return module


def live(year, served, monkeypatch, customers):
    address, key = served.address("core"), served.keys()["server"]
    arguments = ["--base-url", f"{address}/api/v1", "--server-key", key]
    monkeypatch.setattr(sys, "argv", ["year.py", *arguments, "--customers", str(customers)])
    return year.main()


def test_a_year_of_every_kind_of_luck_agrees(year, served, monkeypatch, capsys):
    assert live(year, served, monkeypatch, 169) == 0
    assert "0 differences" in capsys.readouterr().out


def test_a_cent_too_much_is_found(year, served, monkeypatch, capsys):
    honest = year.Offer.units
    monkeypatch.setattr(year.Offer, "units", lambda offer, seats: honest(offer, seats) + 1)
    assert live(year, served, monkeypatch, 3) == 1
    assert "DIFFERENCE" in capsys.readouterr().out
