"""The sockets a process listens on, bound before anything else starts."""

from __future__ import annotations

import errno
import socket

from adapters.cannot_start import CannotStart


BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one.

    :raises CannotStart: the port is taken, or not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            reason = f"port {port} is in use: choose another with --port or --edge-port"
        else:
            reason = f"cannot listen on {host} port {port}: {error.strerror}"
        raise CannotStart(reason) from error
    return listener


def address(listener: socket.socket) -> str:
    """Where a client reaches the socket."""
    host, port = listener.getsockname()[:2]
    name = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host  # noqa: S104
    return f"http://{name}:{port}"
