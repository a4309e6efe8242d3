"""The tables of webhook transport: beside the views, never rebuilt (design 9).

``lanes`` is one row per order key (endpoint, owner) with something to deliver: how much waits, when
it is due, and which sender holds it. A lane that is held is due when the hold runs out, so that one
index finds both what is due and what a killed sender left behind.

``events`` holds bodies in the clear, as the views hold documents, until nothing of them is listed
any more: 35 days. Whose they are stands in ``owner``, which is what an erasure goes by.
"""

from __future__ import annotations

from typing import Final


SCHEMA: Final = "webhooks"

COUNTED_BY_THE_HOUR: Final = f"""
DO $do$ BEGIN
IF to_regclass('{SCHEMA}.attempt_hours') IS NULL THEN
    CREATE TABLE {SCHEMA}.attempt_hours (
        organization uuid, hour timestamptz, endpoint uuid, kind text, is_success boolean,
        n bigint NOT NULL, PRIMARY KEY (organization, hour, endpoint, kind, is_success));
    CREATE FUNCTION {SCHEMA}.count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO {SCHEMA}.attempt_hours AS h
        SELECT organization, date_trunc('hour', last_attempt, 'UTC'), endpoint, kind, is_success,
            count(*) * TG_ARGV[0]::int
        FROM changed GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (organization, hour, endpoint, kind, is_success)
            DO UPDATE SET n = h.n + excluded.n;
        RETURN NULL;
    END $$;
    CREATE TRIGGER more AFTER INSERT ON {SCHEMA}.attempts REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.count_attempts('1');
    CREATE TRIGGER fewer AFTER DELETE ON {SCHEMA}.attempts REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.count_attempts('-1');
    INSERT INTO {SCHEMA}.attempt_hours
    SELECT organization, date_trunc('hour', last_attempt, 'UTC'), endpoint, kind, is_success,
        count(*)
    FROM {SCHEMA}.attempts GROUP BY 1, 2, 3, 4, 5;
END IF;
END $do$
"""
"""How many attempts there were, so that the log's count and its deep pages read no attempts.

A trigger keeps it: whoever writes attempts, of an older version too, is counted with the rows.
"""

DDL: Final = (
    f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.announced (
        one boolean PRIMARY KEY DEFAULT true CHECK (one), position bigint NOT NULL)""",
    f"INSERT INTO {SCHEMA}.announced (position) VALUES (0) ON CONFLICT DO NOTHING",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.events (
        id uuid PRIMARY KEY, organization uuid NOT NULL, owner uuid NOT NULL, kind text NOT NULL,
        position bigint NOT NULL, created_at timestamptz NOT NULL, payload bytea NOT NULL)""",
    f"CREATE INDEX IF NOT EXISTS events_created ON {SCHEMA}.events (created_at)",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.deliveries (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event uuid NOT NULL,
        endpoint uuid NOT NULL, lane uuid NOT NULL, state text NOT NULL DEFAULT 'waiting',
        attempts integer NOT NULL DEFAULT 0)""",
    f"""CREATE INDEX IF NOT EXISTS deliveries_waiting ON {SCHEMA}.deliveries
        (endpoint, lane, seq) WHERE state = 'waiting'""",
    f"CREATE INDEX IF NOT EXISTS deliveries_event ON {SCHEMA}.deliveries (event)",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.lanes (
        endpoint uuid, lane uuid, waiting integer NOT NULL, due_at timestamptz NOT NULL,
        holder uuid, PRIMARY KEY (endpoint, lane))""",
    f"""CREATE INDEX IF NOT EXISTS lanes_due ON {SCHEMA}.lanes
        (endpoint, due_at) WHERE waiting > 0""",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.attempts (
        id uuid PRIMARY KEY, organization uuid NOT NULL, event uuid NOT NULL,
        endpoint uuid NOT NULL, kind text NOT NULL, status_code integer,
        is_success boolean NOT NULL, retry_count integer NOT NULL,
        last_attempt timestamptz NOT NULL, created_on timestamptz NOT NULL, problem text)""",
    f"""CREATE INDEX IF NOT EXISTS attempts_newest ON {SCHEMA}.attempts
        (organization, last_attempt DESC, id)""",
    f"""CREATE INDEX IF NOT EXISTS attempts_of_endpoint ON {SCHEMA}.attempts
        (endpoint, last_attempt DESC)""",
    f"CREATE INDEX IF NOT EXISTS attempts_old ON {SCHEMA}.attempts (last_attempt)",
    f"CREATE INDEX IF NOT EXISTS attempts_event ON {SCHEMA}.attempts (event)",
    COUNTED_BY_THE_HOUR,
    f"CREATE INDEX IF NOT EXISTS lanes_idle ON {SCHEMA}.lanes (due_at) WHERE waiting = 0",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.health (
        endpoint uuid PRIMARY KEY, failing_since timestamptz, held_until timestamptz,
        succeeded bigint NOT NULL DEFAULT 0, failed bigint NOT NULL DEFAULT 0)""",
    f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.replays (
        id uuid PRIMARY KEY, organization uuid NOT NULL, endpoint uuid NOT NULL,
        begin_at timestamptz, end_at timestamptz, first_position bigint NOT NULL,
        last_position bigint NOT NULL, done_position bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz)""",
    f"""CREATE INDEX IF NOT EXISTS replays_open ON {SCHEMA}.replays
        (created_at) WHERE finished_at IS NULL""",
)
