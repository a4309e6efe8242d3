"""Databases of the tests: made from a template in milliseconds, dropped when done."""

import contextlib
import os
import secrets
import shutil

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from kernel.tenant import Environment


MEMORY = "/dev/shm"
ROOM_BYTES = 4 * 1024**3


def external() -> str | None:
    return os.environ.get("BILLSTREAM_TEST_DATABASE_URL")


def url(server: str, name: str) -> str:
    return make_conninfo(server, dbname=name)


def in_memory() -> str | None:
    """A folder in memory, where there is room for all databases of a run: ten times as fast."""
    try:
        room = shutil.disk_usage(MEMORY).free
    except OSError:
        return None
    return MEMORY if room > ROOM_BYTES and os.access(MEMORY, os.W_OK) else None


@contextlib.contextmanager
def fresh(server: str, template: str = "template0"):
    """The name of a new database; it is dropped with all its sessions at the end."""
    name = f"test_{secrets.token_hex(6)}"
    strategy = "FILE_COPY" if in_memory() and not external() else "WAL_LOG"
    identifiers = sql.Identifier(name), sql.Identifier(template), sql.SQL(strategy)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY {}").format(*identifiers)
        )
    try:
        yield name
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(identifiers[0]))


def migrate(target: str) -> None:
    """Bring an empty database to the schema of today."""
    from adapters.database import open_database  # noqa: PLC0415 an optional part
    from app.wiring import prepare  # noqa: PLC0415 an optional part

    open_database(target, Environment.SANDBOX)
    prepare(target, Environment.SANDBOX)
