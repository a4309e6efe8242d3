"""Makes the stored sample of every fact that has none: python -m tests.house.fact_samples.

A sample is what the log holds of one fact, with the personal part opened. It is made once, when the
fact is new, and never again: it stands for the facts of that version in the logs of others.
"""

import dataclasses
import enum
import json
import types
import typing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from adapters.codec import Codec
from aggregates.catalog import FACTS, UPCASTS
from kernel.money import Money


FOLDER = Path(__file__).with_name("facts")
COMMAND = "python -m tests.house.fact_samples"
PLAIN = {
    UUID: UUID("00000000-0000-4000-8000-0000000000aa"),
    datetime: datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC),
    date: date(2026, 3, 1),
    Money: Money(1999, "USD"),
    Decimal: Decimal("1.50"),
    bool: True,
    int: 7,
    float: 0.5,
    str: "text",
    bytes: b"bytes",
    object: "anything",
    typing.Any: "anything",
}


def example(hint):
    """Some value of a type, with every optional part present."""
    if typing.get_origin(hint) is typing.Annotated:
        return example(typing.get_args(hint)[0])
    if hint in PLAIN:
        return PLAIN[hint]
    if origin := typing.get_origin(hint):
        return _generic(origin, typing.get_args(hint))
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint))
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        return hint(**{f.name: example(hints[f.name]) for f in dataclasses.fields(hint) if f.init})
    raise TypeError(f"fact_samples does not know how to make a {hint}")


def _generic(origin, arguments):
    if origin in (typing.Union, types.UnionType):
        return example(next(each for each in arguments if each is not types.NoneType))
    if origin is typing.Literal:
        return arguments[0]
    if origin is tuple:
        return tuple(example(each) for each in arguments if each is not Ellipsis)
    if isinstance(origin, type) and issubclass(origin, typing.Mapping):
        return {example(arguments[0]): example(arguments[1])}
    if isinstance(origin, type) and issubclass(origin, typing.Collection):
        return [example(arguments[0])]
    raise TypeError(f"fact_samples does not know how to make a {origin}")


def file_of(name):
    return FOLDER / f"{name}.json"


def sample(name):
    """The clear and the personal part of the stored sample of a fact."""
    stored = json.loads(file_of(name).read_text())
    return stored["clear"], stored["personal"]


def make(name, kind):
    _, clear, personal = Codec(FACTS, {}).encode(example(kind))
    content = {"clear": json.loads(clear), "personal": personal and json.loads(personal)}
    file_of(name).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def missing():
    return [name for name in {**FACTS, **UPCASTS} if not file_of(name).exists()]


if __name__ == "__main__":
    for new in missing():
        make(new, FACTS[new])
        print(file_of(new))  # noqa: T201
