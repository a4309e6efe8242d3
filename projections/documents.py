"""The documents of one pass over the log: read, changed, and remembered between batches."""

from __future__ import annotations

from collections import OrderedDict
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
        self._known: dict[str, OrderedDict[Any, Doc | None]] = {}
        self._baseline: dict[str, dict[Any, Doc | None]] = {}
        self._before: dict[tuple[str, Any], Doc | None] = {}
        self.tables: dict[str, Table] = {}

    def knows(self, table: Table, key: Any) -> bool:
        """Whether the document (or its absence) is at hand."""
        return key in self._of(table)

    def learn(self, table: Table, key: Any, doc: Doc | None) -> None:
        """Take over what the database holds."""
        self._of(table)[key] = doc

    def get(self, table: Table, key: Any) -> Doc | None:
        """The document as of the present fact, or None. Raises NotLoaded."""
        known = self._of(table)
        try:
            doc = known[key]
        except KeyError:
            raise NotLoaded(f"{table.name} {key}") from None
        known.move_to_end(key)
        return doc

    def put(self, table: Table, key: Any, doc: Doc | None) -> None:
        """Set the document (None removes the row). The key need not have been loaded if new."""
        known = self._of(table)
        old = known.get(key)
        self._baseline.setdefault(table.name, {}).setdefault(key, old)
        self._before.setdefault((table.name, key), old)
        known[key] = doc
        known.move_to_end(key)

    def before(self, table: Table, key: Any) -> Doc | None:
        """The document before the present fact."""
        if (table.name, key) in self._before:
            return self._before[(table.name, key)]
        return self.get(table, key)

    def next_fact(self) -> None:
        """Begin another fact."""
        self._before = {}

    def changes(self) -> dict[str, dict[Any, tuple[Doc | None, Doc | None]]]:
        """Per table and key: the document before and after this batch."""
        return {
            name: {key: (old, self._known[name][key]) for key, old in keys.items()}
            for name, keys in self._baseline.items()
        }

    def flushed(self) -> None:
        """Begin another batch: what was changed is now in the database."""
        self._baseline = {}
        if self._capacity is None:
            return
        for known in self._known.values():
            while len(known) > self._capacity:
                known.popitem(last=False)

    def forget(self) -> None:
        """Drop everything: the batch failed, or somebody else wrote the rows."""
        self._known = {}
        self._baseline = {}
        self._before = {}

    def _of(self, table: Table) -> OrderedDict[Any, Doc | None]:
        known = self._known.get(table.name)
        if known is None:
            known = self._known[table.name] = OrderedDict()
            self.tables[table.name] = table
        return known
