"""Names to addresses, without one slow name server holding up the other names."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from aiohttp.abc import AbstractResolver, ResolveResult


THREADS: Final = 32
_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class CoalescingResolver(AbstractResolver):
    """Asks once for all who want the same name at the same time: a slow name costs one thread."""

    def __init__(self, threads: int = THREADS) -> None:
        """Own threads, so that no other part of the process waits for a name server."""
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="resolve")
        self._asked: dict[tuple[str, int, int], asyncio.Future[list[Any]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """All addresses of the name. Raises socket.gaierror."""
        key = (host, port, family)
        asked = self._asked.get(key)
        if asked is None:
            loop = asyncio.get_running_loop()
            asked = loop.run_in_executor(self._pool, _look_up, host, port, family)
            self._asked[key] = asked
            asked.add_done_callback(lambda done: self._answered(key, done))
        return [_result(host, info) for info in await asyncio.shield(asked)]

    def _answered(self, key: tuple[str, int, int], done: asyncio.Future[list[Any]]) -> None:
        self._asked.pop(key, None)
        if not done.cancelled():
            done.exception()  # taken here too: those who asked may have given up

    async def close(self) -> None:
        """Let the threads go; what they still ask for is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str, port: int, family: socket.AddressFamily) -> list[Any]:
    return list(socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM))


def _result(host: str, info: Any) -> ResolveResult:
    family, _, proto, _, address = info
    return ResolveResult(
        hostname=host,
        host=address[0],
        port=address[1],
        family=family,
        proto=proto,
        flags=_NUMERIC,
    )
