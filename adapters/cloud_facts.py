"""Facts out of the event stream, as the log itself would give them."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from adapters.event_store import PostgresEventStore
from adapters.sealing import DataKey
from kernel.ports.event_store import Recorded
from kernel.ports.partitions import Told
from wire.stream import HEARTBEAT


class _Kind(msgspec.Struct):
    type: str
    id: str


class _Event(msgspec.Struct):
    id: str
    type: str
    subject: UUID
    streamversion: int
    organization: UUID
    owner: UUID
    recordedat: datetime
    commandid: UUID
    commandindex: int
    correlationid: UUID
    actor: str
    data: msgspec.Raw
    causationid: str | None = None
    sealed: str | None = None


class _Position(msgspec.Struct):
    position: int


class _Beat(msgspec.Struct):
    data: _Position


_kind = msgspec.json.Decoder(_Kind).decode
_event = msgspec.json.Decoder(_Event).decode
_beat = msgspec.json.Decoder(_Beat).decode


class CloudFacts:
    """Implements kernel.ports.partitions.StreamFacts with the keys of the log's database."""

    def __init__(self, store: PostgresEventStore) -> None:
        """``store`` has the codec and the keys."""
        self._store = store

    async def read(self, values: Sequence[bytes], wanted: Container[type]) -> list[Told]:
        """What each value says, in order, personal fields opened."""
        events = [self._event(value, wanted) for value in values]
        sealed = {event.owner for event in events if isinstance(event, _Event) and event.sealed}
        keys = await self._store.vault.load(sealed)
        return [
            event if isinstance(event, Told) else Told(int(event.id), self._recorded(event, keys))
            for event in events
        ]

    def _event(self, value: bytes, wanted: Container[type]) -> _Event | Told:
        told = _kind(value)
        if told.type == HEARTBEAT:
            return Told(_beat(value).data.position, None)
        codec = self._store.codec
        if codec.kind(codec.newest(told.type)) not in wanted:
            return Told(int(told.id), None)
        return _event(value)

    def _recorded(self, event: _Event, keys: Mapping[UUID, DataKey]) -> Recorded:
        sealed = None if event.sealed is None else b64decode(event.sealed)
        data = bytes(event.data)
        stored = (event.subject, event.streamversion, event.owner, event.type, data, sealed)
        return Recorded(
            position=int(event.id),
            stream=event.subject,
            version=event.streamversion,
            organization=event.organization,
            owner=event.owner,
            fact=self._store.opened(keys, stored),
            name=self._store.codec.newest(event.type),
            recorded_at=event.recordedat,
            command_id=event.commandid,
            correlation_id=event.correlationid,
            causation=None if event.causationid is None else int(event.causationid),
            actor=event.actor,
            index=event.commandindex,
        )
