"""A test that lacks a part is skipped aloud, and fails where the part is required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


ROOT = Path(__file__).resolve().parents[2]
NEEDY = "import pytest\n\n@pytest.mark.kafka\ndef test_it():\n    pass\n"


@pytest.fixture
def run():
    """Run one test that needs Kafka, on a machine without, under the given requirement."""

    def run(require):
        folder = ROOT / "tests" / "house"
        path = folder / f"needy_{os.getpid()}.py"
        path.write_text(NEEDY)
        environment = {k: v for k, v in os.environ.items() if "KAFKA" not in k}
        environment["PATH"] = ""  # nothing to start a broker with
        try:
            return subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", path],
                cwd=ROOT,
                env={**environment, "BILLSTREAM_REQUIRE": require},
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            path.unlink()

    return run


def test_it_is_skipped_and_counted_aloud(run):
    done = run("")
    assert done.returncode == 0
    assert "NOT RUN: 1 tests need kafka" in done.stdout


def test_it_fails_where_the_part_is_required(run):
    done = run("kafka")
    assert done.returncode == 1
    assert "kafka is required here" in done.stdout


def test_a_misspelled_part_is_refused(run):
    done = run("kakfa")
    assert done.returncode == 4
    assert "kakfa" in done.stderr
