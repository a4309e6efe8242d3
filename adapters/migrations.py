"""Makes the tables, once however many processes start together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from psycopg.errors import DeadlockDetected

from adapters.database import claim
from kernel.tenant import Environment


SCHEMA = Path(__file__).with_name("log_schema.sql")


TRIES: Final = 5
"""An upgrade beside processes that write may meet them in a circle, and then begins again."""

PRESENT: Final = """
select coalesce(obj_description('public.identity'::regclass, 'pg_class') = %s, false)
    and not exists (select from unnest(%s::text[]) as s where to_regnamespace(s) is null)
"""


def migrate(
    url: str,
    environment: Environment,
    extra_ddl: Sequence[str] = (),
    schemas: Sequence[str] = (),
) -> None:
    """Bring a database to the present schema.

    ``extra_ddl`` are the statements of others, ``schemas`` what they make and somebody may drop.

    Safe to run again and by many processes at once: it is one transaction under a lock. Where the
    schema is the present one no table is touched, so that a process that starts holds up no other.
    Raises CannotStart when the database belongs to the other environment (design 2).
    """
    statements = (SCHEMA.read_text(), *extra_ddl)
    for left in reversed(range(TRIES)):
        try:
            return _migrate(url, environment, statements, schemas)
        except DeadlockDetected:
            if not left:
                raise
    return None


def _migrate(
    url: str, environment: Environment, statements: Sequence[str], schemas: Sequence[str]
) -> None:
    mark = hashlib.sha256("\n".join(statements).encode()).hexdigest()
    with psycopg.connect(url) as db:
        db.execute("select pg_advisory_xact_lock(hashtext('billstream migrations'))")
        claim(db, environment)
        present = db.execute(PRESENT, (mark, list(schemas))).fetchone()
        if present and present[0]:
            return
        for statement in statements:
            db.execute(statement)
        comment = sql.SQL("comment on table public.identity is {}")
        db.execute(comment.format(sql.Literal(mark)))
