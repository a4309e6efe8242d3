"""`replay views` and `replay verify`, beside a running `up` and without one."""

import httpx
import psycopg
import pytest

from tests.patient import Patient
from tests.processes import Process, running


pytestmark = [pytest.mark.postgres, pytest.mark.journey]


def test_views_are_rebuilt_and_verified_from_the_command_line(tmp_path):
    def replay(*arguments):
        process = Process("replay", *arguments, "--data-dir", tmp_path)
        return process.end(), process.text

    with running("up", "--port", "0", "--edge-port", "0", "--data-dir", tmp_path) as up:
        made = Process("keys", "create", "--kind", "server", "--data-dir", tmp_path)
        assert made.end() == 0
        with httpx.Client(
            base_url=f"{up.address('core')}/api/v1",
            headers={"Authorization": f"Bearer {made.text}"},
            timeout=60,
            transport=Patient(),
        ) as client:
            assert client.post("/customers/", json={"customerId": "ada"}).status_code in (200, 201)
            code, said = replay("views")
            assert (code, "rebuilt" in said) == (0, True)
            assert client.get("/customers/ada/").status_code == 200
            code, said = replay("verify")
            assert (code, ": 0 differ" in said) == (0, True)
            damage(tmp_path)
            code, said = replay("verify", "--view", "customers")
            assert code == 1
            assert "customers" in said
            assert replay("views", "--view", "customers")[0] == 0
            assert replay("verify")[0] == 0
            code, said = replay("views", "--view", "nothing")
            assert (code, "There is no view" in said) == (1, True)
    code, said = replay("verify")
    assert (code, ": 0 differ" in said) == (0, True)


def damage(data_dir):
    from adapters.postgres_folder import Folder  # noqa: PLC0415 an optional part
    from app.data_dir import DataDir  # noqa: PLC0415 an optional part

    url = Folder(DataDir(data_dir).postgres).url("billstream_sandbox")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("update views.customers set body = 'damaged'")
