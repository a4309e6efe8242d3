"""One database per environment, on a server that keeps what it confirms."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.cannot_start import CannotStart
from adapters.database import database_url, open_database


def test_an_address_without_a_database_gets_that_of_the_environment():
    assert conninfo_to_dict(database_url("postgresql://host/", "sandbox")) == {
        "host": "host",
        "dbname": "billstream_sandbox",
    }
    assert database_url("postgresql://host/mine", "sandbox") == "postgresql://host/mine"


def test_a_missing_database_is_made_once_however_many_ask(server_url, empty_database_url):
    name = conninfo_to_dict(empty_database_url)["dbname"]
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}"')
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: open_database(empty_database_url, "sandbox"), range(4)))
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT environment FROM identity").fetchall() == [("sandbox",)]


def test_the_database_of_the_other_environment_is_refused(empty_database_url):
    open_database(empty_database_url, "sandbox")
    with pytest.raises(CannotStart, match="is the sandbox one"):
        open_database(empty_database_url, "production")


def test_a_server_that_may_lose_what_it_confirmed_is_refused(empty_database_url):
    url = make_conninfo(empty_database_url, options="-c synchronous_commit=off")
    with pytest.raises(CannotStart, match="synchronous_commit = off"):
        open_database(url, "sandbox")


def test_a_server_that_does_not_answer_is_told():
    with pytest.raises(CannotStart, match="cannot be reached"):
        open_database("host=/nowhere dbname=billstream_sandbox", "sandbox")
