"""A view: its tables and its writers, one per fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.table import Table


F = TypeVar("F")
Writer = Callable[[Documents, Recorded, Any], None]
Loads = Callable[[Recorded, Any], Iterable[tuple[Table, Any]]]


class View:
    """One read model: what it keeps, and how each fact changes it.

    ``version`` goes up when the same facts shall make other rows: the view is then rebuilt at the
    next start.
    """

    def __init__(self, name: str, *tables: Table, version: int = 1) -> None:
        """Name the view and its tables; the first table is the one that facts' streams key."""
        self.name = name
        self.tables = tables
        self.version = version
        self.writers: dict[type, tuple[Writer, Loads]] = {}

    def on(
        self, *facts: type[F], loads: Loads | None = None
    ) -> Callable[
        [Callable[[Documents, Recorded, F], None]], Callable[[Documents, Recorded, F], None]
    ]:
        """Register the writer of these facts.

        ``loads(recorded, fact)`` names the documents that the writer reads; by default the one of
        the fact's stream in the view's first table.
        """
        chosen = loads or self._own_document

        def register(
            writer: Callable[[Documents, Recorded, F], None],
        ) -> Callable[[Documents, Recorded, F], None]:
            for fact in facts:
                if fact in self.writers:
                    raise ValueError(f"{self.name} writes {fact.__name__} twice")
                self.writers[fact] = (writer, chosen)
            return writer

        return register

    def _own_document(self, recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
        del fact
        return ((self.tables[0], recorded.stream),)
