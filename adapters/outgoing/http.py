"""The outgoing HTTP guard: only allowed addresses, no redirects, bounded time and size."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any, Final

import aiohttp

from adapters.outgoing.resolver import CoalescingResolver
from kernel.addresses import Reach, reach
from kernel.ports.outgoing import Answer, NoAnswer, Silence


TIMEOUT_SECONDS: Final = 15
MAX_BODY: Final = 64 * 1024
KEEP_ALIVE_SECONDS: Final = 4
"""Shorter than any server keeps an idle connection, so that few are found closed."""

_REUSES: Final = 5
_ALWAYS: Final = {"User-Agent": "billstream", "Accept-Encoding": "identity"}


class AddressRefused(OSError):
    """The name leads to an address that the engine must not call."""


class GuardedHttp:
    """``Outgoing`` over aiohttp: the address that is judged is the one that is connected to."""

    def __init__(
        self,
        *,
        allow_private: bool,
        timeout_seconds: int = TIMEOUT_SECONDS,
        resolver: aiohttp.abc.AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Must be made inside the running loop; ``allow_private`` also lets loopback through."""
        self._allow_private = allow_private
        self._timeout_seconds = timeout_seconds
        trace = aiohttp.TraceConfig()
        trace.on_connection_reuseconn.append(_note_reuse)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=resolver or CoalescingResolver(),
                socket_factory=self._socket,
                use_dns_cache=False,
                limit=0,
                keepalive_timeout=KEEP_ALIVE_SECONDS,
                ssl=tls or True,
            ),
            timeout=aiohttp.ClientTimeout(total=None),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            trace_configs=[trace],
        )

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """The answer, whatever its status. Raises NoAnswer."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._post(url, body, {**_ALWAYS, **headers})
        except TimeoutError as error:
            detail = f"no answer within {self._timeout_seconds} s"
            raise NoAnswer(Silence.TIMEOUT, detail) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise NoAnswer(_silence(error), str(error)) from error

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        for _ in range(_REUSES):
            connection = SimpleNamespace(reused=False)
            try:
                return await self._once(url, body, headers, connection)
            except (aiohttp.ServerDisconnectedError, ConnectionResetError):
                if not connection.reused:
                    raise  # else an idle connection was closed under us: nothing was said about it
        raise aiohttp.ServerDisconnectedError

    async def _once(
        self, url: str, body: bytes, headers: Mapping[str, str], connection: SimpleNamespace
    ) -> Answer:
        async with self._session.post(
            url,
            data=body,
            headers=headers,
            allow_redirects=False,
            trace_request_ctx=connection,
        ) as response:
            start = await _start_of_body(response.content)
            if not response.content.at_eof():
                response.close()
            names = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, names, start)

    def _socket(self, info: Any) -> socket.socket:
        family, kind, proto, _, address = info
        found = reach(ip_address(str(address[0]).partition("%")[0]))
        if found is Reach.FORBIDDEN or (found is Reach.PRIVATE and not self._allow_private):
            raise AddressRefused(f"{found} address")
        return socket.socket(family, kind, proto)


async def _start_of_body(content: aiohttp.StreamReader) -> bytes:
    """At most 64 KiB; a body that breaks off or never ends does not undo the status."""
    start = bytearray()
    try:
        async with asyncio.timeout(1):
            while len(start) < MAX_BODY and not content.at_eof():
                start += await content.read(MAX_BODY - len(start))
    except (TimeoutError, aiohttp.ClientError, OSError):
        return bytes(start)
    return bytes(start)


async def _note_reuse(_session: Any, context: Any, _params: Any) -> None:
    context.trace_request_ctx.reused = True


def _silence(error: BaseException) -> Silence:
    inner = getattr(error, "os_error", None) or error
    if isinstance(inner, AddressRefused):
        return Silence.REFUSED_ADDRESS
    if isinstance(inner, socket.gaierror):
        return Silence.UNKNOWN_HOST
    if isinstance(error, aiohttp.ClientSSLError) or isinstance(inner, ssl.SSLError):
        return Silence.TLS
    return Silence.CONNECTION
