"""The table of errors, cause by cause, from whichever app answers (spec: Errors, design 13)."""

import asyncio
import contextlib

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from app.wiring import Engine
from tests.engines import CLIENT_KEY, SERVER_KEY, FixedKeys, place, positions, running
from wire.http.guard import MAX_BODY_BYTES
from wire.http.rate_limits import RateLimits
from wire.http.routes import TrailingSlash


pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}
WRITES = [
    ("POST", "/customers/"),
    ("PATCH", "/customers/ada/"),
    ("POST", "/organizations/keys/"),
    ("PATCH", "/organizations/settings/"),
    ("POST", "/payment-methods/"),
    ("POST", "/webhook/endpoints/"),
    ("POST", "/test-clocks/"),
]


async def refused(client, method, path, status, **request):
    answer = await client.request(method, path, **request)
    assert answer.status_code == status, answer.text
    return answer


NO_OBJECTS = [
    "",
    "{",
    "nonsense",
    '{"customerId": "a",}',
    "[" * 100_000,
    '{"a":' * 50_000,
    "9" * 5_000,
    '{"customerId": "a", "metadata": {"n": ' + "9" * 5_000 + "}}",
    "\x00",
    b"\xff\xfe",
    '"text"',
    "[]",
    "null",
    "1",
]


@pytest.mark.parametrize(("method", "path"), WRITES)
async def test_what_is_no_json_object_is_400(module_database_url, method, path):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        for text in NO_OBJECTS:
            answer = await refused(client, method, path, 400, content=text, headers=JSON)
            assert isinstance(answer.json(), dict)
        assert await positions(engine) == before


@pytest.mark.parametrize(
    "body",
    [
        {"customerId": "a\x00"},
        {"customerId": "a", "name": "\x00"},
        {"customerId": "a", "metadata": {"deep": [{"er": "\x00"}]}},
        {"customerId": "a", "metadata": {"\x00": 1}},
        {"customerId": "a", "billingAddress": {"city": "\x00"}},
    ],
)
async def test_nul_in_text_is_400(module_database_url, body):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        await refused(client, "POST", "/customers/", 400, json=body)
        assert await positions(engine) == before


@pytest.mark.parametrize(
    "text",
    [
        r'{"customerId": "\ud800"}',
        r'{"customerId": "a", "name": "\udfff"}',
        r'{"customerId": "a", "metadata": {"x": "\ud800"}}',
        r'{"customerId": "a", "metadata": {"\udc00": 1}}',
        '{"customerId": "a", "metadata": {"x": ' + "[" * 60 + "]" * 60 + "}}",
        '{"customerId": "a", "metadata": {"x": NaN}}',
        '{"customerId": "a", "metadata": {"x": Infinity}}',
        '{"customerId": "a", "metadata": {"x": 1e400}}',
        '{"customerId": "a", "metadata": {"x": 123456789012345678901234567890}}',
    ],
)
async def test_text_and_numbers_that_json_cannot_carry_are_400(module_database_url, text):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        await refused(client, "POST", "/customers/", 400, content=text, headers=JSON)
        assert await positions(engine) == before


async def test_nul_in_an_address_finds_nothing(module_database_url):
    async with running(module_database_url) as (_, client):
        await refused(client, "GET", "/customers/a%00b/", 404)
        await refused(client, "DELETE", "/customers/a%00b/", 404)
        await refused(client, "GET", "/customers/?search=a%00", 400)
        await refused(client, "GET", "/customers/?whatever=%00", 400)


@pytest.mark.parametrize("name", ["page", "page_size"])
async def test_pages_that_are_no_positive_number_are_400(module_database_url, name):
    async with running(module_database_url) as (_, client):
        for page in ("0", "-1", "x", "1.5", "", "9" * 30, "1e3"):
            answer = await refused(client, "GET", "/customers/", 400, params={name: page})
            assert list(answer.json()) == [name]


async def test_positions_that_are_none_are_400(module_database_url):
    async with running(module_database_url) as (_, client):
        for position in ("", "x", "-1", "1.0", "9" * 30, "\u0661"):
            headers = {"Billstream-Position": position.encode()}
            await refused(client, "GET", "/customers/", 400, headers=headers)


