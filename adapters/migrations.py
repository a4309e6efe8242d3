"""Makes the tables, once however many processes start together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import psycopg

from adapters.database import claim
from kernel.tenant import Environment


SCHEMA = Path(__file__).with_name("log_schema.sql")


def migrate(url: str, environment: Environment, extra_ddl: Sequence[str] = ()) -> None:
    """Bring a database to the present schema; ``extra_ddl`` are the views' own statements.

    Safe to run again and by many processes at once: it is one transaction under a lock.
    Raises CannotStart when the database belongs to the other environment (design 2).
    """
    with psycopg.connect(url) as db:
        db.execute("select pg_advisory_xact_lock(hashtext('billstream migrations'))")
        claim(db, environment)
        for statement in (SCHEMA.read_text(), *extra_ddl):
            db.execute(statement)
