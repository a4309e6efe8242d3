"""What the outgoing guard lets through, over real sockets."""

import asyncio
import socket
import ssl
import threading

import pytest
from aiohttp.abc import AbstractResolver

from adapters.outgoing.http import MAX_BODY, GuardedHttp
from adapters.outgoing.resolver import CoalescingResolver
from kernel.ports.outgoing import NoAnswer, Silence
from tests.adapters import certificates
from tests.adapters.receiver import Receiver, answer


def run(scenario):
    asyncio.run(asyncio.wait_for(scenario, 60))


class Names(AbstractResolver):
    """A name server that says what the test wants, a new answer each time."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def resolve(self, host, port=0, family=socket.AF_INET):  # noqa: ARG002 (its shape)
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            {
                "hostname": host,
                "host": address,
                "port": port,
                "family": socket.AF_INET6 if ":" in address else socket.AF_INET,
                "proto": 0,
                "flags": socket.AI_NUMERICHOST,
            }
            for address in addresses
        ]

    async def close(self):
        self.answers.clear()


async def silence(guard, url):
    with pytest.raises(NoAnswer) as failed:
        await guard.post(url, b"{}", {})
    await guard.close()
    return failed.value.silence


def test_a_call_arrives_and_its_answer_comes_back():
    async def scenario():
        async with Receiver(answer(201, b"done", ["X-Some: thing"])) as there:
            guard = GuardedHttp(allow_private=True)
            got = await guard.post(there.url, b'{"a":1}', {"webhook-id": "7"})
            await guard.close()
            request = there.requests[0]
        assert (got.status, got.body, got.headers["x-some"]) == (201, b"done", "thing")
        assert request.line == "POST /hook HTTP/1.1"
        assert request.body == b'{"a":1}'
        assert request.headers["webhook-id"] == "7"

    run(scenario())


def test_connections_are_used_again():
    async def scenario():
        async with Receiver() as there:
            guard = GuardedHttp(allow_private=True)
            for _ in range(5):
                await guard.post(there.url, b"{}", {})
            await guard.close()
        assert there.connections == 1

    run(scenario())


def test_an_idle_connection_closed_by_the_receiver_is_no_failure():
    async def close_after_answer(request, writer):
        await answer(200)(request, writer)
        await asyncio.sleep(0.01)
        writer.close()

    async def scenario():
        async with Receiver(close_after_answer) as there:
            guard = GuardedHttp(allow_private=True)
            statuses = [(await guard.post(there.url, b"{}", {})).status for _ in range(20)]
            await guard.close()
        assert statuses == [200] * 20

    run(scenario())


def test_redirects_are_not_followed():
    async def scenario():
        async with Receiver() as beyond:
            redirect = answer(302, headers=[f"Location: {beyond.url}"])
            async with Receiver(redirect) as there:
                guard = GuardedHttp(allow_private=True)
                assert (await guard.post(there.url, b"{}", {})).status == 302
                await guard.close()
        assert beyond.requests == []

    run(scenario())


def test_proxy_variables_are_ignored(monkeypatch):
    async def scenario():
        async with Receiver() as proxy, Receiver() as there:
            monkeypatch.setenv("http_proxy", proxy.url)
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            monkeypatch.setenv("ALL_PROXY", proxy.url)
            guard = GuardedHttp(allow_private=True)
            await guard.post(there.url, b"{}", {})
            await guard.close()
        assert proxy.requests == []
        assert len(there.requests) == 1

    run(scenario())


def test_of_a_huge_answer_64_kib_are_read():
    async def flood(_request, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    async def scenario():
        async with Receiver(flood) as there:
            guard = GuardedHttp(allow_private=True)
            got = await guard.post(there.url, b"{}", {})
            await guard.close()
        assert got.status == 200
        assert len(got.body) == MAX_BODY

    run(scenario())


def test_a_body_that_trickles_does_not_undo_the_status():
    async def trickle(_request, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.2)

    async def scenario():
        async with Receiver(trickle) as there:
            guard = GuardedHttp(allow_private=True, timeout_seconds=5)
            assert (await guard.post(there.url, b"{}", {})).status == 200
            await guard.close()

    run(scenario())


def test_a_receiver_that_never_answers_is_a_timeout():
    async def hang(_request, _writer):
        await asyncio.Event().wait()

    async def scenario():
        async with Receiver(hang) as there:
            guard = GuardedHttp(allow_private=True, timeout_seconds=1)
            assert await silence(guard, there.url) is Silence.TIMEOUT

    run(scenario())


def test_a_reset_is_a_broken_connection():
    async def reset(_request, writer):
        writer.transport.abort()

    async def scenario():
        async with Receiver(reset) as there:
            guard = GuardedHttp(allow_private=True)
            assert await silence(guard, there.url) is Silence.CONNECTION

    run(scenario())


def test_nobody_listening_is_a_broken_connection():
    async def scenario():
        async with Receiver() as there:
            url = there.url
        assert await silence(GuardedHttp(allow_private=True), url) is Silence.CONNECTION

    run(scenario())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return certificates.certificate(tmp_path_factory.mktemp("tls"))


def receiver_with(certificate):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    return Receiver(tls=context)


def test_a_certificate_nobody_vouches_for_is_refused(certificate):
    async def scenario():
        async with receiver_with(certificate) as there:
            assert await silence(GuardedHttp(allow_private=True), there.url) is Silence.TLS
            assert there.requests == []

    run(scenario())


def test_a_certificate_is_for_its_name(certificate):
    async def scenario():
        trusting = ssl.create_default_context(cafile=certificate[0])
        async with receiver_with(certificate) as there:
            guard = GuardedHttp(allow_private=True, tls=trusting)
            assert (await guard.post(there.url, b"{}", {})).status == 200
            await guard.close()
            guard = GuardedHttp(allow_private=True, tls=trusting, resolver=Names(["127.0.0.1"]))
            other = f"https://hooks.example.com:{there.port}/"
            assert await silence(guard, other) is Silence.TLS

    run(scenario())


def test_loopback_is_refused_unless_allowed():
    async def scenario():
        async with Receiver() as there:
            guard = GuardedHttp(allow_private=False)
            assert await silence(guard, there.url) is Silence.REFUSED_ADDRESS
            guard = GuardedHttp(allow_private=False)
            by_name = f"http://localhost:{there.port}/"
            assert await silence(guard, by_name) is Silence.REFUSED_ADDRESS
            assert there.connections == 0

    run(scenario())


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "224.0.0.1",
        "0.0.0.0",
        "[::ffff:169.254.169.254]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[64:ff9b::a9fe:a9fe]",
    ],
)
def test_forbidden_addresses_are_refused_always(host):
    async def scenario():
        guard = GuardedHttp(allow_private=True)
        assert await silence(guard, f"http://{host}/") is Silence.REFUSED_ADDRESS

    run(scenario())


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1"])
def test_a_public_name_for_a_private_address_is_refused(address):
    async def scenario():
        guard = GuardedHttp(allow_private=False, resolver=Names([address]))
        assert await silence(guard, "http://hooks.example.com/") is Silence.REFUSED_ADDRESS

    run(scenario())


def test_a_name_that_changes_its_answer_is_judged_by_the_one_connected_to():
    async def scenario():
        async with Receiver() as there:
            names = Names(["127.0.0.1"], ["169.254.169.254"])
            guard = GuardedHttp(allow_private=True, resolver=names)
            url = f"http://hooks.example.com:{there.port}/"
            assert (await guard.post(url, b"{}", {})).status == 200
            await there.stop()
            assert await silence(guard, url) is Silence.REFUSED_ADDRESS

    run(scenario())


def test_of_several_addresses_only_the_allowed_ones_are_called():
    async def scenario():
        async with Receiver() as there:
            names = Names(["169.254.169.254", "127.0.0.1"])
            guard = GuardedHttp(allow_private=True, resolver=names)
            got = await guard.post(f"http://hooks.example.com:{there.port}/", b"{}", {})
            await guard.close()
        assert got.status == 200

    run(scenario())


def test_a_name_that_does_not_exist_is_told_as_such():
    async def scenario():
        guard = GuardedHttp(allow_private=True)
        assert await silence(guard, "http://nowhere.invalid/") is Silence.UNKNOWN_HOST

    run(scenario())


def test_a_slow_name_costs_one_thread_and_no_other_name(monkeypatch):
    release = threading.Event()
    real = socket.getaddrinfo

    def look_up(host, *args, **kwargs):
        if host == "slow.example.com":
            release.wait(10)
        return real("127.0.0.1", *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    async def scenario():
        resolver = CoalescingResolver(threads=2)
        waiting = [asyncio.create_task(resolver.resolve("slow.example.com", 80)) for _ in range(20)]
        found = await asyncio.wait_for(resolver.resolve("fast.example.com", 80), 5)
        assert found[0]["host"] == "127.0.0.1"
        assert not any(task.done() for task in waiting)
        release.set()
        assert {answers[0]["host"] for answers in await asyncio.gather(*waiting)} == {"127.0.0.1"}
        await resolver.close()

    run(scenario())
