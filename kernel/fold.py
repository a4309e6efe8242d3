"""How a stream of facts becomes the state that decisions read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fold(Generic[S]):
    """The fold of one kind of stream: its name, its empty state and its ``evolve``.

    ``members`` are the facts of such streams, if given: an id that a client sent may be that of
    another kind of thing, which then counts as absent.
    """

    kind: str
    initial: S
    evolve: Callable[[S, Any], S]
    members: tuple[type, ...] = ()

    def of(self, facts: Iterable[Any]) -> S:
        """The state after these facts."""
        known = tuple(facts)
        if known and self.members and not isinstance(known[0], self.members):
            return self.initial
        return reduce(self.evolve, known, self.initial)
