"""billstream's commands as real processes, as an operator starts them."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path


ROOT = Path(__file__).resolve().parents[1]
ADDRESS = re.compile(r"(core|edge) API +(http://\S+?)/api/v1/")
KEY = re.compile(r"(server|client) key +(\S+)")


class Process:
    """One running command and what it has said so far.

    Somebody always listens: one that nobody listens to stands still as soon as the pipe is full,
    and that is after a few tracebacks.
    """

    def __init__(self, *arguments, module="app", **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("BILLSTREAM_")}
        self.lines = []
        self.popen = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=ROOT,
            env={**environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self._settled = threading.Event()
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def _listen(self):
        with self.popen.stdout as said:
            for line in said:
                self.lines.append(line.rstrip("\n"))
                if line.startswith("ready "):
                    self._settled.set()
        self._settled.set()

    def until_ready(self, seconds=100):
        """Return at the line that begins with "ready "; fail with all that was said."""
        assert self._settled.wait(seconds), f"not ready in {seconds} s:\n{self.text}"
        assert self.ready, f"it ended before it was ready:\n{self.text}"
        return self

    @property
    def ready(self):
        """The line that begins with "ready ", once it was said."""
        return next((line for line in list(self.lines) if line.startswith("ready ")), None)

    @property
    def text(self):
        return "\n".join(self.lines)

    def address(self, api):
        return dict(ADDRESS.findall(self.text))[api]

    def keys(self):
        return dict(KEY.findall(self.text))

    def stop(self, number=signal.SIGTERM):
        """Send the signal; the exit code."""
        self.popen.send_signal(number)
        return self.end()

    def end(self, seconds=90):
        """Wait for the end, of what it started too; the exit code."""
        try:
            code = self.popen.wait(seconds)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"it did not end in {seconds} s:\n{self.text}") from late
        self._listening.join(seconds)
        assert not self._listening.is_alive(), "something it started is still there"
        return code


@contextmanager
def running(*arguments, **variables):
    """A command that is ready; it is killed at the end if it still runs."""
    process = Process(*arguments, **variables)
    try:
        yield process.until_ready()
    finally:
        process.popen.kill()
        process.end()


def children(pid):
    """The process ids below a process."""
    found = []
    with suppress(OSError):  # it may end while we look
        for task in Path("/proc", str(pid), "task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *children(int(child))]
    return found


def gone(pid):
    try:
        stat = Path("/proc", str(pid), "stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def until(condition, seconds=60):
    """Wait for the condition; what it found."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)
    return found
