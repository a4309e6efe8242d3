"""The processes that benchmarks speak to: a whole `up`, and the reference apps."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


ADDRESS = re.compile(r"(core|edge) API +(http://\S+?)/api/v1/")


@dataclass(frozen=True, slots=True)
class Served:
    """Where a running `up` is reached, and its keys."""

    core: str
    edge: str
    server_key: str
    client_key: str
    data_dir: Path

    @property
    def headers(self) -> dict[str, str]:
        """What a server-side client sends."""
        return {"Authorization": f"Bearer {self.server_key}"}


@contextmanager
def up() -> Iterator[Served]:
    """A fresh engine in a process of its own, with an empty database."""
    keys = {kind: f"{kind}_sandbox_{secrets.token_urlsafe(32)}" for kind in ("server", "client")}
    with tempfile.TemporaryDirectory(prefix="bs-") as folder:
        data_dir = Path(folder) / "data"
        arguments = ["up", "--port", "0", "--edge-port", "0", "--data-dir", str(data_dir)]
        variables = {f"BILLSTREAM_{kind.upper()}_KEY": key for kind, key in keys.items()}
        with process(["-m", "app", *arguments], variables) as said:
            found = dict(ADDRESS.findall("\n".join(said)))
            yield Served(
                _loopback(found["core"]),
                _loopback(found["edge"]),
                keys["server"],
                keys["client"],
                data_dir,
            )


@contextmanager
def process(arguments: list[str], variables: dict[str, str]) -> Iterator[list[str]]:
    """A Python process that says "ready " when it is; what it said until then."""
    child = subprocess.Popen(  # noqa: S603 - our own modules
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield _until_ready(child)
    finally:
        child.terminate()
        child.wait(timeout=60)
        if child.stdout is not None:
            child.stdout.close()


def _until_ready(child: subprocess.Popen[str]) -> list[str]:
    said: list[str] = []
    for line in child.stdout or ():
        said.append(line.rstrip())
        if line.startswith("ready "):
            return said
    raise RuntimeError("\n".join(["it ended before it was ready:", *said]))


def _loopback(address: str) -> str:
    return address.replace("localhost", "127.0.0.1")
