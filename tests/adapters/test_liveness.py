"""Connections that wait in a pool while the server ends them."""

import asyncio
from uuid import uuid4

import psycopg
import pytest


pytestmark = pytest.mark.anyio

END = (
    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def test_one_that_the_server_has_ended_is_not_handed_out(postgres_store, database_url):
    await asyncio.gather(*(postgres_store.load(uuid4()) for _ in range(20)))
    with psycopg.connect(database_url, autocommit=True) as db:
        ended = db.execute(END).fetchall()
    assert ended
    for _ in ended:
        assert await postgres_store.head() == 0
