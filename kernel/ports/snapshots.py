"""What readers of the log have added up, so that they need not read all of it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a reader knew when it had read all facts up to ``position``."""

    position: int
    data: bytes


class Snapshots(Protocol):
    """Keeps them; any of them may be lost, for the log has it all."""

    async def before(self, name: str, position: int) -> Snapshot | None:
        """The newest one of a reader that knows nothing of ``position`` and beyond."""

    async def save(self, name: str, snapshot: Snapshot) -> None:
        """Keep it, and the one before."""


class NoSnapshots:
    """Keeps none: everything is read again."""

    async def before(self, name: str, position: int) -> Snapshot | None:
        """None."""
        del name, position
        return None

    async def save(self, name: str, snapshot: Snapshot) -> None:
        """Nothing."""
