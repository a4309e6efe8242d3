"""Idempotency-Key: once, for ever, whoever dies in between (design 12)."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest

from app.wiring import Engine
from tests.engines import SERVER_KEY, FixedKeys, place, positions, running


pytestmark = pytest.mark.anyio

ADA = {"customerId": "ada", "name": "Ada", "metadata": {"b": 1, "a": 2}}
KEY = {"Idempotency-Key": "k1"}


@asynccontextmanager
async def another_process(database_url):
    """A second engine on the same database, as another process would be; no workers."""
    engine = await Engine.open(place(database_url))
    poller = asyncio.create_task(follow(engine))
    transport = httpx.ASGITransport(engine.core_app(FixedKeys()))
    try:
        async with httpx.AsyncClient(
            transport=transport,
            base_url="https://billing.example/api/v1",
            headers={"Authorization": f"Bearer {SERVER_KEY}"},
        ) as client:
            yield engine, client
    finally:
        poller.cancel()
        await engine.close()


async def follow(engine):
    """Look how far the views are, as a process does that does not keep them itself."""
    while True:
        async with engine.pool.connection() as db:
            found = await db.execute("SELECT position FROM view_checkpoints WHERE name = 'views'")
            row = await found.fetchone()
        engine.positions.reached(row[0] if row else 0)
        await asyncio.sleep(0.02)


async def age(database_url, interval):
    """Let time pass for the kept answers."""
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as db:
        await db.execute(
            "UPDATE idempotency SET created_at = created_at - %s::interval,"
            " secret_until = secret_until - %s::interval",
            (interval, interval),
        )


async def test_the_same_request_has_the_same_bytes_in_any_process(database_url):
    async with running(database_url) as (engine, client):
        first = await client.post("/customers/", json=ADA, headers=KEY)
        await client.patch("/customers/ada/", json={"name": "Countess"})
        before = await positions(engine)
        spaced = b'{ "metadata": {"a": 2, "b": 1}, "name": "Ada",\n "customerId": "ada"}'
        async with another_process(database_url) as (_, other):
            for each in (client, other):
                headers = {**KEY, "Content-Type": "application/json"}
                again = await each.post("/customers", content=spaced, headers=headers)
                assert (again.status_code, again.content) == (201, first.content)
                assert again.headers["Idempotent-Replayed"] == "true"
                assert again.headers["Billstream-Position"] == first.headers["Billstream-Position"]
        assert "Idempotent-Replayed" not in first.headers
        assert await positions(engine) == before


async def test_another_request_under_the_same_key_is_422(database_url):
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA, headers=KEY)
        before = await positions(engine)
        for method, path, body in (
            ("POST", "/customers/", {**ADA, "name": "Eve"}),
            ("POST", "/customers/", {**ADA, "customer_id": "eve"}),
            ("PATCH", "/customers/ada/", ADA),
            ("PATCH", "/customers/ada/", {"name": "Eve"}),
            ("POST", "/organizations/keys/", {"kind": "server"}),
            ("DELETE", "/customers/ada/", None),
        ):
            answer = await client.request(method, path, json=body, headers=KEY)
            assert answer.status_code == 422, (method, path)
            assert answer.json()["code"] == "idempotency_key_reused"
        assert await positions(engine) == before


async def test_a_request_that_changed_nothing_is_kept_too(database_url):
    async with running(database_url) as (_, client):
        await client.post("/customers/", json=ADA)
        same = await client.patch("/customers/ada/", json={"name": "Ada"}, headers=KEY)
        await client.patch("/customers/ada/", json={"name": "Countess"})
        again = await client.patch("/customers/ada/", json={"name": "Ada"}, headers=KEY)
        assert again.content == same.content
        assert (await client.get("/customers/ada/")).json()["name"] == "Countess"


async def test_an_empty_answer_is_repeated(database_url):
    async with running(database_url) as (_, client):
        await client.post("/customers/", json=ADA)
        for _ in range(2):
            answer = await client.delete("/customers/ada/", headers=KEY)
            assert (answer.status_code, answer.content) == (204, b"")


async def test_refusals_keep_nothing_and_are_decided_anew(database_url):
    async with running(database_url) as (_, client):
        refused = await client.patch("/customers/ada/", json={"name": "Eve"}, headers=KEY)
        assert refused.status_code == 404
        wrong = await client.patch("/customers/ada/", json={"name": 5}, headers=KEY)
        assert wrong.status_code == 400
        await client.post("/customers/", json=ADA)
        done = await client.patch("/customers/ada/", json={"name": "Eve"}, headers=KEY)
        assert done.status_code == 200


async def test_while_the_first_still_runs_others_wait(database_url, monkeypatch):
    async with running(database_url) as (engine, client):
        reached, go_on = asyncio.Event(), asyncio.Event()
        append = engine.store.append

        async def slow(command):
            reached.set()
            await go_on.wait()
            return await append(command)

        monkeypatch.setattr(engine.store, "append", slow)
        first = asyncio.create_task(client.post("/customers/", json=ADA, headers=KEY))
        await reached.wait()
        second = await client.post("/customers/", json=ADA, headers=KEY)
        assert second.status_code == 409
        assert second.headers["Retry-After"] == "1"
        assert second.json()["code"] == "request_still_running"
        go_on.set()
        assert (await first).status_code == 201
        third = await client.post("/customers/", json=ADA, headers=KEY)
        assert third.content == (await first).content


async def test_twenty_at_once_in_two_processes_do_it_once(database_url):
    async with running(database_url) as (engine, client):
        before = await positions(engine)
        async with another_process(database_url) as (_, other):
            calls = [
                each.post("/customers/", json=ADA, headers=KEY)
                for each in (client, other)
                for _ in range(10)
            ]
            answers = await asyncio.gather(*calls)
        made = {answer.content for answer in answers if answer.status_code == 201}
        assert len(made) == 1
        assert {answer.status_code for answer in answers} <= {201, 409}
        facts = await engine.store.read(before, 100)
        assert [recorded.name for recorded in facts] == ["customer.created.v2"]


class Killed(BaseException):
    """The process ends here; nothing handles it."""


async def kill_before_answering(engine, client, monkeypatch, *request):
    """Die after the append, before the answer is made or kept."""

    async def die(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(engine.positions, "wait", die)
        with pytest.raises(Killed):
            await client.request(*request[:2], json=request[2], headers=KEY)


async def test_a_killed_request_is_finished_from_its_facts_elsewhere(database_url, monkeypatch):
    async with running(database_url) as (engine, client):
        await kill_before_answering(engine, client, monkeypatch, "POST", "/customers/", ADA)
        before = await positions(engine)
        async with another_process(database_url) as (_, other):
            finished = await other.post("/customers/", json=ADA, headers=KEY)
            assert finished.status_code == 201
            assert finished.json()["customerId"] == "ada"
        again = await client.post("/customers/", json=ADA, headers=KEY)
        assert again.content == finished.content
        assert await positions(engine) == before


async def test_a_killed_answer_before_it_was_kept_is_the_same_for_both(database_url, monkeypatch):
    async with running(database_url) as (engine, client):
        keep = engine.store.answers.keep

        async def late(*arguments, **words):
            async with another_process(database_url) as (_, other):
                await other.patch("/customers/ada/", json={"name": "Countess"})
                finished.append(await other.post("/customers/", json=ADA, headers=KEY))
            return await keep(*arguments, **words)

        finished = []
        monkeypatch.setattr(engine.store.answers, "keep", late)
        first = await client.post("/customers/", json=ADA, headers=KEY)
        assert first.content == finished[0].content


async def test_a_killed_payment_method_is_saved_once(database_url, monkeypatch):
    body = {"customerId": "ada", "token": "tok_visa"}
    async with running(database_url) as (engine, client):
        await client.post("/customers/", json=ADA)
        await kill_before_answering(engine, client, monkeypatch, "POST", "/payment-methods/", body)
        for _ in range(2):
            answer = await client.post("/payment-methods/", json=body, headers=KEY)
            assert answer.status_code == 201
        assert (await client.get("/payment-methods/")).json()["count"] == 1


async def test_a_secret_is_repeated_for_a_day_and_then_null(database_url):
    async with running(database_url) as (engine, client):
        body = {"kind": "server"}
        first = await client.post("/organizations/keys/", json=body, headers=KEY)
        before = await positions(engine)
        await age(database_url, "23 hours")
        again = await client.post("/organizations/keys/", json=body, headers=KEY)
        assert again.content == first.content
        await age(database_url, "61 minutes")
        await engine.store.answers.drop_secrets()
        for _ in range(2):
            later = await client.post("/organizations/keys/", json=body, headers=KEY)
            assert later.status_code == 201
            assert later.json() == {**first.json(), "key": None}
        assert await positions(engine) == before


async def test_who_does_not_know_the_secret_waits_for_who_does(database_url, monkeypatch):
    body = {"kind": "client"}
    path = "/organizations/keys/"
    async with running(database_url) as (engine, client):
        await kill_before_answering(engine, client, monkeypatch, "POST", path, body)
        waiting = await client.post(path, json=body, headers=KEY)
        assert (waiting.status_code, waiting.headers["Retry-After"]) == (409, "1")
        await age(database_url, "1 minute")
        finished = await client.post(path, json=body, headers=KEY)
        assert (finished.status_code, finished.json()["key"]) == (201, None)
        assert (await client.get(path)).json()["count"] == 1


async def test_an_erased_owner_takes_the_answer_along(database_url):
    async with running(database_url) as (engine, client):
        made = await client.post("/customers/", json=ADA, headers=KEY)
        async with engine.store.pool.connection() as db:
            await db.execute("DELETE FROM keys WHERE subject = %s", (made.json()["id"],))
        async with another_process(database_url) as (_, other):
            gone = await other.post("/customers/", json=ADA, headers=KEY)
        assert (gone.status_code, gone.json()["code"]) == (410, "answer_erased")


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "\x7f"])
async def test_keys_that_cannot_be_are_400(module_database_url, key):
    async with running(module_database_url) as (_, client):
        answer = await client.post("/customers/", json=ADA, headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_idempotency_key")


async def test_odd_keys_and_odd_bodies_are_fine(module_database_url):
    async with running(module_database_url) as (_, client):
        for n, key in enumerate(("x" * 255, " ! ", "\xe9\xe8".encode("latin-1"))):
            headers = [(b"Idempotency-Key", key.encode() if isinstance(key, str) else key)]
            body = {"customerId": f"odd-{n}"}
            first = await client.post("/customers/", json=body, headers=headers)
            again = await client.post("/customers/", json=body, headers=headers)
            assert (first.status_code, again.content) == (201, first.content)
        deep = '{"customerId": "deep", "unknown": ' + "[" * 500 + "]" * 500 + "}"
        headers = {"Idempotency-Key": "deep", "Content-Type": "application/json"}
        for _ in range(2):
            answer = await client.post("/customers/", content=deep, headers=headers)
            assert answer.status_code == 201
        gone = {"Idempotency-Key": "delete"}
        for _ in range(2):
            answer = await client.request(
                "DELETE", "/customers/deep/", content=b"{no json", headers=gone
            )
            assert answer.status_code == 204
