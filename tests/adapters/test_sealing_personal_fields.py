"""Personal fields are never in clear in the log; without their key they read as defaults."""

import asyncio

import psycopg
import pytest

from adapters.append_call import KeyRacedError
from adapters.codec import Codec
from adapters.event_store import PostgresEventStore
from adapters.sealing import WrongMasterKeyError
from kernel.ports.event_store import NewSecret, Receipt
from tests.log_facts import (
    ALICE,
    BOB,
    FACTS,
    UPCASTS,
    command,
    named,
    new,
    stream,
    ticked,
)


pytestmark = pytest.mark.anyio


def rows(url, query):
    with psycopg.connect(url, autocommit=True) as db:
        return db.execute(query).fetchall()


async def test_no_personal_text_is_in_the_database(postgres_store, database_url):
    fact = named("Ada Lovelace", tags=("countess",))
    await postgres_store.append(command(*new(ALICE, 0, fact, owner=ALICE)))
    [(data, sealed)] = rows(database_url, "select data, sealed from events")
    for word in (b"Ada", b"Lovelace", b"countess"):
        assert word not in data
        assert word not in sealed
    assert (await postgres_store.load(ALICE)).facts == (fact,)


async def test_another_process_opens_them(postgres_store, second_store):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    assert (await second_store.load(ALICE)).facts == (named("Ada"),)
    [recorded] = await second_store.read(0, 10)
    assert recorded.fact == named("Ada")


async def test_a_field_whose_key_is_gone_reads_as_its_default(
    database_url, postgres_store, second_store
):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada", tags=("x",)), owner=ALICE)))
    await postgres_store.append(command(*new(BOB, 0, named("Bob"), owner=BOB)))
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("delete from keys where subject = %s", (ALICE,))
    assert (await second_store.load(ALICE)).facts == (named(None, tags=()),)
    assert (await second_store.load(BOB)).facts == (named("Bob"),)


async def test_a_fact_after_the_erasure_gets_a_new_key(database_url, postgres_store, second_store):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("delete from keys where subject = %s", (ALICE,))
    await second_store.append(command(*new(ALICE, 1, named("Grace"), owner=ALICE)))
    assert (await second_store.load(ALICE)).facts == (named(None), named("Grace"))


async def test_a_process_that_still_holds_an_erased_key_does_not_seal_with_it(
    database_url, postgres_store, second_store
):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("delete from keys where subject = %s", (ALICE,))
    await postgres_store.append(command(*new(ALICE, 1, named("Grace"), owner=ALICE)))
    assert (await second_store.load(ALICE)).facts == (named(None), named("Grace"))


async def test_sealed_bytes_do_not_open_in_another_place(
    database_url, postgres_store, second_store
):
    await postgres_store.append(command(*new(ALICE, 0, named("a"), named("b"), owner=ALICE)))
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("alter table events disable trigger all")
        db.execute("update events set sealed = (select sealed from events where version = 1)")
    assert (await second_store.load(ALICE)).facts == (named("a"), named(None))


async def test_all_processes_that_make_a_key_at_once_end_with_the_same(
    postgres_store, second_store
):
    for i in range(10):
        owner = stream(f"owner {i}")
        streams = [stream(f"owned {i} {j}") for j in range(20)]
        await asyncio.gather(
            *(
                (postgres_store, second_store)[j % 2].append(
                    command(*new(each, 0, named(f"name {j}"), owner=owner))
                )
                for j, each in enumerate(streams)
            )
        )
        for store in (postgres_store, second_store):
            found = await store.load_many(streams)
            assert [found[s].facts[0].name for s in streams] == [f"name {j}" for j in range(20)]


async def test_a_refused_command_leaves_no_key_that_others_rely_on(postgres_store, second_store):
    await postgres_store.append(command(*new(BOB, 0)))
    sent = [command(*new(BOB, 0, named("x"), owner=ALICE))]
    sent += [command(*new(stream(f"s{i}"), 0, named(f"n{i}"), owner=ALICE)) for i in range(5)]
    answers = await asyncio.gather(*map(postgres_store.append, sent), return_exceptions=True)
    assert [isinstance(answer, Exception) for answer in answers] == [True] + [False] * 5
    for i in range(5):
        assert (await second_store.load(stream(f"s{i}"))).facts == (named(f"n{i}"),)


async def test_two_keys_for_one_owner_do_not_meet_in_a_batch(postgres_store, second_store):
    """A refusal between two commands makes this process forget the key it just made."""
    packed = []
    for word in ("one", "two"):
        sent = command(*new(stream(word), 0, named(word), owner=ALICE))
        packed.append(await postgres_store._pack(sent))
        postgres_store.vault.forget(ALICE)
    append = postgres_store._appender.append
    answers = await asyncio.gather(*map(append, packed), return_exceptions=True)
    assert [type(answer) for answer in answers] == [Receipt, KeyRacedError]
    assert (await second_store.load(stream("one"))).facts == (named("one"),)


async def test_nothing_personal_needs_no_key(database_url, postgres_store):
    await postgres_store.append(command(*new(ALICE, 0, named(None), ticked(), owner=ALICE)))
    assert rows(database_url, "select * from keys") == []
    assert rows(database_url, "select sealed from events") == [(None,), (None,)]


async def test_secrets_are_sealed_and_can_be_dropped(database_url, postgres_store, second_store):
    secret = NewSecret(stream("secret"), b"whsec_clear")
    await postgres_store.append(command(*new(ALICE, 0), secrets=(secret,)))
    [(sealed,)] = rows(database_url, "select sealed from secrets")
    assert b"clear" not in sealed
    assert await second_store.secret(secret.id) == b"whsec_clear"
    await second_store.drop_secrets([secret.id])
    assert await postgres_store.secret(secret.id) is None


async def test_a_wrong_master_key_is_told_apart_from_an_erased_one(database_url, postgres_store):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    other = await PostgresEventStore.open(database_url, FACTS, UPCASTS, bytes(32))
    with pytest.raises(WrongMasterKeyError):
        await other.load(ALICE)
    await other.close()


def test_an_old_version_is_read_as_the_newest():
    codec = Codec(FACTS, UPCASTS)
    fact = codec.decode("test.ticked.v1", b'{"count":"7","at":"2026-03-01T12:00:00Z"}', None)
    assert fact == ticked(7)
    assert codec.newest("test.ticked.v1") == "test.ticked.v2"
