"""`organizations create` and `keys create`, with and without a running `up`."""

import httpx
import pytest

from tests.processes import Process, running


pytestmark = [pytest.mark.postgres, pytest.mark.journey]


@pytest.fixture
def verb(empty_database_url, tmp_path):
    """Run a verb to its end: exit code and what it said."""

    def verb(*arguments):
        process = Process(
            *arguments,
            BILLSTREAM_DATABASE_URL=empty_database_url,
            BILLSTREAM_DATA_DIR=str(tmp_path),
        )
        code = process.end()
        return code, process.text

    return verb


def test_an_organization_is_begun_once(verb):
    assert verb("organizations", "create", "acme", "--merchant-of-record") == (0, "acme")
    code, said = verb("organizations", "create", "acme")
    assert (code, said) == (1, "billstream: the organization acme is there already")


def test_a_slug_must_be_spelled_well(verb):
    code, said = verb("organizations", "create", "Ac me")
    assert code == 1
    assert "slug" in said


def test_a_key_is_printed_alone(verb):
    verb("organizations", "create", "acme")
    code, key = verb("keys", "create", "--kind", "client", "--organization", "acme")
    assert code == 0
    assert key.startswith("client_sandbox_")
    assert len(key.split()) == 1


def test_a_key_needs_an_organization(verb):
    code, said = verb("keys", "create", "--kind", "server", "--organization", "nobody")
    assert (code, said) == (1, "billstream: there is no organization nobody")


def test_a_key_made_beside_a_running_engine_opens_it_at_once(tmp_path):
    with running("up", "--port", "0", "--edge-port", "0", "--data-dir", tmp_path) as up:
        made = Process("keys", "create", "--kind", "server", "--data-dir", tmp_path)
        assert made.end() == 0
        answer = httpx.get(
            f"{up.address('core')}/api/v1/customers/",
            headers={"Authorization": f"Bearer {made.text}"},
            timeout=60,
        )
        assert answer.status_code == 200


def test_keys_are_listed_given_an_end_and_revoked(verb):
    verb("organizations", "create", "acme")
    here = ("--organization", "acme")
    _, key = verb("keys", "create", "--kind", "server", "--name", "ci runner", *here)
    code, line = verb("keys", "list", *here)
    assert code == 0
    key_id, kind, hint, *rest = line.split()
    assert (kind, hint, " ".join(rest)) == ("server", f"...{key[-4:]}", "never expires ci runner")
    assert verb("keys", "expire", key_id, "--at", "2099-01-01T00:00:00", *here) == (0, "")
    assert "2099-01-01T00:00:00Z" in verb("keys", "list", *here)[1]
    assert verb("keys", "revoke", key_id, *here) == (0, "")
    assert verb("keys", "list", *here) == (0, "")
