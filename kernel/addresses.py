"""Which network addresses the engine may call on behalf of a merchant (design 9)."""

from __future__ import annotations

import socket
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final


Address = IPv4Address | IPv6Address


class Reach(StrEnum):
    """How far an address reaches."""

    PUBLIC = "public"
    PRIVATE = "private"
    FORBIDDEN = "forbidden"


METADATA: Final = frozenset(
    ip_address(text)
    for text in ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16")
)
"""Where clouds hand credentials to whoever asks from inside."""

_NAT64: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_COMPATIBLE: Final = IPv6Network("::/96")
_LOW_32_BITS: Final = 0xFFFFFFFF


def reach(address: Address) -> Reach:
    """PUBLIC, PRIVATE (also loopback) or FORBIDDEN (link-local, multicast, metadata, reserved).

    An IPv6 address that carries an IPv4 address is judged by the one it carries.
    """
    inner = _carried(address)
    if inner is not None:
        return reach(inner)
    if address in METADATA or address.is_link_local or address.is_multicast:
        return Reach.FORBIDDEN
    if address.is_loopback:
        return Reach.PRIVATE
    if address.is_unspecified or address.is_reserved or _is_site_local(address):
        return Reach.FORBIDDEN
    return Reach.PUBLIC if address.is_global else Reach.PRIVATE


def _is_site_local(address: Address) -> bool:
    return isinstance(address, IPv6Address) and address.is_site_local


def _carried(address: Address) -> IPv4Address | None:
    """The IPv4 address inside a mapped, compatible, 6to4, Teredo or NAT64 address."""
    if isinstance(address, IPv4Address) or address.is_loopback or address.is_unspecified:
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _COMPATIBLE or any(address in network for network in _NAT64):
        return IPv4Address(int(address) & _LOW_32_BITS)
    return None


def literal_address(host: str) -> Address | None:
    """The address that a host name spells out, as any resolver reads it (``127.1``), or None."""
    bare = host.strip("[]").partition("%")[0]
    try:
        return ip_address(bare)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(bare))
    except (OSError, ValueError):
        return None
