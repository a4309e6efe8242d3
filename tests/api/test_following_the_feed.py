"""Server-Sent Events over real sockets: live, resumable, and indifferent to slow readers."""

import contextlib
import json
import socket
import threading

import httpx
import pytest

from read_api import events
from tests.engines import SERVER_KEY
from tests.served import served


pytestmark = pytest.mark.postgres
HEADERS = {"Authorization": f"Bearer {SERVER_KEY}"}
WAIT = 20


@contextlib.contextmanager
def api(database_url):
    with (
        served(database_url) as (core, _),
        httpx.Client(base_url=f"{core}/api/v1", headers=HEADERS, timeout=WAIT) as client,
    ):
        yield client


@contextlib.contextmanager
def following(client, **rest):
    """The messages of a stream, as a consumer reads them."""
    with client.stream("GET", "/events/stream/", **rest) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield messages(answer.iter_lines())


def messages(lines):
    message = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            message[name] = value
        elif message:
            yield message
            message = {}


def facts(stream):
    return (json.loads(message["data"]) for message in stream if "data" in message)


def create(client, name, **rest):
    answer = client.post("/customers/", json={"customerId": name, **rest})
    assert answer.status_code == 201, answer.text
    return int(answer.headers["Billstream-Position"])


def test_history_comes_first_then_what_happens(database_url):
    with api(database_url) as client:
        first = create(client, "first")
        with following(client) as stream:
            told = facts(stream)
            ids = [int(next(told)["id"]) for _ in range(first)]
            assert ids[-1] == first
            second = create(client, "second")
            assert int(next(told)["id"]) == second


def test_a_reader_that_comes_back_misses_nothing_and_gets_nothing_twice(database_url):
    with api(database_url) as client:
        whole = [create(client, f"c{number}") for number in range(6)]
        since = {"after": str(whole[0] - 1), "types": "customer.*"}
        with following(client, params=since) as stream:
            seen = [int(next(stream).get("id", 0)) for _ in range(4)][1:]
        resumed = {"Last-Event-ID": str(seen[-1])}
        with following(client, params=since, headers=resumed) as stream:
            told = facts(stream)
            seen += [int(next(told)["id"]) for _ in range(3)]
    assert seen == whole


def test_only_what_is_still_to_come(database_url):
    with api(database_url) as client:
        create(client, "before")
        with following(client, params={"after": "now"}) as stream:
            assert next(stream) == {"retry": "1000"}
            position = create(client, "after")
            assert int(next(facts(stream))["id"]) == position


def test_an_empty_last_event_id_is_none(database_url):
    with api(database_url) as client:
        position = create(client, "one")
        since = {"after": str(position - 1)}
        with following(client, params=since, headers={"Last-Event-ID": ""}) as stream:
            assert int(next(facts(stream))["id"]) == position


def test_the_position_of_a_narrow_reader_moves_on(database_url, monkeypatch):
    monkeypatch.setattr(events, "KEEP_ALIVE_SECONDS", 0.05)
    with api(database_url) as client:
        position = create(client, "one")
        with following(client, params={"types": "invoice.*"}) as stream:
            assert next(stream) == {"retry": "1000"}
            while int(next(stream).get("id", 0)) < position:
                continue


def test_who_stops_reading_costs_the_others_nothing(database_url):
    with api(database_url) as client:
        for number in range(30):
            create(client, f"c{number}", metadata={"long": "x" * 20_000})
        stalled = [stalling(client) for _ in range(20)]
        try:
            position = create(client, "later")
            with following(client, params={"after": str(position - 1)}) as stream:
                assert int(next(facts(stream))["id"]) == position
            assert client.get("/customers/").json()["count"] == 31
        finally:
            for connection in stalled:
                connection.close()


def stalling(client):
    """A reader with the smallest of buffers that never reads."""
    address = client.base_url
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    connection.connect((address.host, address.port))
    connection.sendall(
        b"GET /api/v1/events/stream/ HTTP/1.1\r\nHost: localhost\r\n"
        b"Authorization: Bearer " + SERVER_KEY.encode() + b"\r\n\r\n"
    )
    return connection


def test_a_stop_ends_the_streams_at_once(database_url):
    ended = threading.Event()
    begun = threading.Event()

    def read(core):
        with (
            httpx.Client(base_url=f"{core}/api/v1", headers=HEADERS, timeout=60) as client,
            following(client) as stream,
        ):
            next(stream)
            begun.set()
            for _ in stream:
                continue
        ended.set()

    with served(database_url) as (core, _):
        reader = threading.Thread(target=read, args=(core,))
        reader.start()
        assert begun.wait(WAIT)
    # The server drains for up to 10 s: a stream that were not ended would break off, not end.
    reader.join(WAIT)
    assert ended.is_set()
