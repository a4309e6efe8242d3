"""The log as a recorder of the `eventsourcing` library: same table, same lock, group commit.

``APPLICATION_RECORDER_TOPIC=adapters.recorder:LogRecorder`` with ``CREATE_TABLE=n``. Of the
library's own ways none is used that loses or delays facts (design 4).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from eventsourcing.persistence import (
    IntegrityError,
    InterfaceError,
    Notification,
    OperationalError,
    PersistenceError,
    StoredEvent,
    Subscription,
)
from eventsourcing.postgres import (
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresSubscription,
)
from psycopg import Connection
from psycopg.rows import tuple_row

from adapters.append_call import APPEND, SETTINGS, answers_of, find_append, take
from adapters.batch import FactRow, Packed, arguments
from adapters.notifier import CHANNEL
from kernel.ports.event_store import Append, Receipt, VersionConflict


ATTEMPTS = 5
LIMITLESS = 2**31 - 1


class _Ticket:
    """One save that waits for its batch."""

    __slots__ = ("answer", "packed")

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self.answer: Receipt | BaseException | None = None


class LogRecorder(PostgresApplicationRecorder):
    """Records the events of threads; ``Application.save`` takes the envelope as keywords.

    Keywords: organization, owner (the organization when left out), command_id, correlation_id,
    causation, actor. Topics are the stored names of facts, notification ids are positions.
    """

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "events") -> None:
        """Take the library's connections; the table is always the log."""
        super().__init__(datastore, events_table_name=events_table_name)
        self.channel_name = CHANNEL
        self._waiting: list[_Ticket] = []
        self._queue = threading.Lock()
        self._leading = threading.Lock()

    def create_table(self) -> None:
        """The log is made by adapters.migrations; the library's way is not safe (design 4)."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Append all events of a save or none. Raises IntegrityError on a version conflict."""
        if not stored_events:
            return []
        receipt = self._append(self.pack(stored_events, **kwargs))
        return range(receipt.first, receipt.last + 1)

    def pack(self, stored_events: Sequence[StoredEvent], **envelope: Any) -> Packed:
        """The rows of one save."""
        organization = envelope.get("organization") or UUID(int=0)
        owner = envelope.get("owner") or organization
        command = Append(
            organization=organization,
            command_id=envelope.get("command_id") or uuid4(),
            correlation_id=envelope.get("correlation_id") or uuid4(),
            causation=envelope.get("causation"),
            actor=envelope.get("actor") or "operator",
        )
        tail = (organization, command.command_id, command.correlation_id, command.causation)
        rows: list[FactRow] = []
        expects: dict[UUID, int] = {}
        for index, event in enumerate(stored_events):
            stream = UUID(str(event.originator_id))
            expects.setdefault(stream, event.originator_version - 1)
            head = (stream, event.originator_version, index, owner, event.topic, event.state)
            rows.append((*head, self.seal(event, owner), *tail, command.actor))
        size = sum(len(event.state) for event in stored_events)
        return Packed(command, tuple(rows), expects, frozenset(expects), (), (), size)

    def seal(self, event: StoredEvent, owner: UUID) -> bytes | None:
        """What stands in the sealed column; stock events have nothing personal apart."""
        del event, owner
        return None

    def stored(self, row: dict[str, Any]) -> StoredEvent:
        """A row of the log as the library knows it."""
        return StoredEvent(row["stream"], row["version"], row["name"], row["data"])

    def notification(self, row: dict[str, Any]) -> Notification:
        """The same with its position."""
        return Notification(
            row["stream"], row["version"], row["name"], row["data"], id=row["position"]
        )

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The events of one stream."""
        order = "desc" if desc else "asc"
        rows = self._rows(
            "select * from events where stream = %s and version > %s and version <= %s"
            f" order by version {order} limit %s",
            (originator_id, gt or 0, LIMITLESS if lte is None else lte, limit),
        )
        return [self.stored(row) for row in self.opened(rows)]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Events in position order."""
        after = (start or 0) - (1 if inclusive_of_start else 0)
        rows = self._rows(
            "select * from events where position > %s and (%s::bigint is null or position <= %s)"
            " and (cardinality(%s::text[]) = 0 or name = any(%s)) order by position limit %s",
            (after, stop, stop, list(topics), list(topics), limit),
        )
        return [self.notification(row) for row in self.opened(rows)]

    def max_notification_id(self) -> int | None:
        """The last position, or None when the log is empty."""
        [row] = self._rows("select max(position) as last from events", ())
        last: int | None = row["last"]
        return last

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[PostgresApplicationRecorder]:
        """Events as they are appended, by whichever process."""
        return PostgresSubscription(recorder=self, gt=gt, topics=topics)

    def opened(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows with whatever is sealed in them opened."""
        return rows

    def _rows(self, query: str, values: tuple[Any, ...]) -> list[dict[str, Any]]:
        with self.datastore.get_connection() as db:
            return db.execute(query, values, prepare=True, binary=True).fetchall()

    def _append(self, packed: Packed) -> Receipt:
        """Wait for the batch in hand; then lead the next one, unless another thread just did."""
        ticket = _Ticket(packed)
        with self._queue:
            self._waiting.append(ticket)
        while ticket.answer is None:
            with self._leading:
                if ticket.answer is None:
                    self._lead()
        if isinstance(ticket.answer, VersionConflict):
            raise IntegrityError(str(ticket.answer)) from ticket.answer
        if isinstance(ticket.answer, BaseException):
            raise ticket.answer
        return ticket.answer

    def _lead(self) -> None:
        with self._queue:
            chosen = take([ticket.packed for ticket in self._waiting])
            batch = [self._waiting[i] for i in chosen]
            picked = set(chosen)
            self._waiting = [t for i, t in enumerate(self._waiting) if i not in picked]
        try:
            answers = self._flush([ticket.packed for ticket in batch])
        except Exception as error:  # noqa: BLE001 - every thread raises it itself
            answers = [error] * len(batch)
        for ticket, answer in zip(batch, answers, strict=True):
            ticket.answer = answer

    def _flush(self, batch: list[Packed]) -> Sequence[Receipt | BaseException]:
        try:
            return self._call(batch)
        except (OperationalError, InterfaceError):
            return [self._settle(packed) for packed in batch]
        except PersistenceError as error:
            if len(batch) == 1:
                return [error]
            return [self._flush([packed])[0] for packed in batch]

    def _settle(self, packed: Packed) -> Receipt | BaseException:
        """After a lost connection: was it appended? If not, append it now, alone."""
        lost: BaseException = OperationalError()
        for _ in range(ATTEMPTS):
            try:
                if found := self._find(packed):
                    return found
                [answer] = self._call([packed])
                return answer if isinstance(answer, Receipt) else self._find(packed) or answer
            except (OperationalError, InterfaceError) as error:
                lost = error
        return lost

    def _find(self, packed: Packed) -> Receipt | None:
        query, values = find_append(packed)
        with self.datastore.get_connection() as db, db.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(query, values).fetchone()
        return Receipt(row[0], row[0] + len(packed.facts) - 1, row[1]) if row else None

    def _call(self, batch: list[Packed]) -> Sequence[Receipt | BaseException]:
        with self.datastore.get_connection() as db, db.cursor(row_factory=tuple_row) as cursor:
            _prepare(db)
            cursor.execute(APPEND, arguments(batch), prepare=True, binary=True)
            answers = answers_of(batch, cursor.fetchone())
            cursor.execute("select pg_notify(%s, '')", (self.channel_name,))
        return answers


def _prepare(db: Connection[Any]) -> None:
    """The settings of an appending connection, once."""
    if not getattr(db, "appends", False):
        db.execute(SETTINGS)
        db.appends = True  # type: ignore[attr-defined]
