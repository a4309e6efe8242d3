"""Replay from the command line: the database, the log, and a bar that says how long it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import uvloop
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from app.databases import database
from app.place import Place
from app.serve import place_of
from app.settings import Settings
from app.streamed_views import views_database
from app.wiring import Engine, prepare, with_views
from projections.all_views import VIEWS
from replay import rebuild as rebuilding
from replay import verify as verifying
from replay.live import live


T = TypeVar("T")
POLL_SECONDS = 0.05


class RateColumn(ProgressColumn):
    """Facts per second."""

    def render(self, task: Task) -> Text:
        """The recent rate."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} facts/s")


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the terminal; what it yields takes a position and the target."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(label, total=None)

        def moved(position: int, target: int) -> None:
            progress.update(task, completed=position, total=target)

        yield moved


def rebuild(settings: Settings, view: str | None) -> rebuilding.Rebuilt:
    """Rebuild views and let them catch up with the log. Raises CannotStart, Refused."""

    async def work(engine: Engine) -> rebuilding.Rebuilt:
        url = with_views(engine.place.database_url)
        with bar("rebuilding") as moved:
            rebuilt = await rebuilding.rebuild(url, engine.store, VIEWS, view, moved)
        await _caught_up(engine)
        return rebuilt

    return _run(settings, work)


def verify(settings: Settings, view: str | None) -> verifying.Verified:
    """Compare views with the log; those from Kafka when the settings say where they are.

    Raises CannotStart, Refused.
    """
    elsewhere = views_database(settings) if settings.views_database_url else None

    async def work(engine: Engine) -> verifying.Verified:
        url = with_views(elsewhere or engine.place.database_url)
        if elsewhere is None:
            await _caught_up(engine)
        with bar("verifying") as moved:
            return await verifying.verify(url, engine.store, VIEWS, view, moved)

    return _run(settings, work)


async def _caught_up(engine: Engine) -> None:
    """Wait for the views to reach the head: this process keeps them unless another one does."""
    engine.start_workers("views")
    async with engine.pool.connection() as db:
        while await engine.store.read((await live(db)).position, 1):  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)  # another process may be the one that keeps them
    engine.projector.stop()
    await asyncio.wait(engine.tasks)


def _run(settings: Settings, work: Callable[[Engine], Awaitable[T]]) -> T:
    with database(settings) as url:
        prepare(url, settings.environment)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_opened(place_of(settings, url), work))


async def _opened(place: Place, work: Callable[[Engine], Awaitable[T]]) -> T:
    engine = await Engine.open(place)
    try:
        return await work(engine)
    finally:
        await engine.close()
