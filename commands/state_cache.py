"""Folded states of recently used streams, per process; the append checks their versions."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Folded:
    """A state with the version it stands for and the last business time in its stream."""

    state: Any
    version: int
    owner: UUID | None
    last_occurred_at: datetime | None


class StateCache:
    """Least recently used states; anything in it may be stale and nothing depends on it."""

    def __init__(self, capacity: int = 50_000) -> None:
        """Keep at most ``capacity`` states."""
        self._capacity = capacity
        self._states: OrderedDict[tuple[str, UUID], Folded] = OrderedDict()

    def get(self, kind: str, stream: UUID) -> Folded | None:
        """The state that was last seen, or None."""
        found = self._states.get((kind, stream))
        if found is not None:
            self._states.move_to_end((kind, stream))
        return found

    def put(self, kind: str, stream: UUID, folded: Folded) -> None:
        """Keep a state, unless a newer one is here."""
        known = self._states.get((kind, stream))
        if known is not None and known.version > folded.version:
            return
        self._states[(kind, stream)] = folded
        self._states.move_to_end((kind, stream))
        if len(self._states) > self._capacity:
            self._states.popitem(last=False)

    def drop(self, kind: str, stream: UUID) -> None:
        """Forget a state that proved stale."""
        self._states.pop((kind, stream), None)
