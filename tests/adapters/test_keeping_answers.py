"""The answers of requests with an Idempotency-Key: kept once, sealed, secrets for a day."""

import psycopg
import pytest

from adapters import answers
from kernel.ports.event_store import IdempotencyClaim
from tests.log_facts import ALICE, ORGANIZATION, command, named, new, ticked


pytestmark = pytest.mark.anyio
CLAIM = IdempotencyClaim(b"key", b"request")
OTHER = IdempotencyClaim(b"other", b"request")


@pytest.fixture
async def receipt(postgres_store):
    return await postgres_store.append(
        command(*new(ALICE, 0, named("Ada"), owner=ALICE), idempotency=CLAIM)
    )


def change(url, statement):
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(statement)


async def test_a_free_key_has_no_answer(postgres_store):
    assert await postgres_store.answers.find(ORGANIZATION, b"key") is None


async def test_until_it_is_answered_it_says_where_the_facts_are(postgres_store, receipt):
    kept = await postgres_store.answers.find(ORGANIZATION, b"key")
    assert (kept.request, kept.position, kept.status) == (b"request", receipt.last, None)
    assert not kept.erased


@pytest.mark.usefixtures("receipt")
async def test_the_first_answer_stays(postgres_store, second_store):
    for body in (b'{"name": "Ada"}', b"later"):
        await postgres_store.answers.keep(ORGANIZATION, b"key", status=201, body=body, secret=False)
    kept = await second_store.answers.find(ORGANIZATION, b"key")
    assert (kept.status, kept.body) == (201, b'{"name": "Ada"}')


@pytest.mark.usefixtures("receipt")
async def test_the_answer_is_erased_with_the_key_of_its_customer(
    postgres_store, second_store, database_url
):
    await postgres_store.answers.keep(ORGANIZATION, b"key", status=201, body=b"Ada", secret=False)
    change(database_url, "delete from keys")
    kept = await second_store.answers.find(ORGANIZATION, b"key")
    assert kept.erased
    assert kept.body is None


async def test_an_owner_without_personal_facts_gets_a_key_for_it(postgres_store, second_store):
    await postgres_store.append(command(*new(ALICE, 0, ticked()), idempotency=CLAIM))
    await postgres_store.answers.keep(ORGANIZATION, b"key", status=200, body=b"ok", secret=False)
    kept = await second_store.answers.find(ORGANIZATION, b"key")
    assert kept.body == b"ok"


@pytest.mark.usefixtures("receipt")
async def test_a_secret_answer_is_made_anew_after_a_day(postgres_store, database_url):
    kept_answers = postgres_store.answers
    await kept_answers.keep(ORGANIZATION, b"key", status=201, body=b"whsec_1", secret=True)
    assert (await kept_answers.find(ORGANIZATION, b"key")).body == b"whsec_1"
    assert await kept_answers.drop_secrets() == 0
    change(database_url, "update idempotency set secret_until = now() - interval '1 second'")
    assert (await kept_answers.find(ORGANIZATION, b"key")).status is None
    assert await kept_answers.drop_secrets() == 1
    await kept_answers.keep(ORGANIZATION, b"key", status=201, body=b"null", secret=True)
    assert (await kept_answers.find(ORGANIZATION, b"key")).body == b"null"


async def test_nothing_is_kept_for_a_key_that_was_never_claimed(postgres_store):
    await postgres_store.answers.keep(ORGANIZATION, b"key", status=200, body=b"x", secret=False)
    assert await postgres_store.answers.find(ORGANIZATION, b"key") is None


@pytest.mark.usefixtures("receipt")
async def test_secrets_whose_day_is_over_are_removed_when_another_is_kept(
    postgres_store, database_url, monkeypatch
):
    monkeypatch.setattr(answers, "SWEEP_SECONDS", 0.0)
    other = command(*new(ALICE, 1, named("Ada"), owner=ALICE), idempotency=OTHER)
    await postgres_store.append(other)
    keep = postgres_store.answers.keep
    await keep(ORGANIZATION, b"key", status=201, body=b"whsec_1", secret=True)
    change(database_url, "update idempotency set secret_until = now() - interval '1 second'")
    await keep(ORGANIZATION, b"other", status=201, body=b"whsec_2", secret=True)
    with psycopg.connect(database_url) as db:
        left = db.execute("select key from idempotency where body is not null").fetchall()
    assert left == [(b"other",)]
