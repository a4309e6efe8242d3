"""Rows of views in PostgreSQL's binary format: column by column as arrays, row by row for COPY.

Documents hold ids and instants as text. Left to the driver and the server each of them is looked
at, sent as text and parsed again: half the cost of a batch.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Final

import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format


Field = Callable[[Any], bytes]

_NULL: Final = struct.pack(">i", -1)
_LENGTH: Final = struct.Struct(">i").pack
_SMALLINT: Final = struct.Struct(">ih").pack
_INTEGER: Final = struct.Struct(">ii").pack
_BIGINT: Final = struct.Struct(">iq").pack
_HEADER: Final = struct.Struct(">iiIii").pack
_EMPTY: Final = struct.Struct(">iiI").pack
_UUID_LENGTH: Final = _LENGTH(16)
_TRUE, _FALSE = _LENGTH(1) + b"\x01", _LENGTH(1) + b"\x00"
_FIRST_INSTANT: Final = datetime(2000, 1, 1, tzinfo=UTC)
_FIRST_DAY: Final = date(2000, 1, 1).toordinal()

_COPY_HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_TRAILER: Final = struct.pack(">h", -1)
_PIECE_BYTES: Final = 1 << 16


class Array(bytes):
    """An array that is packed already."""

    __slots__ = ()
    OID: ClassVar[int]


class _AsIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: Array) -> Buffer | None:
        return obj


def _uuid(value: Any) -> bytes:
    if type(value) is str:
        return _UUID_LENGTH + bytes.fromhex(value.replace("-", ""))
    packed: bytes = value.bytes
    return _UUID_LENGTH + packed


def _text(value: str) -> bytes:
    encoded = value.encode()
    return _LENGTH(len(encoded)) + encoded


def _bytea(value: bytes) -> bytes:
    return _LENGTH(len(value)) + value


def _boolean(value: object) -> bytes:
    return _TRUE if value else _FALSE


def _timestamptz(value: str) -> bytes:
    since = datetime.fromisoformat(value) - _FIRST_INSTANT
    return _BIGINT(8, (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)


def _date(value: str) -> bytes:
    return _INTEGER(4, date.fromisoformat(value).toordinal() - _FIRST_DAY)


def _smallint(value: int) -> bytes:
    return _SMALLINT(2, value)


def _integer(value: int) -> bytes:
    return _INTEGER(4, value)


def _bigint(value: int) -> bytes:
    return _BIGINT(8, value)


def _kind(name: str, field: Field, oid: int, array_oid: int) -> tuple[Field, int, type[Array]]:
    """What packs one value of a type, the type, and the class of arrays of it."""
    packed = type(f"{name.title()}Array", (Array,), {"OID": array_oid, "__slots__": ()})
    dumper = type(f"{name.title()}ArrayDumper", (_AsIs,), {"oid": array_oid})
    psycopg.adapters.register_dumper(packed, dumper)
    return field, oid, packed


_KINDS: Final[Mapping[str, tuple[Field, int, type[Array]]]] = {
    "uuid": _kind("uuid", _uuid, 2950, 2951),
    "text": _kind("text", _text, 25, 1009),
    "bytea": _kind("bytea", _bytea, 17, 1001),
    "boolean": _kind("boolean", _boolean, 16, 1000),
    "timestamptz": _kind("timestamptz", _timestamptz, 1184, 1185),
    "date": _kind("date", _date, 1082, 1182),
    "smallint": _kind("smallint", _smallint, 21, 1005),
    "integer": _kind("integer", _integer, 23, 1007),
    "bigint": _kind("bigint", _bigint, 20, 1016),
}


def array(kind: str, values: Sequence[Any]) -> Array:
    """One column of a type (``uuid``, ``text``, ...) as the parameter of an ``unnest``."""
    field, oid, packed = _KINDS[kind]
    if not values:
        return packed(_EMPTY(0, 0, oid))
    fields = [_NULL if value is None else field(value) for value in values]
    return packed(_HEADER(1, None in values, oid, len(values), 1) + b"".join(fields))


def arrays(kinds: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Array]:
    """Rows as one array per column."""
    columns = zip(*rows, strict=True)
    return [array(kind, column) for kind, column in zip(kinds, columns, strict=True)]


def copied(kinds: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Rows as a binary COPY takes them, in pieces."""
    fields = [_KINDS[kind][0] for kind in kinds]
    count = struct.pack(">h", len(fields))
    parts, size = [_COPY_HEADER], 0
    for row in rows:
        parts.append(count)
        for field, value in zip(fields, row, strict=True):
            parts.append(_NULL if value is None else field(value))
            size += len(parts[-1])
        if size > _PIECE_BYTES:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join((*parts, _COPY_TRAILER))
