"""Which addresses and which kinds of events a webhook endpoint may have."""

import pytest

from aggregates.webhook_endpoint.target import TargetRules, valid_events, valid_url
from kernel.errors import InvalidFields
from kernel.event_kinds import EventKind


PRODUCTION = TargetRules(allow_http=False, allow_private=False)
SANDBOX = TargetRules(allow_http=True, allow_private=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/billing?team=7",
        "https://hooks.example.com:8443/",
        "https://bücher.example/hook",
        "https://93.184.215.14/hook",
        "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook",
    ],
)
def test_public_https_addresses_are_taken_everywhere(url):
    assert valid_url(url, PRODUCTION) == url
    assert valid_url(url, SANDBOX) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example.com",
        "ftp://hooks.example.com/",
        "https://",
        "https:///path",
        "https://hooks.example.com:0/",
        "https://hooks.example.com:99999/",
        "https://hooks.example.com:port/",
        "https://a..example.com/",
        "https://[::1",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/\x00",
        "https://hooks.example.com/\n",
        f"https://{'a' * 64}.example.com/",
        "javascript:alert(1)",
        "http://127.1/",
        "http://2130706433/",
        "http://0xA9FEA9FE/",
        "http://[fe80::1%25eth0]/",
    ],
)
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(InvalidFields) as refused:
        valid_url(url, SANDBOX)
    assert refused.value.fields == {"url": ["Enter a valid URL."]}


def test_an_address_of_2049_characters_is_too_long():
    url = "https://hooks.example.com/"
    longest = url + "x" * (2048 - len(url))
    assert valid_url(longest, SANDBOX) == longest
    with pytest.raises(InvalidFields):
        valid_url(longest + "x", SANDBOX)


def test_credentials_do_not_belong_into_an_address():
    with pytest.raises(InvalidFields, match="credentials"):
        valid_url("https://user:password@hooks.example.com/", SANDBOX)


def test_plain_http_is_for_the_sandbox():
    assert valid_url("http://hooks.example.com/", SANDBOX)
    with pytest.raises(InvalidFields, match="https"):
        valid_url("http://hooks.example.com/", PRODUCTION)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.1.2.3", "localhost", "a.localhost."])
def test_private_addresses_are_only_for_where_they_are_allowed(host):
    assert valid_url(f"http://{host}:8080/", SANDBOX)
    with pytest.raises(InvalidFields, match="public"):
        valid_url(f"https://{host}/", PRODUCTION)


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "[fe80::1]",
        "[::ffff:169.254.169.254]",
        "[fd00:ec2::254]",
        "100.100.100.200",
    ],
)
def test_link_local_multicast_and_metadata_are_refused_always(host):
    with pytest.raises(InvalidFields, match="public"):
        valid_url(f"http://{host}/", SANDBOX)


def test_every_kind_of_event_and_the_star_can_be_subscribed():
    every = ("*", *EventKind)
    assert valid_events(every) == every


def test_the_kinds_are_those_of_the_interface():
    assert len(EventKind) == 22
    assert {"subscription.cancelled", "subscription.trial_will_end"} <= set(EventKind)


def test_repetitions_are_dropped():
    assert valid_events(["invoice.paid", "*", "invoice.paid"]) == ("invoice.paid", "*")


def test_unknown_kinds_are_named():
    with pytest.raises(InvalidFields) as refused:
        valid_events(["invoice.paid", "payment.failed", "subscription.canceled"])
    assert refused.value.fields == {
        "events": [
            '"payment.failed" is not a valid choice.',
            '"subscription.canceled" is not a valid choice.',
        ]
    }


def test_an_endpoint_without_kinds_is_refused():
    with pytest.raises(InvalidFields):
        valid_events([])
