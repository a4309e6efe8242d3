"""`bench` says what was measured, against what, and whether the target is met."""

import json

import pytest

from app.bench.report import Row, as_json
from tests.processes import Process


def test_a_figure_is_a_ratio_to_its_reference():
    row = Row(name="append", unit="facts/s", measured=120, reference=100, target=1.2)
    assert (row.ratio, row.reached) == (1.2, True)
    assert json.loads(as_json([row]))["figures"][0]["reached"] is True


def test_a_figure_without_a_reference_has_no_ratio():
    row = Row(name="append", unit="facts/s", measured=120, target=1.2)
    assert (row.ratio, row.reached) == (None, None)


@pytest.mark.postgres
@pytest.mark.journey
def test_the_write_path_is_measured_beside_pgbench(tmp_path):
    file = tmp_path / "figures.json"
    process = Process("bench", "append", "--seconds", "2", "--json", file)
    assert process.end() == 0
    for figure in json.loads(file.read_text())["figures"]:
        assert figure["measured"] > 0
        assert figure["reference"] > 0
        assert figure["more"]["p99 ms"] > 0


@pytest.mark.postgres
@pytest.mark.journey
@pytest.mark.timeout(400)
def test_webhooks_are_measured_beside_the_client_alone(tmp_path):
    file = tmp_path / "figures.json"
    process = Process("bench", "webhooks", "--seconds", "1", "--json", file)
    assert process.end(seconds=300) == 0
    soon, many = json.loads(file.read_text())["figures"]
    assert soon["more"]["p99 ms"] > soon["more"]["p50 ms"] > 0
    assert many["reference"] > 0
    assert many["more"]["with/without"] > 0
