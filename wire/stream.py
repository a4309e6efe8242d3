"""The topics of the event stream and the partition of an owner (design 10)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec

from wire.times import instant


PARTITIONS: Final = 24
"""For ever: another number would move customers to other partitions, past their older facts."""

RESOURCE_PARTITIONS: Final = 6

HEARTBEAT: Final = "billstream.heartbeat.v1"
"""The type of the control records: all facts up to ``data.position`` are in the topic."""

_MASK = 0xFFFFFFFF
_SEED = 0x9747B28C
_MIX = 0x5BD1E995
_KEPT = 200_000


def events_topic(prefix: str, environment: str) -> str:
    """The topic that has every fact."""
    return f"{prefix}.{environment}.events"


def resource_topic(prefix: str, environment: str, resource: str) -> str:
    """The compacted topic that has the newest body of each resource of a kind."""
    return f"{prefix}.{environment}.{resource}"


def key_of(owner: UUID) -> bytes:
    """The record key of an owner: its id as text."""
    return str(owner).encode()


@lru_cache(_KEPT)
def partition_of(owner: UUID, partitions: int = PARTITIONS) -> int:
    """Where the facts of an owner go: murmur2 of the key, as Kafka's own producer has it."""
    return (murmur2(key_of(owner)) & 0x7FFFFFFF) % partitions


def murmur2(data: bytes) -> int:
    """Kafka's hash of a record key (org.apache.kafka.common.utils.Utils), unsigned."""
    hashed = _SEED ^ len(data)
    whole = len(data) & ~3
    for start in range(0, whole, 4):
        mixed = int.from_bytes(data[start : start + 4], "little") * _MIX & _MASK
        mixed = (mixed ^ mixed >> 24) * _MIX & _MASK
        hashed = (hashed * _MIX & _MASK) ^ mixed
    if whole < len(data):
        hashed = (hashed ^ int.from_bytes(data[whole:], "little")) * _MIX & _MASK
    hashed = (hashed ^ hashed >> 13) * _MIX & _MASK
    return hashed ^ hashed >> 15


def heartbeat(position: int, partition: int, source: str, at: datetime) -> bytes:
    """Says in one partition that every fact up to ``position`` that belongs there precedes it."""
    return msgspec.json.encode(
        {
            "specversion": "1.0",
            "id": f"{position}-{partition}",
            "source": f"{source}:heartbeat",
            "type": HEARTBEAT,
            "time": instant(at),
            "datacontenttype": "application/json",
            "data": {"position": position},
        }
    )
