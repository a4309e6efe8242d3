"""How a stream of facts becomes the state that decisions read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fold(Generic[S]):
    """The fold of one kind of stream: its name, its empty state and its ``evolve``."""

    kind: str
    initial: S
    evolve: Callable[[S, Any], S]

    def of(self, facts: Iterable[Any]) -> S:
        """The state after these facts."""
        return reduce(self.evolve, facts, self.initial)
