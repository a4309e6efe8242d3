"""The master key comes from a setting or from a file that only its owner can read."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.sealing import master_key


def test_a_file_is_made_once_and_kept_private(tmp_path):
    file = tmp_path / "master.key"
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: master_key(None, file), range(8)))
    assert len(keys) == 1
    assert len(keys.pop()) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_the_setting_wins(tmp_path):
    key = bytes(range(32))
    assert master_key(base64.b64encode(key).decode(), tmp_path / "master.key") == key
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("setting", ["short", "!" * 44, base64.b64encode(bytes(31)).decode()])
def test_anything_but_32_bytes_is_refused(setting, tmp_path):
    with pytest.raises(ValueError, match="32 bytes"):
        master_key(setting, tmp_path / "master.key")
