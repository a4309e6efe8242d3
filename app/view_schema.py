"""The statements that make the schema of the views, or make it anew after an upgrade."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from projections import counters, engine
from projections.all_views import VIEWS
from projections.streamed.private import PARTITIONS_DDL


DROP_OUTDATED_VIEWS = """
DO $$ BEGIN
    IF obj_description(to_regnamespace('{schema}'), 'pg_namespace') IS DISTINCT FROM '{mark}' THEN
        DROP SCHEMA IF EXISTS {schema} CASCADE;
    END IF;
END $$
"""


def view_ddl() -> Sequence[str]:
    """The statements that make every view.

    Views of an older version are dropped: they are computed, and are built anew from the log.
    """
    tables = [table for view in VIEWS for table in view.tables]
    statements = (
        f"CREATE SCHEMA IF NOT EXISTS {engine.SCHEMA}",
        f"SET LOCAL search_path TO {engine.SCHEMA}, public",
        engine.CHECKPOINTS_DDL,
        PARTITIONS_DDL,
        counters.DDL,
        *engine.ddl(tables),
    )
    versions = (f"{view.name} {view.version}" for view in VIEWS)
    mark = hashlib.sha256("\n".join((*statements, *versions)).encode()).hexdigest()
    return (
        DROP_OUTDATED_VIEWS.format(schema=engine.SCHEMA, mark=mark),
        *statements,
        f"COMMENT ON SCHEMA {engine.SCHEMA} IS '{mark}'",
    )
