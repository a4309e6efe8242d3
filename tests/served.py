"""An engine behind real sockets in a thread of its own, for clients that are not asynchronous."""

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace

from app import documents
from app.front import Front, beside
from app.listening import address, listen
from app.serving import Http
from app.wiring import Engine
from tests.engines import FixedKeys, found, place


@contextmanager
def served(database_url):
    """The addresses of the core and the edge API, for as long as the block lasts.

    The hosted pages are beside the core API, as `up` serves them.
    """
    with listen("127.0.0.1", 0) as core, listen("127.0.0.1", 0) as edge:
        serving = _Serving(database_url, core, edge)
        thread = threading.Thread(target=serving.run)
        thread.start()
        try:
            assert serving.ready.wait(60)
            if serving.failure is not None:
                raise serving.failure
            yield address(core), address(edge)
        finally:
            serving.stop()
            thread.join(60)


class _Serving:
    def __init__(self, database_url, core, edge):
        self.ready = threading.Event()
        self.failure = None
        self._place = replace(place(database_url), base_url=address(core))
        self._listeners = core, edge
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()

    def run(self):
        try:
            self._loop.run_until_complete(self._serve())
        except Exception as failure:  # noqa: BLE001 the test's thread raises it
            self.failure = failure
        finally:
            self.ready.set()
            self._loop.close()

    def stop(self):
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopped.set)

    async def _serve(self):
        engine = await Engine.open(self._place)
        await found(engine)
        engine.start_workers()
        await engine.positions.wait(await engine.store.head(), 60)
        pages = engine.pages_app()
        front = Front(engine.core_app(FixedKeys()), beside(documents.core), pages)
        apps = front, engine.edge_app(FixedKeys())
        https = [Http(*pair) for pair in zip(apps, self._listeners, strict=True)]
        parts = [engine.feed.following, *https]
        tasks = [asyncio.create_task(part.run()) for part in parts]
        for part in https:
            await part.started.wait()
        self.ready.set()
        await self._stopped.wait()
        for part in parts:
            part.stop()
        await asyncio.gather(*tasks)
        await engine.close()
