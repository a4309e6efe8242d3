"""How to reach the brokers; knows nothing of the client, which takes its time to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


CONNECTION: Mapping[str, Any] = {
    "request_timeout_ms": 8_000,
    "bootstrap_timeout_ms": 8_000,
    "reconnect_backoff_max_ms": 500,
}
"""Every client's patience: what failed is done again, so that waiting longer gains nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How to reach the brokers.

    ``options`` are the client's own, security included; ``replication`` -1 is the brokers' default.
    """

    options: Mapping[str, Any]
    replication: int = -1
    compression: str | None = None
