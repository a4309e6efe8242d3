"""`./billstream` on machines that lack something: a clear message and a code that is not zero."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "readlink", "cmp", "env")


@pytest.fixture
def clone(tmp_path):
    """The script and its locks in an empty folder, with nothing on the PATH but a few tools."""
    for name in ("billstream", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "app").mkdir()
    shutil.copy(ROOT / "app" / "install.py", tmp_path / "app" / "install.py")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name))
    return tmp_path


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def start(clone: Path, *arguments: str, **options):
    return subprocess.run(
        [clone / "billstream", *arguments],
        check=False,
        env={"PATH": str(clone / "bin")},
        capture_output=True,
        text=True,
        timeout=30,
        **options,
    )


def test_no_python_is_said(clone):
    done = start(clone, "up")
    assert done.returncode == 1
    assert "needs python3, version 3.11 or newer" in done.stderr


def test_an_old_python_is_said_with_its_version(clone):
    program(clone / "bin" / "python3", '[ "$1" = --version ] && echo Python 3.9.2; exit 1')
    done = start(clone, "up")
    assert done.returncode == 1
    assert "found Python 3.9.2" in done.stderr


def test_a_python_without_venv_is_told_what_to_install(clone):
    real = os.path.realpath(sys.executable)
    hide = "import importlib.util as u, runpy, sys; f = u.find_spec; sys.argv = sys.argv[1:]; "
    hide += "u.find_spec = lambda n: None if n == 'ensurepip' else f(n); "
    hide += "runpy.run_path(sys.argv[0], run_name='__main__')"
    program(
        clone / "bin" / "python3",
        f'[ "$1" = -c ] && exec {real} "$@"; exec {real} -c "{hide}" "$@"',
    )
    done = start(clone, "up")
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr


def test_an_installed_lock_is_not_installed_again(clone):
    program(clone / ".venv" / "bin" / "python", 'echo "$PWD" "$@"')
    shutil.copy(
        clone / "requirements-dev.lock", clone / ".venv" / "installed-requirements-dev.lock"
    )
    elsewhere = clone / "elsewhere"
    elsewhere.mkdir()
    done = start(clone, "keys", "a b", cwd=elsewhere)
    assert (done.returncode, done.stdout) == (0, f"{elsewhere} -P -m app keys a b\n")


def test_it_starts_through_a_link(clone):
    program(clone / ".venv" / "bin" / "python", 'echo "$PYTHONPATH"')
    shutil.copy(clone / "requirements.lock", clone / ".venv" / "installed-requirements.lock")
    link = clone / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(os.path.relpath(clone / "billstream", link.parent))
    done = subprocess.run(
        [link],
        check=False,
        env={"PATH": str(clone / "bin")},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout == f"{clone}\n"
