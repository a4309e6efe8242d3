"""The embedded server: it dies with its owner, rises after a kill, and keeps what was confirmed."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from adapters import postgres_account
from adapters.cannot_start import CannotStart
from adapters.embedded_postgres import EmbeddedPostgres
from adapters.postgres_folder import SOCKET_PATH_LIMIT, Folder
from tests.processes import gone, until


pytestmark = pytest.mark.postgres

OWNER = """
import sys, time, pathlib
from adapters.embedded_postgres import EmbeddedPostgres
server = EmbeddedPostgres(pathlib.Path(sys.argv[1]))
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


def insert(server):
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (at timestamptz DEFAULT now())")
        connection.execute("INSERT INTO kept DEFAULT VALUES")


def count(server):
    with psycopg.connect(server.url()) as connection:
        return connection.execute("SELECT count(*) FROM kept").fetchone()[0]


def answers(server):
    try:
        return count(server)
    except psycopg.OperationalError:
        return None


@pytest.fixture
def owner(tmp_path):
    """A process that owns a server over `tmp_path`, and the server's process id."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, tmp_path / "pg"], stdout=subprocess.PIPE, text=True
    )
    yield process, int(process.stdout.readline())
    process.kill()
    process.communicate()


def test_stopped_and_started_again_it_keeps_its_rows(tmp_path):
    for rows in (1, 2):
        with EmbeddedPostgres(tmp_path / "pg") as server:
            pid = server.pid
            insert(server)
            assert count(server) == rows
        assert gone(pid)


def test_it_dies_with_a_killed_owner_and_the_next_one_recovers(tmp_path, owner):
    process, pid = owner
    insert(EmbeddedPostgres(tmp_path / "pg"))
    process.kill()
    process.wait()
    with EmbeddedPostgres(tmp_path / "pg") as server:
        assert count(server) == 1
        assert gone(pid)


def test_a_killed_server_rises_again(tmp_path):
    with EmbeddedPostgres(tmp_path / "pg") as server:
        insert(server)
        killed = server.pid
        os.kill(killed, signal.SIGKILL)
        until(lambda: server.pid != killed and answers(server) == 1)


def test_a_second_owner_is_refused_with_the_process_of_the_first(tmp_path, owner):
    process, _ = owner
    with pytest.raises(CannotStart, match=f"already runs on {tmp_path} .process {process.pid}"):
        EmbeddedPostgres(tmp_path / "pg").start()
    assert Folder(tmp_path / "pg").running()


def test_the_process_id_of_a_stranger_in_a_stale_file_does_no_harm(tmp_path):
    with EmbeddedPostgres(tmp_path / "pg") as server:
        insert(server)
    (tmp_path / "pg" / "data" / "postmaster.pid").write_text(f"{os.getppid()}\n/elsewhere\n")
    with EmbeddedPostgres(tmp_path / "pg") as server:
        assert count(server) == 1


def test_data_of_another_major_version_are_refused(tmp_path):
    with EmbeddedPostgres(tmp_path / "pg"):
        pass
    (tmp_path / "pg" / "data" / "PG_VERSION").write_text("9\n")
    with pytest.raises(CannotStart, match="made by PostgreSQL 9"):
        EmbeddedPostgres(tmp_path / "pg").start()
    assert not Folder(tmp_path / "pg").running()


def test_a_half_made_cluster_is_made_again(tmp_path):
    (tmp_path / "pg" / "data.new" / "base").mkdir(parents=True)
    with EmbeddedPostgres(tmp_path / "pg") as server:
        insert(server)


def test_a_broken_configuration_is_told_with_the_end_of_the_log(tmp_path):
    with EmbeddedPostgres(tmp_path / "pg"):
        pass
    with (tmp_path / "pg" / "data" / "postgresql.conf").open("a") as configuration:
        configuration.write("no_such_setting = 1\n")
    with pytest.raises(CannotStart, match="no_such_setting"):
        EmbeddedPostgres(tmp_path / "pg").start()


def test_a_deep_folder_gets_a_socket_of_a_short_path_that_is_ours_alone(tmp_path):
    deep = tmp_path / ("d" * 100)
    with EmbeddedPostgres(deep) as server:
        insert(server)
        socket = server.folder.socket
        assert len(os.fsencode(socket / ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT
        assert socket.stat().st_mode & 0o777 == 0o700
    assert not socket.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_without_user_namespaces_another_account_runs_it(monkeypatch):
    monkeypatch.setattr(postgres_account, "USER_NAMESPACE", ("false",))
    with tempfile.TemporaryDirectory(prefix="bs-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        with EmbeddedPostgres(path / "pg") as server:
            insert(server)
            assert Path("/proc", str(server.pid)).stat().st_uid != 0
        monkeypatch.undo()
        with EmbeddedPostgres(path / "pg") as server:
            assert count(server) == 1, "the data stay with the account that made them"
            assert Path("/proc", str(server.pid)).stat().st_uid != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_with_no_way_around_it_the_message_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(postgres_account, "USER_NAMESPACE", ("false",))
    monkeypatch.setattr(postgres_account, "plain_accounts", lambda _: [])
    with pytest.raises(CannotStart, match="BILLSTREAM_DATABASE_URL"):
        EmbeddedPostgres(tmp_path / "pg").start()
