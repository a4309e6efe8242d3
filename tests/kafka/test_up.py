"""`up` with a broker streams by itself; the verbs say what they lack."""

import json

import httpx
import pytest

from kernel.tenant import Environment
from tests.kafka.stream import everything, facts_of, topic
from tests.patient import Patient
from tests.processes import Process, running, until
from wire.stream import RESOURCE_PARTITIONS, resource_topic


pytestmark = [pytest.mark.kafka, pytest.mark.postgres, pytest.mark.journey]
ADA = {"customerId": "ada", "name": "Ada Lovelace", "email": "ada@example.com"}


def test_what_a_client_does_is_in_the_topics(kafka, prefix, tmp_path):
    given = {"BILLSTREAM_KAFKA_BOOTSTRAP": kafka, "BILLSTREAM_KAFKA_TOPIC_PREFIX": prefix}
    options = ("--port", "0", "--edge-port", "0", "--data-dir", tmp_path)
    with running("up", *options, **given) as up:
        address = f"{up.address('core')}/api/v1"
        key = {"Authorization": f"Bearer {up.keys()['server']}"}
        with httpx.Client(timeout=60, transport=Patient()) as client:
            answer = client.post(f"{address}/customers/", json=ADA, headers=key)
        assert answer.status_code == 201, answer.text
        position = int(answer.headers["Billstream-Position"])

        def published():
            return [r for r in facts_of(everything(kafka, topic(prefix))) if r.id == position]

        def shown():
            name = resource_topic(prefix, Environment.SANDBOX, "customers")
            return everything(kafka, name, RESOURCE_PARTITIONS)

        [fact] = until(published)
        [body] = until(shown)
        assert up.stop() == 0
    assert fact.value["type"].startswith("customer.created.")
    assert "Lovelace" not in json.dumps(fact.value)
    assert body.value["customerId"] == "ada"
    assert body.value["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    ("arguments", "lacking"),
    [
        (("worker", "publish-to-kafka"), "BILLSTREAM_KAFKA_BOOTSTRAP"),
        (("worker", "publish-resources-to-kafka"), "BILLSTREAM_KAFKA_BOOTSTRAP"),
        (("worker", "views", "--from", "kafka"), "BILLSTREAM_VIEWS_DATABASE_URL"),
        (("worker", "timers", "--from", "kafka"), "only views"),
    ],
)
def test_a_worker_says_what_it_lacks(database_url, arguments, lacking):
    process = Process(*arguments, BILLSTREAM_DATABASE_URL=database_url)
    assert process.end() == 1
    assert lacking in process.text
