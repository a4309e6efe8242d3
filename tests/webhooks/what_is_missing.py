"""What deliveries that never came wait for: said when a test has waited in vain."""

import json
import signal
from collections import Counter

import psycopg


LAST_LINES = 60
QUESTIONS = {
    "the log ends at": "SELECT max(position) FROM events",
    "views are at": "SELECT position, epoch FROM views.view_checkpoints",
    "announced up to": "SELECT position FROM webhooks.announced",
    "readers are at": "SELECT name, position FROM checkpoints ORDER BY name",
    "endpoints": "SELECT id, deleted, convert_from(doc, 'UTF8')::jsonb ->> 'url', "
    "convert_from(doc, 'UTF8')::jsonb ->> 'enabled' FROM views.webhook_endpoints",
    "health": "SELECT * FROM webhooks.health",
    "lanes that wait": "SELECT endpoint, lane, waiting, holder, due_at - clock_timestamp() "
    "FROM webhooks.lanes WHERE waiting > 0 ORDER BY due_at LIMIT 40",
    "deliveries that wait": "SELECT d.endpoint, e.kind, count(*), min(d.seq), max(d.attempts) "
    "FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event "
    "WHERE d.state = 'waiting' GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 80",
    "sessions": "SELECT pid, state, wait_event_type, wait_event, clock_timestamp() - state_change, "
    "left(query, 100) FROM pg_stat_activity WHERE datname = current_database()",
    "locks": "SELECT pid, locktype, mode, granted, classid, objid FROM pg_locks "
    "WHERE locktype = 'advisory' OR NOT granted",
}


def missing(expected, heard):
    """Which kinds the log announces, and which of them each endpoint lacks."""
    lines = [f"the log announces {len(expected)} events: {_kinds(expected.values())}"]
    for endpoint, bodies in heard.items():
        lacking = [body for event, body in expected.items() if event not in bodies]
        lines.append(f"{endpoint} lacks {len(lacking)}: {_kinds(lacking)}")
    return "\n".join(lines)


def standing(url):
    """How far every reader is, what waits, and who holds it."""
    lines = []
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10) as db:
            for about, question in QUESTIONS.items():
                lines.append(f"{about}:")
                lines += ["    " + " | ".join(map(str, row)) for row in db.execute(question)]
    except psycopg.Error as error:
        lines.append(f"the database cannot be asked: {error}")
    return "\n".join(lines)


def last_words(name, process):
    """The end of what it said. One that still runs is ended: SIGABRT makes it say where it is."""
    code = process.popen.poll()
    if code is None:
        process.stop(signal.SIGABRT)
    end = [f"    {line}" for line in process.lines[-LAST_LINES:]]
    return "\n".join([f"{name} {'was running' if code is None else f'ended with {code}'}:", *end])


def _kinds(bodies):
    return dict(Counter(json.loads(body)["type"] for body in bodies))
