"""Sends what the announcer put down to the endpoints: at least once, in order per customer.

One sender process may be killed at any moment and several may run: lanes are held by claims that
run out (``subscribers.webhooks.queue``). Each endpoint has its own share of concurrent requests, so
that one which is slow or dead holds up no other.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from psycopg import Error
from psycopg_pool import PoolTimeout

from aggregates.webhook_endpoint.events import DisabledReason
from kernel.errors import Refused
from kernel.ports.clock import Clock
from kernel.ports.outgoing import Answer, NoAnswer, Outgoing
from kernel.ports.secrets import Secrets
from subscribers.operator_events import OperatorEvent, raise_operator_event
from subscribers.webhooks import queue
from subscribers.webhooks.endpoints import Endpoint, Endpoints
from subscribers.webhooks.health import Sign
from subscribers.webhooks.pruning import prune
from subscribers.webhooks.queue import Attempt, Delivery, Lane, Release
from subscribers.webhooks.recorder import Pool, Recorder
from subscribers.webhooks.schedule import Schedule, retry_after
from subscribers.webhooks.signing import signed_headers
from subscribers.webhooks.spent_secrets import forget_spent


NAME: Final = "deliver_webhooks"
RECORDING: Final = "record webhooks"
PER_ENDPOINT: Final = 8
AHEAD: Final = 4
"""Lanes that are held for each request at once, so that a claim is worth its round trip."""

POLL_SECONDS: Final = 0.2
TIDY_SECONDS: Final = 600.0
GRACE_SECONDS: Final = 3.0
"""At the end, answers are waited for no longer than this; the deliveries are then made again."""

TROUBLE: Final = timedelta(seconds=30)
"""When an attempt cannot even be made, the lane waits; it does not count as an attempt."""

HELD_STATUSES: Final = frozenset({429, 503})
GONE: Final = 410

GiveUp = Callable[[Endpoint, DisabledReason, datetime], Awaitable[None]]

_log = logging.getLogger(__name__)
STANDARD_SCHEDULE: Final = Schedule()
_chance = random.SystemRandom().random


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How patient the sender is; the defaults are those of design 9."""

    schedule: Schedule = STANDARD_SCHEDULE
    failing_limit: timedelta = timedelta(hours=120)
    hold: timedelta = queue.HOLD
    last_call: timedelta = timedelta(seconds=20)
    at_once: int = PER_ENDPOINT


STANDARD_POLICY: Final = Policy()


@dataclass(frozen=True, slots=True)
class _Result:
    """What one attempt came to."""

    status: int | None
    success: bool
    problem: str | None
    wait: timedelta


