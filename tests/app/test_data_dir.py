"""One `up` per folder, and secrets that only its owner reads."""

import base64
import subprocess
import sys

import pytest

from adapters.cannot_start import CannotStart
from app import settings
from app.data_dir import DataDir


HOLDER = """
import pathlib, sys
from app.data_dir import DataDir
with DataDir(pathlib.Path(sys.argv[1])).owned():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_one_is_refused_until_the_first_is_gone_even_killed(tmp_path):
    folder = DataDir(tmp_path)
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    first.stdout.readline()
    with pytest.raises(CannotStart, match=f"process {first.pid}"), folder.owned():
        pass
    first.kill()
    first.communicate()
    with folder.owned():
        assert (tmp_path / "up.lock").read_text().isdigit()


def test_the_master_key_is_made_once_and_kept_secret(tmp_path):
    folder = DataDir(tmp_path)
    first = folder.master_key(settings.read({}))
    assert len(first) == 32
    assert folder.master_key(settings.read({})) == first
    assert (tmp_path / "master.key").stat().st_mode & 0o777 == 0o600


def test_a_given_master_key_is_used_and_not_kept(tmp_path):
    given = settings.read({"BILLSTREAM_MASTER_KEY": base64.b64encode(b"\xab" * 32).decode()})
    assert DataDir(tmp_path).master_key(given) == b"\xab" * 32
    assert not (tmp_path / "master.key").exists()


def test_a_short_master_key_is_refused(tmp_path):
    with pytest.raises(CannotStart, match="32 bytes in base64"):
        DataDir(tmp_path).master_key(settings.read({"BILLSTREAM_MASTER_KEY": "abcd"}))


def test_keys_are_kept_for_their_owner_alone(tmp_path):
    folder = DataDir(tmp_path / "deep")
    assert folder.read_keys() == {}
    folder.write_keys({"server": "s"})
    assert folder.read_keys() == {"server": "s"}
    assert folder.keys.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.path.iterdir()] == ["keys.json"]
