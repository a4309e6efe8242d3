"""One process of the production topology: an API behind the proxy, or one worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import uvloop

from adapters.cannot_start import CannotStart
from app import logs
from app.data_dir import DataDir
from app.databases import database
from app.listening import address, listen
from app.place import Place
from app.polling import Polling
from app.serving import Http, Part, run_parts
from app.settings import Settings
from app.streamed_views import StreamedViews, views_database
from app.wiring import Engine, prepare
from app.workers import Workers


READING = frozenset({"read-api", "edge-api"})
"""Apps that never write: their views may be anywhere."""

Say = Callable[[str], None]
Parts = Callable[[Engine], list[Part]]


def api(settings: Settings, name: str, say: Say) -> bool:
    """Serve one app on ``--port``; False when a part failed. Raises CannotStart."""
    from app.served import APPS  # noqa: PLC0415 who only works need not import what serves

    if name not in APPS:
        raise CannotStart(f"there is no app {name}; there are: {', '.join(APPS)}")
    with listen(settings.host, settings.port) as listener:

        def parts(engine: Engine) -> list[Part]:
            app = APPS[name](engine)
            polling = Polling(engine.pool, engine.positions, engine.place.read_url)
            served: list[Part] = [polling, Http(app, listener)]
            return [*served, engine.feed.following]  # stopped first: it ends what is streamed

        def ready() -> None:
            say(f"ready {name} {address(listener)}")

        return run(settings, parts, ready, reading=name in READING)


def streamed_views(settings: Settings, say: Say) -> bool:
    """Keep the views from Kafka; False when a member failed. Raises CannotStart."""
    url = views_database(settings)

    def parts(engine: Engine) -> list[Part]:
        return [StreamedViews(engine, settings, url)]

    return run(settings, parts, lambda: say("ready views from Kafka"))


def worker(settings: Settings, names: tuple[str, ...], say: Say) -> bool:
    """Run some workers, all unless named; False when one failed. Raises CannotStart."""

    def parts(engine: Engine) -> list[Part]:
        return [Workers(engine, *names), engine.listener()]

    return run(settings, parts, lambda: say(f"ready {' '.join(names) or 'all workers'}"))


def run(
    settings: Settings, parts: Parts, ready: Callable[[], None], *, reading: bool = False
) -> bool:
    """Open the engine, run the parts until a signal, close it.

    Who is only ``reading`` takes the views from where the settings say that they are.
    """
    logs.configure()
    with ExitStack() as stack:
        url = stack.enter_context(database(settings))
        prepare(url, settings.environment)
        place = place_of(settings, url)
        if reading and settings.views_database_url:
            place = replace(place, views_database_url=views_database(settings))
        runner = stack.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        return runner.run(_run(place, parts, ready))


async def _run(place: Place, parts: Parts, ready: Callable[[], None]) -> bool:
    engine = await Engine.open(place)
    try:
        return await run_parts(parts(engine), ready)
    finally:
        await engine.close()


def place_of(settings: Settings, url: str, base_url: str | None = None) -> Place:
    """Where the engine of a process lives."""
    return Place(
        database_url=url,
        environment=settings.environment,
        master_key=DataDir(settings.data_dir).master_key(settings),
        files=settings.bucket or settings.files_dir or settings.data_dir / "files",
        base_url=settings.public_url or base_url or settings.base_url,
        private_webhooks=settings.private_webhooks,
        rate_limit=settings.rate_limit,
        country_header=settings.country_header,
        kafka=settings.kafka,
    )