WRONG_KEYS = [None, "", "Bearer", "Bearer ", "Basic a", "Bearer x", f"Token {SERVER_KEY}", "\xe9"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/customers/"), *WRITES])
async def test_no_key_or_a_wrong_one_is_401(module_database_url, method, path):
    async with running(module_database_url) as (_, client):
        del client.headers["Authorization"]
        for header in WRONG_KEYS:
            headers = {} if header is None else {"Authorization": header.encode("latin-1")}
            answer = await refused(client, method, path, 401, headers=headers, content="{")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert {"detail", "code"} == set(answer.json())


@pytest.mark.parametrize(("method", "path"), [("GET", "/customers/"), *WRITES])
async def test_a_client_key_is_403_on_the_core(module_database_url, method, path):
    async with running(module_database_url) as (_, client):
        client.headers["Authorization"] = f"Bearer {CLIENT_KEY}"
        answer = await refused(client, method, path, 403, content="{}", headers=JSON)
        assert answer.json()["code"] == "server_key_required"


async def test_unknown_paths_are_404(module_database_url):
    async with running(module_database_url) as (_, client):
        for path in ("/nothing/", "/customer", "/../customers/x/y", "/%2e%2e/"):
            for method in ("GET", "POST", "PATCH", "DELETE", "PUT"):
                answer = await refused(client, method, path, 404, content="{}", headers=JSON)
                assert answer.json() == {"detail": "Not found.", "code": "not_found"}


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/customers/", "GET, POST"),
        ("DELETE", "/customers/", "GET, POST"),
        ("PATCH", "/customers", "GET, POST"),
        ("POST", "/customers/ada/", "DELETE, GET, PATCH"),
        ("POST", "/organizations/settings/", "GET, PATCH"),
        ("GET", "/payment-methods/5/", "DELETE, PATCH"),
        ("HEAD", "/organizations/settings/", "GET, PATCH"),
    ],
)
async def test_a_known_path_with_another_method_is_405_from_either_app(
    module_database_url, method, path, allowed
):
    engine = await Engine.open(place(module_database_url))
    try:
        whole = engine.core_app(FixedKeys())
        for app in (whole, *map(TrailingSlash, engine.core_apps(FixedKeys()))):
            async with speaking(app) as client:
                answer = await refused(client, method, path, 405)
                assert answer.headers["Allow"] == allowed
    finally:
        await engine.close()


def speaking(app):
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="https://billing.example/api/v1",
        headers={"Authorization": f"Bearer {SERVER_KEY}"},
    )


async def in_pieces(size):
    for _ in range(size // 65_536):
        yield b" " * 65_536
    yield b"{}"


async def test_a_body_over_the_limit_is_413_however_it_is_sent(module_database_url):
    async with running(module_database_url) as (engine, client):
        before = await positions(engine)
        for content in (b" " * (MAX_BODY_BYTES + 1), in_pieces(2 * MAX_BODY_BYTES)):
            answer = await refused(client, "POST", "/customers/", 413, content=content)
            assert answer.json()["code"] == "body_too_large"
        assert await positions(engine) == before


async def test_a_body_in_pieces_below_the_limit_is_read(module_database_url):
    async with running(module_database_url) as (_, client):
        answer = await refused(
            client, "POST", "/customers/", 400, content=in_pieces(500_000), headers=JSON
        )
        assert list(answer.json()) == ["customerId"]


async def test_a_key_that_calls_too_often_waits(module_database_url):
    engine = await Engine.open(place(module_database_url))
    now = [0.0]
    try:
        read, write = engine.core_apps(FixedKeys())
        read.state.rate_limits = write.state.rate_limits = RateLimits(2, lambda: now[0])
        async with speaking(TrailingSlash(read)) as client:
            statuses = [(await client.get("/customers/")).status_code for _ in range(5)]
            assert statuses == [200, 200, 200, 200, 429]
            answer = await refused(client, "GET", "/customers/", 429)
            assert answer.headers["Retry-After"] == "1"
            assert answer.json()["code"] == "rate_limited"
            client.headers["Authorization"] = "Bearer wrong"
            await refused(client, "GET", "/customers/", 401)
            client.headers["Authorization"] = f"Bearer {SERVER_KEY}"
            now[0] += 1.0
            statuses = [(await client.get("/customers/")).status_code for _ in range(3)]
            assert statuses == [200, 200, 429]
    finally:
        await engine.close()


@contextlib.contextmanager
def away(server_url, database_url):
    """The database refuses everybody for the length of the block."""
    name = sql.Identifier(conninfo_to_dict(database_url)["dbname"])
    allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(allow.format(name, sql.SQL("false")))
        try:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                (conninfo_to_dict(database_url)["dbname"],),
            )
            yield
        finally:
            db.execute(allow.format(name, sql.SQL("true")))


async def test_while_the_database_is_away_it_is_503_and_then_well_again(server_url, database_url):
    async with running(database_url) as (_, client):
        with away(server_url, database_url):
            for method, path in (("GET", "/customers/"), ("POST", "/customers/")):
                async with asyncio.timeout(30):
                    answer = await refused(client, method, path, 503, json={"customerId": "a"})
                assert int(answer.headers["Retry-After"]) >= 1
                assert answer.json()["code"] == "unavailable"

        async def well():
            once = {"Idempotency-Key": "a"}  # it may be in the log before it can be answered
            answer = await client.post("/customers/", json={"customerId": "a"}, headers=once)
            while answer.status_code != 201:
                await asyncio.sleep(int(answer.headers["Retry-After"]) / 10)
                answer = await client.post("/customers/", json={"customerId": "a"}, headers=once)

        await asyncio.wait_for(well(), 60)
        assert (await client.get("/customers/")).json()["count"] == 1
