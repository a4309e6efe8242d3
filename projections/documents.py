"""The documents of one pass over the log: read, changed, and remembered between batches."""

from __future__ import annotations

from itertools import islice
from typing import Any

from projections.table import Doc, Table


class NotLoaded(Exception):
    """A writer read a document that its ``loads`` did not name."""


class Documents:
    """Documents by table and key, copy on write.

    A document that was put is never changed in place: put a new one. So the document before a fact
    (``before``) and before a batch (``changes``) are at hand for previous attributes and counters.
    """

    def __init__(self, capacity: int | None = 20_000) -> None:
        """Remember at most ``capacity`` documents per table between batches (None: all)."""
        self._capacity = capacity
        self._known: dict[str, dict[Any, Doc | None]] = {}
        self._baseline: dict[str, dict[Any, Doc | None]] = {}
        self._replaced: list[tuple[str, Any, Doc | None]] = []

    def knows(self, table: Table, key: Any) -> bool:
        """Whether the document (or its absence) is at hand."""
        return key in self._of(table)

    def learn(self, table: Table, key: Any, doc: Doc | None) -> None:
        """Take over what the database holds."""
        self._of(table)[key] = doc

    def get(self, table: Table, key: Any) -> Doc | None:
        """The document as of the present fact, or None. Raises NotLoaded."""
        try:
            return self._of(table)[key]
        except KeyError:
            raise NotLoaded(f"{table.name} {key}") from None

    def put(self, table: Table, key: Any, doc: Doc | None) -> None:
        """Set the document (None removes the row). The key need not have been loaded if new."""
        known = self._of(table)
        old = known.get(key)
        self._baseline[table.name].setdefault(key, old)
        self._replaced.append((table.name, key, old))
        known[key] = doc

    def before(self, table: Table, key: Any) -> Doc | None:
        """The document before the present fact."""
        for name, replaced, old in self._replaced:
            if replaced == key and name == table.name:
                return old
        return self.get(table, key)

    def next_fact(self) -> None:
        """Begin another fact."""
        self._replaced.clear()

    def changes(self) -> dict[str, dict[Any, tuple[Doc | None, Doc | None]]]:
        """Per table and key: the document before and after this batch."""
        return {
            name: {key: (old, self._known[name][key]) for key, old in keys.items()}
            for name, keys in self._baseline.items()
            if keys
        }

    def flushed(self) -> None:
        """Begin another batch: what was changed is now in the database."""
        for known, baseline in zip(self._known.values(), self._baseline.values(), strict=True):
            baseline.clear()
            if self._capacity is not None and len(known) > self._capacity:
                for key in list(islice(known, len(known) - self._capacity)):
                    del known[key]

    def forget(self) -> None:
        """Drop everything: the batch failed, or somebody else wrote the rows."""
        self._known = {}
        self._baseline = {}
        self._replaced = []

    def _of(self, table: Table) -> dict[Any, Doc | None]:
        known = self._known.get(table.name)
        if known is None:
            known = self._known[table.name] = {}
            self._baseline[table.name] = {}
        return known