class Sender:
    """One process's share of the deliveries."""

    def __init__(
        self,
        pool: Pool,
        secrets: Secrets,
        outgoing: Outgoing,
        clock: Clock,
        give_up: GiveUp,
        policy: Policy = Policy(),
    ) -> None:
        """``pool`` has the views' schema first on its search path."""
        self.endpoints = Endpoints(secrets)
        self._secrets = secrets
        self._pool = pool
        self._outgoing = outgoing
        self._clock = clock
        self._give_up = give_up
        self._policy = policy
        self._wake = asyncio.Event()
        self._stopping = False
        self._running: Counter[UUID] = Counter()
        self._turns: defaultdict[UUID, asyncio.Semaphore] = defaultdict(self._turn)
        self._tidied = float("-inf")
        self._drains: set[asyncio.Task[None]] = set()
        self._recorder = Recorder(pool, self._failing, self._wake.set)

    def wake(self, *_: object) -> None:
        """There may be something to deliver."""
        self._wake.set()

    def stop(self) -> None:
        """Let requests under way finish, write down what came of them, and return from ``run``."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Deliver until stopped; survives the loss of the database."""
        recording = asyncio.create_task(self._recorder.run(), name=RECORDING)
        try:
            while not self._stopping:
                self._wake.clear()
                if not await self._step():
                    await self._tidy()
                    await self._rest()
            await self._finish()
        finally:
            self._recorder.stop()
            await recording

    async def _step(self) -> bool:
        """Start draining what is due; whether there was anything."""
        try:
            async with self._pool.connection() as db:
                if not await self.endpoints.refresh(db):
                    return False
                running = {endpoint: self._running[endpoint] for endpoint in self.endpoints.enabled}
                policy = self._policy
                budget = policy.at_once * AHEAD
                lanes = await queue.claim(db, running, budget, hold=policy.hold)
        except (Error, PoolTimeout) as error:
            _log.warning("webhooks cannot be claimed yet: %s", error)
            return False
        for lane in lanes:
            self._running[lane.endpoint] += 1
            task = asyncio.create_task(self._drain(lane))
            self._drains.add(task)
            task.add_done_callback(self._drains.discard)
        return bool(lanes)

    async def _tidy(self) -> None:
        """Now and then, while there is nothing to deliver, forget what is past."""
        now = asyncio.get_running_loop().time()
        if now < self._tidied + TIDY_SECONDS:
            return
        try:
            async with self._pool.connection() as db:
                if not await prune(db):
                    await forget_spent(db, self._secrets, self._clock.now())
                    self._tidied = now
        except (Error, PoolTimeout) as error:
            self._tidied = now
            _log.warning("old deliveries cannot be forgotten yet: %s", error)

    def _turn(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self._policy.at_once)

    async def _drain(self, lane: Lane) -> None:
        """Make the deliveries of a lane one after the other, until one has to wait."""
        loop = asyncio.get_running_loop()
        until = loop.time() + (self._policy.hold - self._policy.last_call).total_seconds()
        wait = timedelta()
        try:
            for delivery in lane.deliveries:
                async with self._turns[lane.endpoint]:
                    endpoint = self.endpoints.enabled.get(lane.endpoint)
                    if endpoint is None or self._stopping or loop.time() > until:
                        break
                    again = await self._deliver(endpoint, lane, delivery)
                if again is not None:
                    wait = again
                    break
        except Exception:  # noqa: BLE001 - whatever it is, the lane goes on later
            _log.exception("a delivery to endpoint %s could not be attempted", lane.endpoint)
            wait = TROUBLE
        finally:
            self._running[lane.endpoint] -= 1
            self._recorder.released(Release(lane, wait))

    async def _deliver(
        self, endpoint: Endpoint, lane: Lane, delivery: Delivery
    ) -> timedelta | None:
        """One attempt; the delay until the next one, None when the queue may go on."""
        at = self._clock.now()
        result = await self._attempt(endpoint, delivery, at)
        again = None if result.success else self._next(delivery, result)
        state = "done" if result.success else "exhausted" if again is None else "waiting"
        held = at + result.wait if result.status in HELD_STATUSES and result.wait else None
        self._recorder.attempted(
            Attempt(
                uuid4(), lane, delivery, at, result.status, result.success, state, result.problem
            ),
            Sign(endpoint.id, endpoint.enabled_at, at, result.success, held),
        )
        if result.status == GONE:
            await self._disable(endpoint, DisabledReason.GONE, at)
        return again

    def _next(self, delivery: Delivery, result: _Result) -> timedelta | None:
        again = self._policy.schedule.after(delivery.attempts + 1, _chance())
        return None if again is None else max(again, result.wait)

    async def _attempt(self, endpoint: Endpoint, delivery: Delivery, at: datetime) -> _Result:
        secrets = await self.endpoints.secrets(endpoint, at)
        body = delivery.payload
        signed = signed_headers(endpoint.scheme, secrets, event=delivery.event, body=body, at=at)
        headers = {"Content-Type": "application/json", **signed}
        try:
            answer = await self._outgoing.post(endpoint.url, body, headers)
        except NoAnswer as silence:
            return _Result(None, success=False, problem=silence.silence, wait=timedelta())
        return self._judge(answer)

    def _judge(self, answer: Answer) -> _Result:
        success = 200 <= answer.status < 300
        wait = timedelta() if success else retry_after(answer.headers, self._clock.now())
        return _Result(answer.status, success=success, problem=None, wait=wait)

    async def _failing(self, failing: dict[UUID, datetime]) -> None:
        """Give up endpoints that have failed for too long."""
        now = self._clock.now()
        for endpoint_id, since in failing.items():
            endpoint = self.endpoints.enabled.get(endpoint_id)
            if endpoint is not None and now - since >= self._policy.failing_limit:
                await self._disable(endpoint, DisabledReason.FAILING, since)

    async def _disable(self, endpoint: Endpoint, reason: DisabledReason, since: datetime) -> None:
        try:
            await self._give_up(endpoint, reason, since)
        except Refused as refusal:
            _log.warning("not disabled yet, its next failure will: %s", refusal)
            return
        except Exception:  # noqa: BLE001 - who records outcomes has to go on with the next ones
            _log.exception("endpoint %s is not disabled yet, its next failure will", endpoint.id)
            return
        self.endpoints.enabled.pop(endpoint.id, None)
        event = OperatorEvent.WEBHOOK_ENDPOINT_DISABLED
        raise_operator_event(event, endpoint=endpoint.id, reason=reason, since=since)

    async def _finish(self) -> None:
        if self._drains:
            _, late = await asyncio.wait(self._drains, timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return
