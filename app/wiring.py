"""Builds one engine out of its parts; the only place that knows which class stands where."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool

from adapters.checkpoints import PostgresCheckpoints
from adapters.clock import SystemClock
from adapters.countries import TableOfCountries
from adapters.event_store import PostgresEventStore
from adapters.listener import Listener
from adapters.migrations import migrate
from adapters.payments.simulated_ledger import DDL as SIMULATED_PAYMENTS
from adapters.snapshots import PostgresSnapshots
from adapters.typesetting import TypstTypesetter
from aggregates.catalog import FACTS, UPCASTS
from app.event_stream import publishers
from app.garbage import look_rarely
from app.key_ring import KeyRing
from app.place import Place
from app.reactions import Surroundings, reactions
from app.sources import feed_of, provider, read_pool
from app.tenants import Tenants
from app.view_schema import view_ddl
from app.webhook_delivery import Manner, WebhookDelivery
from commands.bus import Bus
from kernel.ports.clock import Clock
from kernel.ports.files import FileStore
from kernel.ports.payments import PaymentProvider
from kernel.tenant import Environment
from projections import changed, engine, last_seen
from projections.all_views import VIEWS
from projections.engine import Projector
from projections.poller import READER, Poller
from projections.positions import Positions
from projections.reader import Reader
from projections.watch import Watch
from projections.webhooks import schema
from projections.webhooks.announcer import Announcer
from read_api.feed import Feed
from subscribers.deliver_webhooks import NAME as DELIVER
from subscribers.leading import Leading
from subscribers.replay_webhooks import NAME as REPLAY
from subscribers.runner import Runner
from subscribers.timers.scheduler import Scheduler
from wire.http.visitors import Visitors
from wire.paper.language import FOLDER as TEMPLATES


if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp

    from wire.http.caller import Keys


class Worker(Protocol):
    """What runs beside the APIs."""

    async def run(self) -> None:
        """Return after ``stop``."""

    def stop(self) -> None:
        """Finish what is in hand, then return from ``run``."""

    def wake(self, *_: object) -> None:
        """Something was appended."""


@dataclass(slots=True, kw_only=True)
class Engine:
    """Everything one process may need; which parts run is up to the verb that opened it."""

    place: Place
    visitors: Visitors
    store: PostgresEventStore
    clock: Clock
    bus: Bus
    pool: AsyncConnectionPool[AsyncConnection[Any]]
    positions: Positions
    reader: Reader
    feed: Feed
    projector: Projector
    tenants: Tenants
    keys: KeyRing
    payments: PaymentProvider
    files: FileStore
    webhooks: WebhookDelivery
    runners: list[Runner]
    scheduler: Scheduler
    publishers: list[Leading] = field(default_factory=list)
    typesetter: TypstTypesetter = field(default_factory=lambda: TypstTypesetter(TEMPLATES))
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    pollers: list[asyncio.Task[None]] = field(default_factory=list)

    @classmethod
    async def open(cls, place: Place) -> Self:
        """Connect to a migrated database."""
        look_rarely()
        store = await PostgresEventStore.open(place.database_url, FACTS, UPCASTS, place.master_key)
        clock = SystemClock()
        views_url = with_views(place.database_url)
        pool = await read_pool(with_views(place.read_url))
        positions = Positions()
        bus = Bus(store, clock)
        tenants = Tenants(store, place.environment)
        announcer = Announcer(tenants.get, place.base_url)
        projector = Projector(views_url, store, VIEWS, positions, announcer, changed.note)
        payments = provider(place.environment, store.pool)
        manner = Manner(allow_private=place.private_webhooks, base_url=place.base_url)
        webhooks = await WebhookDelivery.open(views_url, bus, store, tenants.get, manner)
        announcer.on_saved.append(webhooks.sender.wake)
        runners, scheduler = reactions(
            Surroundings(
                bus=bus,
                tenants=tenants,
                provider=payments,
                pool=pool,
                views=positions,
                checkpoints=PostgresCheckpoints(place.database_url),
                snapshots=PostgresSnapshots(store.pool),
                environment=place.environment,
            )
        )
        return cls(
            place=place,
            visitors=Visitors(TableOfCountries(), place.country_header),
            store=store,
            clock=clock,
            bus=bus,
            pool=pool,
            positions=positions,
            reader=Reader(pool, positions, clock, place.base_url),
            feed=await feed_of(store, place.environment),
            projector=projector,
            tenants=tenants,
            keys=KeyRing(store, tenants, bus.cache, clock),
            payments=payments,
            files=place.file_store(),
            webhooks=webhooks,
            runners=runners,
            scheduler=scheduler,
            publishers=await publishers(
                place.database_url, (store.pool, pool), tenants, place.environment, place.kafka
            ),
        )

    @property
    def workers(self) -> dict[str, Worker]:
        """All workers, by the name that the verb `worker` has for them."""
        readers: dict[str, Worker] = {r.reaction.name: r for r in self.runners}
        own: dict[str, Worker] = {
            "views": self.projector,
            DELIVER: self.webhooks.sender,
            REPLAY: self.webhooks.replayer,
            "timers": self.scheduler,
        }
        streams = {publisher.name: publisher for publisher in self.publishers}
        return {**own, **readers, **streams}

    def start_workers(self, *names: str) -> None:
        """Run the views and all reactions in this process, or only those named."""
        started = {name: w for name, w in self.workers.items() if not names or name in names}
        for name, worker in started.items():
            if name != DELIVER or "views" not in started:  # else the views wake it when it is time
                wants = worker.reaction.wants if isinstance(worker, Runner) else None
                self.store.on_append(worker.wake, wants)
            self.tasks.append(asyncio.create_task(worker.run(), name=name))
        self._follow(views="views" not in started)

    def listener(self) -> Listener:
        """Wakes the workers when another process has appended."""
        wake = [worker.wake for worker in self.workers.values()]
        return Listener(self.place.database_url, wake, lambda: self.store.told_by)

    def _follow(self, *, views: bool) -> None:
        """Learn how far the readers are that another process may drive."""
        pollers = [
            Poller(self.pool, runner.positions, query=READER, parameters=(runner.reaction.name,))
            for runner in self.runners
        ]
        if views:
            pollers.append(Poller(self.pool, self.positions))
            watch = Watch(self.place.read_url, self.positions)
            self.pollers.append(asyncio.create_task(watch.run()))
        self.pollers += [asyncio.create_task(poller.run()) for poller in pollers]

    def core_app(self, keys: Keys) -> ASGIApp:
        """The core API under one address."""
        from app import apis  # noqa: PLC0415 who only works need not import what serves

        return apis.core_app(self, keys)

    def edge_app(self, keys: Keys) -> ASGIApp:
        """The edge API."""
        from app import apis  # noqa: PLC0415 as above

        return apis.edge_app(self, keys)

    def pages_app(self) -> ASGIApp:
        """The hosted pages."""
        from app import apis  # noqa: PLC0415 as above

        return apis.pages_app(self)

    def core_apps(self, keys: Keys) -> tuple[FastAPI, FastAPI]:
        """The read API and the write API; each knows the other's routes."""
        from app import apis  # noqa: PLC0415 as above

        return apis.core_apps(self, keys)

    async def close(self) -> None:
        """Stop the workers, then let go of the database."""
        for worker in self.workers.values():
            worker.stop()
        if self.tasks:
            await asyncio.wait(self.tasks)
        for poller in self.pollers:
            poller.cancel()
        await asyncio.gather(*self.pollers, return_exceptions=True)
        await self.webhooks.close()
        self.typesetter.close()
        await self.pool.close()
        await self.store.close()


def with_views(database_url: str) -> str:
    """The same database with the views' schema first on the search path."""
    return make_conninfo(database_url, options=f"-csearch_path={engine.SCHEMA},public")


def prepare(database_url: str, environment: Environment) -> None:
    """Bring a database to the present schema, log and views."""
    migrate(
        database_url,
        environment,
        (SIMULATED_PAYMENTS, *schema.DDL, *last_seen.DDL, *changed.DDL, *view_ddl()),
        schemas=(engine.SCHEMA, schema.SCHEMA),
    )
