"""The tests' own broker comes back after a clean stop and after a kill."""

import pytest
from confluent_kafka.admin import AdminClient, NewTopic


pytestmark = pytest.mark.kafka


def test_what_it_was_told_survives(own_broker):
    admin = AdminClient({"bootstrap.servers": own_broker.address})
    admin.create_topics([NewTopic("kept", 3)])["kept"].result(30)
    own_broker.stop()
    own_broker.start()
    own_broker.kill()
    own_broker.start()
    topics = AdminClient({"bootstrap.servers": own_broker.address}).list_topics(timeout=30).topics
    assert len(topics["kept"].partitions) == 3
