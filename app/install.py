"""Install the locked dependencies into `.venv`; standard library only, run by the system's Python.

Two that start together take turns: the lock is the kernel's, so a killed installer leaves none.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path


ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCKS = ("requirements.lock", "requirements-dev.lock")

NO_VENV = """\
billstream: this python3 has no venv support, which billstream needs to install its dependencies.
  Debian, Ubuntu:  apt install python3-venv
  others:          the package that holds the modules `venv` and `ensurepip`"""


def main(lock: str) -> int:
    """Bring `.venv` to what `lock` says; exit code 0 when it is so."""
    if any(importlib.util.find_spec(name) is None for name in ("venv", "ensurepip")):
        say(NO_VENV)
        return 1
    try:
        VENV.mkdir(exist_ok=True)
        turn = (VENV / "install.turn").open("w")
    except OSError as error:
        say(f"billstream: cannot write {VENV}: {error.strerror}")
        return 1
    with turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        return 0 if installed(lock) else install(lock)


def installed(lock: str) -> bool:
    stamp = VENV / f"installed-{lock}"
    return (
        os.access(PYTHON, os.X_OK)
        and stamp.is_file()
        and stamp.read_bytes() == (ROOT / lock).read_bytes()
    )


def install(lock: str) -> int:
    say(f"billstream: installing {lock} into {VENV} (once)")
    for other in LOCKS:
        (VENV / f"installed-{other}").unlink(missing_ok=True)
    if not has_pip() and (code := run(os.path.realpath(sys.executable), "-m", "venv", str(VENV))):
        return code
    options = ["--require-hashes", "--no-input", "--disable-pip-version-check", "--quiet"]
    if code := run(
        str(PYTHON),
        *("-m", "pip", "install", *options, "--root-user-action", "ignore"),
        *("--requirement", str(ROOT / lock)),
    ):
        say("billstream: the installation failed, see above; run it again")
        return code
    shutil.copyfile(ROOT / lock, VENV / f"installed-{lock}")
    return 0


def has_pip() -> bool:
    if not os.access(PYTHON, os.X_OK):
        return False
    return run(str(PYTHON), "-c", "import pip") == 0


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def run(*command: str) -> int:
    """The exit code; what the program says goes where messages go."""
    return subprocess.run(command, check=False, stdout=sys.stderr).returncode  # noqa: S603 our own


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
