"""Facts of no business, for tests of the log itself."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

from kernel.ids import derived_id
from kernel.personal import Personal
from kernel.ports.event_store import Append, NewFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """Nothing personal."""

    number: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Somebody got a name."""

    number: int
    name: Personal[str | None] = None
    tags: Personal[tuple[str, ...]] = ()
    occurred_at: datetime


def _two_dates(content):
    return {**content, "number": int(content["count"]), "occurred_at": content["at"]}


FACTS = {"test.ticked.v2": Ticked, "test.named.v1": Named}
UPCASTS = {"test.ticked.v1": ("test.ticked.v2", _two_dates)}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ORGANIZATION = UUID("00000000-0000-4000-8000-000000000001")
ALICE = UUID("00000000-0000-4000-8000-0000000000a1")
BOB = UUID("00000000-0000-4000-8000-0000000000b0")
MASTER_KEY = bytes(range(32))


def ticked(number=1):
    return Ticked(number=number, occurred_at=NOON)


def named(name="Ada Lovelace", number=1, tags=()):
    return Named(number=number, name=name, tags=tags, occurred_at=NOON)


def stream(word):
    return derived_id(ORGANIZATION, word)


def new(on, expected, *facts, owner=ORGANIZATION):
    return tuple(NewFact(on, expected, owner, fact) for fact in facts or (ticked(),))


def command(*facts, **rest):
    """A command with these NewFacts."""
    given = {"command_id": uuid4(), "correlation_id": uuid4(), "actor": "operator"} | rest
    return Append(organization=ORGANIZATION, facts=facts, **given)
