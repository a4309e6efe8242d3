"""Countries of addresses, of both kinds, and of visitors behind a proxy that names them."""

import pytest
from starlette.requests import Request

from adapters.countries import TableOfCountries
from wire.http.visitors import Visitors, is_crawler


TABLE = TableOfCountries()


@pytest.mark.parametrize(
    ("address", "country"),
    [
        ("8.8.8.8", "US"),
        ("49.36.0.1", "IN"),
        ("2a00:1450:4001::1", "DE"),
        ("10.0.0.1", None),
        ("127.0.0.1", None),
        ("::1", None),
        ("nonsense", None),
        ("", None),
        ("8.8.8.8.8", None),
    ],
)
def test_what_is_known_of_an_address(address, country):
    assert TABLE.of(address) == country


def visit(address="49.36.0.1", **headers):
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    client = None if address is None else (address, 1234)
    return Request({"type": "http", "headers": pairs, "client": client})


@pytest.mark.parametrize(
    ("header", "request_", "country"),
    [
        (None, visit(), "IN"),
        (None, visit(cf_ipcountry="DE"), "IN"),
        (None, visit(None), None),
        ("CF-IPCountry", visit(cf_ipcountry="de"), "DE"),
        ("CF-IPCountry", visit(), None),
        ("CF-IPCountry", visit(cf_ipcountry="XX"), None),
        ("CF-IPCountry", visit(cf_ipcountry="Germany"), None),
    ],
)
def test_a_header_counts_only_when_a_proxy_is_trusted_with_it(header, request_, country):
    assert Visitors(TABLE, header).country_of(request_) == country


@pytest.mark.parametrize(
    ("agent", "machine"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", False),
        ("Mozilla/5.0 (compatible; Examplebot/2.1; +http://example.com/bot.html)", True),
        ("curl/8.5.0", True),
        ("", True),
    ],
)
def test_a_machine_that_says_so_is_one(agent, machine):
    assert is_crawler(visit(user_agent=agent)) is machine
