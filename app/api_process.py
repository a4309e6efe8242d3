"""One of the processes that serve the addresses of `up --workers N`.

It takes the listening sockets of its parent, and ends with it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys

from app import documents, settings
from app.front import Front, beside
from app.polling import Polling
from app.serve import run
from app.serving import Http, Part
from app.wiring import Engine


PR_SET_PDEATHSIG = 1
READY = "ready"


def main(parent: int, core_fd: int, edge_fd: int) -> int:
    """Serve both addresses until a signal or the parent's end; the exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        return 1
    core, edge = socket.socket(fileno=core_fd), socket.socket(fileno=edge_fd)

    def parts(engine: Engine) -> list[Part]:
        polling = Polling(engine.pool, engine.positions, engine.place.read_url)
        return [polling, *apis(engine, core, edge)]

    def ready() -> None:
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()

    return 0 if run(settings.read(), parts, ready) else 1


def apis(engine: Engine, core: socket.socket, edge: socket.socket) -> list[Part]:
    """Both APIs, each on its socket."""
    core_app = Front(engine.core_app(engine.keys), beside(documents.core), engine.pages_app())
    edge_app = Front(engine.edge_app(engine.keys), beside(documents.edge))
    served: list[Part] = [Http(edge_app, edge), Http(core_app, core)]
    return [*served, engine.feed.following]  # stopped first: it ends what is streamed


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
