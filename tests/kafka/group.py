"""Three consumers in a group rebuild the states of subscriptions from the stream alone."""

import json
import threading
from collections import defaultdict

from confluent_kafka import Consumer, KafkaError

from wire.stream import HEARTBEAT


STATUS = {
    "subscription.activated.v1": "active",
    "subscription.trial_converted.v1": "active",
    "subscription.recovered.v1": "active",
    "subscription.resumed.v1": "active",
    "subscription.became_past_due.v1": "past_due",
    "subscription.paused.v1": "paused",
    "subscription.canceled.v1": "canceled",
    "subscription.incomplete_expired.v1": "incomplete_expired",
}


class States:
    """What the group knows, as a table with the last position of each partition would hold it."""

    def __init__(self):
        self.subscriptions = {}
        self.positions = defaultdict(int)
        self.told = defaultdict(int)
        self._lock = threading.Lock()

    def take(self, partition, event):
        """One event; what is repeated changes nothing."""
        with self._lock:
            if event["type"] == HEARTBEAT:
                self.told[partition] = event["data"]["position"]
            elif int(event["id"]) > self.positions[partition]:
                self.positions[partition] = int(event["id"])
                self._apply(event)

    def reached(self):
        """The position up to which everything has been taken."""
        with self._lock:
            return min((self.told[each] for each in range(24)), default=0)

    def _apply(self, event):
        kind, number, data = event["type"], event["subject"], event["data"]
        if kind == "subscription.created.v1":
            self.subscriptions[number] = {
                "status": data["status"],
                "plan": data["contract"]["terms"]["plan"]["identifier"],
                "startDate": data["started_at"][:10],
            }
        elif kind in STATUS:
            self.subscriptions[number]["status"] = STATUS[kind]


class Member:
    """One consumer of the group, in a thread of its own."""

    def __init__(self, address, topic, group, states):
        self.assigned = set()
        self._states = states
        self._stopped = threading.Event()
        self._consumer = Consumer(
            {
                "bootstrap.servers": address,
                "group.id": group,
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "session.timeout.ms": 6_000,
                "heartbeat.interval.ms": 500,
                "log_level": 0,
            }
        )
        self._consumer.subscribe([topic], on_assign=self._given, on_revoke=self._taken)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self):
        self._stopped.set()
        self._thread.join(30)

    def _given(self, _, partitions):
        self.assigned |= {each.partition for each in partitions}

    def _taken(self, _, partitions):
        self.assigned -= {each.partition for each in partitions}

    def _run(self):
        while not self._stopped.is_set():
            for message in self._consumer.consume(50, 0.2):
                if message.error():
                    assert message.error().code() == KafkaError._PARTITION_EOF
                    continue
                self._states.take(message.partition(), json.loads(message.value()))
                self._consumer.commit(message, asynchronous=True)
        self._consumer.close()
