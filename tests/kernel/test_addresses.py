"""How far an address reaches decides whether the engine may call it."""

from ipaddress import ip_address

import pytest

from kernel.addresses import Reach, literal_address, reach


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("93.184.215.14", Reach.PUBLIC),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", Reach.PUBLIC),
        ("::ffff:93.184.215.14", Reach.PUBLIC),
        ("64:ff9b::5db8:d70e", Reach.PUBLIC),
        ("127.0.0.1", Reach.PRIVATE),
        ("127.255.255.254", Reach.PRIVATE),
        ("::1", Reach.PRIVATE),
        ("::ffff:127.0.0.1", Reach.PRIVATE),
        ("10.0.0.1", Reach.PRIVATE),
        ("172.16.0.1", Reach.PRIVATE),
        ("192.168.1.1", Reach.PRIVATE),
        ("100.64.0.1", Reach.PRIVATE),
        ("fc00::1", Reach.PRIVATE),
        ("::ffff:10.0.0.1", Reach.PRIVATE),
        ("2002:0a00:0001::", Reach.PRIVATE),
        ("64:ff9b::a00:1", Reach.PRIVATE),
        ("169.254.0.1", Reach.FORBIDDEN),
        ("169.254.169.254", Reach.FORBIDDEN),
        ("::ffff:169.254.169.254", Reach.FORBIDDEN),
        ("64:ff9b::a9fe:a9fe", Reach.FORBIDDEN),
        ("64:ff9b:1::a9fe:a9fe", Reach.FORBIDDEN),
        ("2002:a9fe:a9fe::", Reach.FORBIDDEN),
        ("::169.254.169.254", Reach.FORBIDDEN),
        ("fd00:ec2::254", Reach.FORBIDDEN),
        ("100.100.100.200", Reach.FORBIDDEN),
        ("168.63.129.16", Reach.FORBIDDEN),
        ("fe80::1", Reach.FORBIDDEN),
        ("fec0::1", Reach.FORBIDDEN),
        ("224.0.0.1", Reach.FORBIDDEN),
        ("ff02::1", Reach.FORBIDDEN),
        ("255.255.255.255", Reach.FORBIDDEN),
        ("240.0.0.1", Reach.FORBIDDEN),
        ("0.0.0.0", Reach.FORBIDDEN),
        ("::", Reach.FORBIDDEN),
    ],
)
def test_every_address_has_a_reach(text, expected):
    assert reach(ip_address(text)) is expected


@pytest.mark.parametrize("text", ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1"])
def test_all_spellings_of_loopback_are_read(text):
    assert literal_address(text) == ip_address("127.0.0.1")


@pytest.mark.parametrize("text", ["[::1]", "::1", "::1%lo"])
def test_brackets_and_zones_are_no_part_of_an_address(text):
    assert literal_address(text) == ip_address("::1")


@pytest.mark.parametrize("text", ["localhost", "example.com", "", "1.2.3.4.5"])
def test_a_name_is_no_address(text):
    assert literal_address(text) is None
