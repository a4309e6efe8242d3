"""`bench kafka` measures the stream beside the producer alone."""

import json

import pytest

from tests.processes import Process


pytestmark = [pytest.mark.kafka, pytest.mark.postgres]


def test_the_stream_is_measured_beside_the_producer(kafka, tmp_path):
    file = tmp_path / "figures.json"
    process = Process(
        *("bench", "kafka", "--seconds", "1", "--json", file), BILLSTREAM_KAFKA_BOOTSTRAP=kafka
    )
    assert process.end() == 0, process.text
    [figure] = json.loads(file.read_text())["figures"]
    assert figure["measured"] > 0
    assert figure["reference"] > 0
    assert figure["ratio"] > 0


def test_without_a_broker_it_says_what_it_needs():
    process = Process("bench", "kafka")
    assert process.end() == 1
    assert "BILLSTREAM_KAFKA_BOOTSTRAP" in process.text
