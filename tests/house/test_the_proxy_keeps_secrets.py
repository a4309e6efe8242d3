"""The proxy of the composed system logs no address that is as good as a key."""

import re
from pathlib import Path

import pytest


NGINX = Path(__file__).resolve().parents[2].joinpath("deploy", "nginx.conf").read_text()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/pay/c2VjcmV0", "/pay/..."),
        ("/checkout/cs_secret/price", "/checkout/..."),
        ("/portal/acme/invoices/7", "/portal/..."),
        ("/media/0f9d/private/book.pdf", "/media/..."),
        ("/pages/bank/secret", "/pages/bank/..."),
        ("/pages/style.css", "/pages/style.css"),
        ("/api/v1/customers/", "/api/v1/customers/"),
        ("/api/v1/checkout/sessions/cs_secret/events/", "/api/v1/checkout/sessions/..."),
    ],
)
def test_the_end_of_a_secret_address_is_not_logged(path, told):
    pattern = re.search(r'"~(\^\(\?<secret>[^"]+)" "\$\{secret\}\.\.\.";', NGINX)[1]
    found = re.match(pattern.replace("?<", "?P<"), path)
    assert (f"{found['secret']}..." if found else path) == told


def test_the_log_has_nothing_else_of_the_address():
    format_ = re.search(r"log_format addresses '(.*)';", NGINX)[1]
    assert "$told" in format_
    assert not re.search(r"\$(uri|request_uri|request|args|query_string|http_referer)\b", format_)


def test_what_a_visitor_says_of_its_own_address_does_not_count():
    assert "X-Forwarded-For $remote_addr;" in NGINX
