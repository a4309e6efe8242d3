"""The README does what it says: its shell blocks run in order, and show what it shows."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import running


pytestmark = [pytest.mark.postgres, pytest.mark.journey]

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(sh|json)\n(.*?)```", README, re.DOTALL)
END = "--- end of block ---"


def within(shown, actual):
    """Whether all that the README shows is in the answer."""
    if isinstance(shown, dict):
        return isinstance(actual, dict) and all(
            key in actual and within(value, actual[key]) for key, value in shown.items()
        )
    if isinstance(shown, list):
        return len(shown) <= len(actual) and all(map(within, shown, actual))
    return shown == actual


@pytest.fixture
def said(tmp_path):
    """What each shell block printed, run against a fresh engine."""
    if shutil.which("curl") is None:
        pytest.skip("the README uses curl")
    data = tmp_path / ".billstream"
    with running("up", "--port", "0", "--edge-port", "0", "--data-dir", data) as up:
        script = f"\necho '{END}'\n".join(text for kind, text in BLOCKS if kind == "sh")
        for written, real in {
            "http://localhost:8000": up.address("core"),
            "http://localhost:8001": up.address("edge"),
            "./billstream": f"{sys.executable} -m app",
            "examples/": f"{ROOT}/examples/",
        }.items():
            script = script.replace(written, real)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            env={
                "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
                "PYTHONPATH": str(ROOT),
                "BILLSTREAM_DATA_DIR": str(data),
                "BILLSTREAM_URL": up.address("core"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.split(f"{END}\n")


def test_it_opens_with_the_two_commands():
    first = README.index("```")
    assert README.index("./billstream up") < README.index("./billstream test") < first + 300


def test_every_block_shows_what_the_readme_shows(said):
    block = -1
    checked = 0
    for kind, text in BLOCKS:
        if kind == "sh":
            block += 1
        else:
            shown, actual = json.loads(text), json.loads(said[block])
            assert within(shown, actual), f"the README shows {shown}, the engine {actual}"
            checked += 1
    assert checked >= 7
    assert "0 differ" in said[-1]


def test_every_folder_on_the_map_is_there():
    named = re.findall(r"^\| ((?:`[\w.]+`(?:, )?)+) \|", README, re.MULTILINE)
    folders = {name for row in named for name in re.findall(r"`([\w.]+)`", row)}
    assert {"kernel", "app", "examples"} <= folders
    assert [name for name in folders if not name.isupper() and not (ROOT / name).exists()] == []
