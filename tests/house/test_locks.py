"""The locks are whole, hashed, and name no place to download from."""

import re
import tomllib
from pathlib import Path

import pytest


ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNTIME = PROJECT["project"]["dependencies"]
DEV = PROJECT["dependency-groups"]["dev"]
PIN = re.compile(
    r"^([a-z0-9_.-]+)==([^ ;\\]+)(.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)+)$", re.MULTILINE
)


def pins(name: str) -> dict[str, str]:
    return {pin: version for pin, version, _ in PIN.findall((ROOT / name).read_text())}


def names(requirements) -> set[str]:
    return {re.match(r"[A-Za-z0-9_.-]+", line)[0].lower() for line in requirements}


def test_everything_asked_for_is_locked():
    assert names(RUNTIME) <= pins("requirements.lock").keys()
    assert names(DEV) <= pins("requirements-dev.lock").keys()


def test_both_locks_agree():
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_pin_has_hashes_and_no_address_is_named(name):
    text = (ROOT / name).read_text()
    assert len(PIN.findall(text)) == len(re.findall(r"^\S", text, re.MULTILINE))
    assert "://" not in text
    assert "--index" not in text
