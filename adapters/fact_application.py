"""An `Application` of the `eventsourcing` library over the facts of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    ApplicationRecorder,
    JSONTranscoder,
    Mapper,
    Notification,
    StoredEvent,
)
from psycopg.conninfo import conninfo_to_dict

from adapters.codec import Codec, Upcasts
from adapters.recorder import LogRecorder
from adapters.sealing import DataKey, MasterKey, place


@dataclass(frozen=True, slots=True)
class FactEvent:
    """A fact in its stream: what an Application saves and its repository folds."""

    originator_id: UUID
    originator_version: int
    fact: Any


@dataclass(frozen=True)
class StoredFact(StoredEvent):
    """A stored event with its personal part, clear on this side of the recorder."""

    personal: bytes | None = None


@dataclass(frozen=True)
class FactNotification(Notification):
    """A notification with its personal part."""

    personal: bytes | None = None


class FactMapper(Mapper[UUID]):
    """Topics are stored names, states the catalog's JSON, old versions are upcast on reading."""

    def __init__(self, codec: Codec) -> None:
        """Leave compression and encryption to the log."""
        super().__init__(JSONTranscoder())
        self._codec = codec

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """A fact as it is stored."""
        event = cast("FactEvent", domain_event)
        name, clear, personal = self._codec.encode(event.fact)
        return StoredFact(event.originator_id, event.originator_version, name, clear, personal)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """A stored fact in its newest version."""
        personal = getattr(stored_event, "personal", None)
        fact = self._codec.decode(stored_event.topic, stored_event.state, personal)
        stream = UUID(str(stored_event.originator_id))
        return FactEvent(stream, stored_event.originator_version, fact)


class FactRecorder(LogRecorder):
    """The log with the personal parts sealed, as the async event store does it."""

    master: MasterKey

    def seal(self, event: StoredEvent, owner: UUID) -> bytes | None:
        """The sealed personal part; a key that is missing is made and stored first."""
        personal = getattr(event, "personal", None)
        if personal is None:
            return None
        key = self._key(owner)
        return key.seal(personal, place(UUID(str(event.originator_id)), event.originator_version))

    def opened(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Open all rows with one query for their keys."""
        keys = self._keys({row["owner"] for row in rows if row["sealed"] is not None})
        for row in rows:
            key = keys.get(row["owner"]) if row["sealed"] is not None else None
            at = place(row["stream"], row["version"])
            row["personal"] = key.open(row["sealed"], at) if key else None
        return rows

    def stored(self, row: dict[str, Any]) -> StoredEvent:
        """With the personal part."""
        return StoredFact(**vars(super().stored(row)), personal=row["personal"])

    def notification(self, row: dict[str, Any]) -> Notification:
        """With the personal part."""
        return FactNotification(**vars(super().notification(row)), personal=row["personal"])

    def _key(self, owner: UUID) -> DataKey:
        known = self._keys({owner})
        if owner not in known:
            with self.datastore.get_connection() as db:
                db.execute(
                    "insert into keys values (%s, %s) on conflict do nothing",
                    (owner, self.master.new(owner).wrapped),
                )
            known = self._keys({owner})
        return known[owner]

    def _keys(self, owners: set[UUID]) -> dict[UUID, DataKey]:
        if not owners:
            return {}
        with self.datastore.get_connection() as db:
            rows = db.execute(
                "select subject, wrapped from keys where subject = any(%s)",
                (list(owners),),
                prepare=True,
                binary=True,
            ).fetchall()
        return {row["subject"]: self.master.unwrap(row["subject"], row["wrapped"]) for row in rows}


class FactApplication(Application[UUID]):
    """Save facts from threads with the library's ``save``, repository and notification log.

    ``app.save(FactEvent(stream, 1, fact), organization=..., owner=..., actor=...)``
    """

    def __init__(
        self, url: str, facts: Mapping[str, type], upcasts: Upcasts, master_key: bytes
    ) -> None:
        """Open a migrated database."""
        self._codec = Codec(facts, upcasts)
        self._master = MasterKey(master_key)
        super().__init__(settings(url))

    def construct_mapper(self) -> Mapper[UUID]:
        """Our codec in place of the library's."""
        return FactMapper(self._codec)

    def construct_recorder(self) -> ApplicationRecorder:
        """The log, with the master key."""
        recorder = cast("FactRecorder", super().construct_recorder())
        recorder.master = self._master
        return recorder


def settings(url: str) -> dict[str, str]:
    """The library's environment for a database."""
    parts = conninfo_to_dict(url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "APPLICATION_RECORDER_TOPIC": "adapters.fact_application:FactRecorder",
        "CREATE_TABLE": "n",
        "POSTGRES_DBNAME": str(parts.get("dbname", "")),
        "POSTGRES_HOST": str(parts.get("host", "127.0.0.1")),
        "POSTGRES_PORT": str(parts.get("port", "5432")),
        "POSTGRES_USER": str(parts.get("user", "postgres")),
        "POSTGRES_PASSWORD": str(parts.get("password", "none")),
        "POSTGRES_POOL_SIZE": "4",
        "POSTGRES_MAX_OVERFLOW": "32",
    }
