"""How to reach the brokers; knows nothing of the client, which takes its time to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How to reach the brokers.

    ``options`` are the client's own, security included; ``replication`` -1 is the brokers' default.
    """

    options: Mapping[str, Any]
    replication: int = -1
    compression: str | None = None
