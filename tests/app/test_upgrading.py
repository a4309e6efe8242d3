"""A new version meets the database of an older one: views are made anew, the log is kept."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from app.wiring import prepare
from kernel.tenant import Environment
from projections import customers


def rows(url, table):
    with psycopg.connect(url) as db:
        return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_views_of_another_shape_are_dropped_to_be_built_anew(database_url):
    with psycopg.connect(database_url) as db:
        db.execute("INSERT INTO views.view_checkpoints VALUES ('views', 7, 0)")
        db.execute("ALTER TABLE views.customers DROP COLUMN doc CASCADE")
        db.execute("COMMENT ON SCHEMA views IS 'an older version'")
        db.execute("COMMENT ON TABLE identity IS 'an older version'")
    prepare(database_url, Environment.SANDBOX)
    assert rows(database_url, "views.view_checkpoints") == 0
    assert rows(database_url, "views.customers WHERE doc IS NULL") == 0


def test_the_same_version_keeps_its_views(database_url):
    with psycopg.connect(database_url) as db:
        db.execute("INSERT INTO views.view_checkpoints VALUES ('views', 7, 0)")
    prepare(database_url, Environment.SANDBOX)
    assert rows(database_url, "views.view_checkpoints") == 1


def test_a_view_with_a_newer_version_is_made_anew(database_url, monkeypatch):
    with psycopg.connect(database_url) as db:
        db.execute("INSERT INTO views.view_checkpoints VALUES ('views', 7, 0)")
    monkeypatch.setattr(customers.view, "version", customers.view.version + 1)
    prepare(database_url, Environment.SANDBOX)
    assert rows(database_url, "views.view_checkpoints") == 0


@pytest.mark.parametrize("table", ["events", "views.customers", "webhooks.lanes"])
def test_a_process_that_starts_waits_for_none_that_writes(database_url, table):
    impatient = make_conninfo(database_url, options="-clock_timeout=1s")
    with psycopg.connect(database_url) as writing:
        writing.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE")
        prepare(impatient, Environment.SANDBOX)
