"""What a line of the table of webhook events says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from kernel.event_kinds import EventKind
from kernel.ports.event_store import Recorded
from projections.table import Doc, Table
from wire.webhooks.envelope import Object


@dataclass(frozen=True, slots=True)
class Around:
    """What an object shows besides its own document, as of the fact's position."""

    customer: Doc
    subscriptions: int
    payment_link: Callable[[UUID], str]


Shape = Callable[[Doc, Around], Object]
When = Callable[[Doc], bool]


def own_stream(recorded: Recorded, fact: Any) -> UUID | None:
    """The document of the fact's own stream."""
    del fact
    return recorded.stream


def itself(doc: Doc) -> Sequence[Doc]:
    """One event about the document."""
    return (doc,)


def always(doc: Doc) -> bool:
    """Whenever the fact happens."""
    del doc
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One kind of event that a fact announces.

    With ``update`` the event carries ``previous_attributes``, and is not sent when nothing shown
    changed, unless ``even_silent``; with ``whole`` they are the whole object as it was. ``key``
    names the document it is about, None: none. ``each`` finds in it what has an event of its own.
    ``part`` tells events of one kind apart that one fact announces. ``note`` is for the reference.
    """

    kind: EventKind
    table: Table
    shape: Shape
    update: bool = False
    even_silent: bool = False
    whole: bool = False
    when: When = always
    key: Callable[[Recorded, Any], UUID | None] = own_stream
    each: Callable[[Doc], Sequence[Doc]] = itself
    part: str = ""
    note: str = ""
