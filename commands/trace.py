"""Lets whoever runs reactions inline see what the commands in between came to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar


T = TypeVar("T")


class Trace(Generic[T]):
    """Collects what is reported within ``collecting``, also from tasks begun there."""

    def __init__(self, name: str) -> None:
        """Name it for debuggers."""
        self._found: ContextVar[list[T] | None] = ContextVar(name, default=None)

    def report(self, value: T) -> None:
        """Tell the collector, if there is one."""
        found = self._found.get()
        if found is not None:
            found.append(value)

    @contextmanager
    def collecting(self) -> Iterator[list[T]]:
        """What is reported from here on, in order."""
        found: list[T] = []
        token = self._found.set(found)
        try:
            yield found
        finally:
            self._found.reset(token)
