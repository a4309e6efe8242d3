"""What leaves in the same transaction as the views."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from psycopg import AsyncConnection

from kernel.ports.event_store import Recorded
from projections.steps import Step
from projections.view import View


class Outbox(Protocol):
    """What leaves in the same transaction as the views, made by the last view of the pass."""

    view: View

    async def resume(self, db: AsyncConnection[Any]) -> None:
        """The pass begins (again) on this connection."""

    async def prepare(self, batch: Sequence[Recorded]) -> None:
        """Learn what the batch needs, before its facts are applied."""

    def saving(self, position: int) -> Iterable[Step]:
        """What writes what the batch, which ends at ``position``, put in."""

    def saved(self, position: int) -> None:
        """The transaction is committed."""

    def forget(self) -> None:
        """The transaction failed."""


class NoOutbox:
    """Nothing leaves: for rebuilding views."""

    def __init__(self) -> None:
        """No writers."""
        self.view = View("nothing")

    async def resume(self, db: AsyncConnection[Any]) -> None:
        """Nothing to find out."""

    async def prepare(self, batch: Sequence[Recorded]) -> None:
        """Nothing to learn."""

    def saving(self, position: int) -> Iterable[Step]:
        """Nothing to write."""
        del position
        return ()

    def saved(self, position: int) -> None:
        """Nothing to send."""

    def forget(self) -> None:
        """Nothing to forget."""
