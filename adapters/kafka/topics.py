"""The topics of the stream: made when missing, refused when they are not as they must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import TopicAlreadyExistsError


MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""A request body may have 1 MiB; its fact, sealed and in base64, stays well below this."""

FOR_EVER = {
    "cleanup.policy": "delete",
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "max.message.bytes": str(MAX_MESSAGE_BYTES),
}
NEWEST = {
    "cleanup.policy": "compact",
    "max.message.bytes": str(MAX_MESSAGE_BYTES),
}


class WrongTopicError(RuntimeError):
    """A topic is there with another number of partitions: the order of facts would be lost."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic as it must be; ``configs`` apply when it is made."""

    name: str
    partitions: int
    configs: Mapping[str, str] = field(default_factory=lambda: FOR_EVER)


def ensure(options: Mapping[str, Any], topics: tuple[Topic, ...], replication: int) -> None:
    """Make the topics that are missing. ``replication`` -1 is the broker's own default.

    :raises KafkaError: the broker does not answer, or refuses.
    :raises WrongTopicError: a topic is there, but not as it must be.
    """
    admin = KafkaAdminClient(**options)
    try:
        counts = _partitions(admin, topics)
        missing = [topic for topic in topics if topic.name not in counts]
        if missing:
            _create(admin, missing, replication)
            counts = _partitions(admin, topics)
    finally:
        admin.close()
    for topic in topics:
        found = counts.get(topic.name)
        if found != topic.partitions:
            raise WrongTopicError(
                f"the topic {topic.name} has {found or 'no'} partitions, not {topic.partitions}"
            )


def _partitions(admin: KafkaAdminClient, topics: tuple[Topic, ...]) -> dict[str, int]:
    described = admin.describe_topics([topic.name for topic in topics])
    return {each["name"]: len(each["partitions"]) for each in described if not each["error_code"]}


def _create(admin: KafkaAdminClient, topics: list[Topic], replication: int) -> None:
    wanted = {
        topic.name: {
            "num_partitions": topic.partitions,
            "replication_factor": replication,
            "configs": dict(topic.configs),
        }
        for topic in topics
    }
    try:
        admin.create_topics(wanted, timeout_ms=10_000, wait_for_metadata=True)
    except TopicAlreadyExistsError:  # another publisher was faster
        return
