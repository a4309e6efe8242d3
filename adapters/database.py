"""One database per environment: made when missing, checked for durability, and told who it is."""

import contextlib

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.cannot_start import CannotStart


OLDEST_SERVER = 150000
DURABLE = ("fsync", "synchronous_commit")

IDENTITY = """
CREATE TABLE IF NOT EXISTS identity (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    environment text NOT NULL,
    log_id uuid NOT NULL DEFAULT gen_random_uuid()
)
"""
CLAIM = """
WITH claimed AS (
    INSERT INTO identity (environment) VALUES (%s) ON CONFLICT DO NOTHING RETURNING environment
)
SELECT environment FROM claimed UNION ALL SELECT environment FROM identity
"""


def database_url(server: str, environment: str) -> str:
    """The database of an environment on a server; one the address names itself is kept."""
    if conninfo_to_dict(server).get("dbname"):
        return server
    return make_conninfo(server, dbname=f"billstream_{environment}")


def open_database(url: str, environment: str) -> None:
    """Make the database if there is none, check the server, and claim it for the environment.

    :raises CannotStart: unreachable, too old, not durable, or the database of another environment.
    """
    try:
        create_if_missing(url)
        with psycopg.connect(url, autocommit=True) as connection:
            check_server(connection)
            claim(connection, environment)
    except psycopg.OperationalError as error:
        raise CannotStart(f"the database cannot be reached: {str(error).strip()}") from error


def create_if_missing(url: str) -> None:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        name = str(conninfo_to_dict(url)["dbname"])
        with psycopg.connect(make_conninfo(url, dbname="postgres"), autocommit=True) as connection:
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,)).rowcount:
                raise  # it is there, so something else is wrong
            create(connection, name)


def create(connection: psycopg.Connection, name: str) -> None:
    """Make the database; when another process is faster, that is as good."""
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'")
    with contextlib.suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
        connection.execute(statement.format(sql.Identifier(name)))


def check_server(connection: psycopg.Connection) -> None:
    """Refuse a server that may lose what it confirmed (design 2)."""
    if connection.info.server_version < OLDEST_SERVER:
        raise CannotStart("the server is older than PostgreSQL 15")
    for setting in DURABLE:
        row = connection.execute("SELECT current_setting(%s)", (setting,)).fetchone()
        if row and row[0] == "off":
            raise CannotStart(f"the server has {setting} = {row[0]}: it may lose what it confirmed")


def claim(connection: psycopg.Connection, environment: str) -> None:
    """A database belongs to one environment for ever."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('billstream identity'))")
        connection.execute(IDENTITY)
        row = connection.execute(CLAIM, (environment,)).fetchone()
    if row and row[0] != environment:
        raise CannotStart(
            f"the database {connection.info.dbname} is the {row[0]} one, not that of {environment}"
        )
