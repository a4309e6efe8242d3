"""API keys: handed out once, known by their digest, ended for good."""

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from aggregates.api_key import decide
from aggregates.api_key.events import KeyKind
from aggregates.api_key.secret import environment_of, keep, spell
from aggregates.api_key.state import API_KEY, ApiKey
from kernel.errors import InvalidFields
from kernel.tenant import Environment


MARCH_1 = datetime(2026, 3, 1, tzinfo=UTC)
APRIL_1 = datetime(2026, 4, 1, tzinfo=UTC)
KEY = spell(KeyKind.SERVER, Environment.SANDBOX, bytes(range(32)))


def issued(*, expires_at=None, state=None):
    return decide.issue(
        state or ApiKey(),
        kind=KeyKind.SERVER,
        name="ci",
        kept=keep(KEY),
        expires_at=expires_at,
        at=MARCH_1,
    )


def test_a_key_is_spelled_with_kind_environment_and_43_characters():
    kind, environment, rest = KEY.split("_", 2)
    assert (kind, environment, len(rest)) == ("server", "sandbox", 43)
    assert environment_of(KEY) is Environment.SANDBOX


def test_the_environment_of_a_foreign_spelling_is_unknown():
    assert environment_of("sk_test_123") is None
    assert environment_of("server_staging_x") is None
    assert environment_of("") is None


def test_a_key_is_never_made_of_less_than_256_bits():
    with pytest.raises(ValueError, match="256"):
        spell(KeyKind.SERVER, Environment.SANDBOX, b"short")


def test_facts_know_the_digest_and_the_last_characters_only():
    (fact,) = issued()
    assert fact.digest == hashlib.sha256(KEY.encode()).hexdigest()
    assert KEY.endswith(fact.hint)
    assert KEY not in repr(fact)


def test_a_key_finds_its_own_stream():
    assert keep(KEY).id == UUID(bytes=hashlib.sha256(KEY.encode()).digest()[:16])


def test_a_key_is_handed_out_once():
    with pytest.raises(decide.ApiKeyTaken):
        issued(state=API_KEY.of(issued()))


def test_a_key_works_until_it_expires():
    state = API_KEY.of(issued(expires_at=APRIL_1))
    assert state.works_at(APRIL_1 - timedelta(microseconds=1))
    assert not state.works_at(APRIL_1)


def test_a_key_cannot_be_born_expired():
    with pytest.raises(InvalidFields):
        issued(expires_at=MARCH_1)


def test_the_expiry_can_be_moved_and_taken_away():
    state = API_KEY.of(issued())
    facts = decide.expire(state, expires_at=APRIL_1, at=MARCH_1)
    limited = API_KEY.evolve(state, facts[0])
    assert not limited.works_at(APRIL_1)
    assert decide.expire(limited, expires_at=APRIL_1, at=MARCH_1) == []
    endless = API_KEY.evolve(limited, decide.expire(limited, expires_at=None, at=MARCH_1)[0])
    assert endless.works_at(APRIL_1)
    with pytest.raises(InvalidFields):
        decide.expire(state, expires_at=MARCH_1, at=APRIL_1)


def test_a_revoked_key_never_works_again():
    state = API_KEY.of(issued())
    revoked = API_KEY.evolve(state, decide.revoke(state, at=MARCH_1)[0])
    assert not revoked.works_at(MARCH_1)
    with pytest.raises(decide.ApiKeyNotFound):
        decide.revoke(revoked, at=MARCH_1)
    with pytest.raises(decide.ApiKeyNotFound):
        decide.rename(revoked, name="x", at=MARCH_1)
    with pytest.raises(decide.ApiKeyTaken):
        issued(state=revoked)


def test_a_name_changes_once():
    state = API_KEY.of(issued())
    renamed = API_KEY.evolve(state, decide.rename(state, name="deploy", at=MARCH_1)[0])
    assert renamed.name == "deploy"
    assert decide.rename(renamed, name="deploy", at=MARCH_1) == []


def test_no_key_at_all_opens_nothing():
    assert not ApiKey().works_at(MARCH_1)
