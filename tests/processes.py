"""billstream's commands as real processes, as an operator starts them."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path


ROOT = Path(__file__).resolve().parents[1]
ADDRESS = re.compile(r"(core|edge) API +(http://\S+?)/api/v1/")
KEY = re.compile(r"(server|client) key +(\S+)")


class Process:
    """One running command and what it has said so far."""

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
        )

    def until_ready(self):
        """Return at the line that begins with "ready "; fail with all that was said."""
        for line in self.popen.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("ready "):
                return self
        raise AssertionError("\n".join(["it ended before it was ready:", *self.lines]))

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

    def end(self, seconds=60):
        """Wait for the end; the exit code."""
        rest, _ = self.popen.communicate(timeout=seconds)
        self.lines += rest.splitlines()
        return self.popen.returncode


@contextmanager
def running(*arguments, **variables):
    """A command that is ready; it is killed at the end if it still runs."""
    process = Process(*arguments, **variables)
    try:
        yield process.until_ready()
    finally:
        process.popen.kill()
        process.popen.communicate()


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
