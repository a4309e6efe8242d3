"""`up`: ready from nothing, stopped without a rest, and back after a kill with all it confirmed."""

import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.patient import Patient
from tests.processes import Process, children, gone, running, until


pytestmark = [pytest.mark.postgres, pytest.mark.journey]

ANY_PORTS = ("--port", "0", "--edge-port", "0")
ADA = {"customerId": "ada", "name": "Ada", "email": "ada@example.com"}


@pytest.fixture
def up(tmp_path):
    """Start it over the folder of this test."""

    def up(*arguments, **variables):
        return running("up", *ANY_PORTS, "--data-dir", tmp_path / "data", *arguments, **variables)

    return up


def client(process):
    headers = {"Authorization": f"Bearer {process.keys()['server']}"}
    address = f"{process.address('core')}/api/v1"
    return httpx.Client(base_url=address, headers=headers, timeout=60, transport=Patient())


def test_what_was_confirmed_survives_a_kill_and_nothing_is_left_running(up, tmp_path):
    with up() as process:
        with client(process) as api:
            assert api.post("/customers/", json=ADA).status_code == 201
        below = children(process.popen.pid)
        assert process.stop(signal.SIGKILL) == -signal.SIGKILL
        assert below
        until(lambda: all(map(gone, below)))
    with up() as process, client(process) as api:
        assert api.get("/customers/ada/").json()["name"] == "Ada"
        kept = tmp_path / "data" / "keys.json"
        assert json.loads(kept.read_text()) == process.keys()
        assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_all_of_it_with_code_0(up, number):
    with up() as process:
        below = children(process.popen.pid)
        assert process.stop(number) == 0
        assert all(map(gone, below))
        assert "Traceback" not in process.text


def test_a_second_one_over_the_same_folder_is_refused(up, tmp_path):
    with up() as first:
        second = Process("up", *ANY_PORTS, "--data-dir", tmp_path / "data")
        assert second.end() == 1
        assert f"already runs on {tmp_path / 'data'} (process {first.popen.pid})" in second.text


def test_a_port_in_use_is_told(up, tmp_path):
    with up() as first:
        port = first.address("core").rpartition(":")[2]
        second = Process("up", "--port", port, "--data-dir", tmp_path / "other")
        assert second.end() == 1
        assert f"port {port} is in use" in second.text


def test_given_keys_open_the_first_organization(up):
    given = {
        "BILLSTREAM_SERVER_KEY": "server_sandbox_of_the_robot",
        "BILLSTREAM_CLIENT_KEY": "client_sandbox_of_the_robot",
    }
    with up(**given) as process, client(process) as api:
        assert process.keys()["server"] == "server_sandbox_of_the_robot"
        assert api.get("/customers/").status_code == 200


def test_a_given_key_of_the_other_environment_is_refused(tmp_path):
    process = Process(
        *("up", *ANY_PORTS, "--data-dir", tmp_path / "data"),
        BILLSTREAM_SERVER_KEY="server_production_x",
    )
    assert process.end() == 1
    assert "begins with server_sandbox_" in process.text


def test_production_shows_its_keys_once(up, tmp_path):
    with up("--environment", "production") as process:
        assert process.keys()["server"].startswith("server_production_")
        process.stop()
    with up("--environment", "production") as process:
        assert process.keys() == {}
    assert not (tmp_path / "data" / "keys.json").exists()


def test_with_workers_several_processes_serve_and_one_that_dies_is_followed_by_another(up):
    with up("--workers", "2") as process:
        apis = [pid for pid in children(process.popen.pid) if command(pid) == "app.api_process"]
        assert len(apis) == 2
        with client(process) as api:
            for number in range(20):
                made = api.post("/customers/", json={**ADA, "customerId": f"c{number}"})
                assert made.status_code == 201
                position = {"Billstream-Position": made.headers["Billstream-Position"]}
                assert api.get("/customers/", headers=position).json()["count"] == number + 1
        page = httpx.get(f"{process.address('core')}/pay/nothing", timeout=60)
        assert (page.status_code, "There is nothing here" in page.text) == (404, True)
        os.kill(apis[0], signal.SIGKILL)
        until(lambda: len([p for p in children(process.popen.pid) if is_api(p, apis[0])]) == 2)
        below = children(process.popen.pid)
        assert process.stop() == 0
        assert all(map(gone, below))


def command(pid):
    words = b""
    with suppress(OSError):  # it may end while we look
        words = Path("/proc", str(pid), "cmdline").read_bytes()
    return next((word for word in words.decode().split("\0") if word.startswith("app.")), "")


def is_api(pid, dead):
    return pid != dead and command(pid) == "app.api_process"


def test_a_killed_database_comes_back_and_so_do_the_apis(up):
    with up() as process, client(process) as api:
        assert api.post("/customers/", json=ADA).status_code == 201
        server = next(pid for pid in children(process.popen.pid) if is_postmaster(pid))
        os.kill(server, signal.SIGKILL)
        until(
            lambda: (
                api.get("/customers/ada/").status_code == 200 and server_changed(process, server)
            )
        )
        grace = {**ADA, "customerId": "grace"}
        until(lambda: api.post("/customers/", json=grace).status_code in {201, 409})
        assert api.get("/customers/").json()["count"] == 2
        assert process.stop() == 0


def is_postmaster(pid):
    with suppress(OSError):  # it may end while we look
        return b"unix_socket_directories" in Path("/proc", str(pid), "cmdline").read_bytes()
    return False


def server_changed(process, before):
    return any(is_postmaster(p) and p != before for p in children(process.popen.pid))


def test_a_signal_before_it_is_ready_leaves_nothing_behind(tmp_path):
    process = Process("up", *ANY_PORTS, "--data-dir", tmp_path / "data")
    server = until(lambda: next(filter(is_postmaster, children(process.popen.pid)), None))
    assert process.stop() != 0
    until(lambda: gone(server))
    with running("up", *ANY_PORTS, "--data-dir", tmp_path / "data") as again:
        assert again.stop() == 0
