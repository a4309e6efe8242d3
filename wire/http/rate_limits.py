"""How often a key may call: a token bucket per key and process (design 12)."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from kernel.errors import TooManyRequests


MOST_BUCKETS = 100_000
BURST_SECONDS = 2
"""A bucket holds what the rate lets through in this time."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class RateLimits:
    """Buckets that fill at ``rate`` calls a second; each process keeps its own."""

    def __init__(
        self, rate: float, clock: Callable[[], float] = time.monotonic, *, most: float | None = None
    ) -> None:
        """Allow ``rate`` calls a second on average and ``most``, else twice ``rate``, at once."""
        self._rate = rate
        self._most = max(rate * BURST_SECONDS, 1.0) if most is None else most
        self._clock = clock
        self._buckets: OrderedDict[UUID, _Bucket] = OrderedDict()

    def take(self, key_id: UUID) -> None:
        """Let one call of this key through. Raises TooManyRequests with the seconds to wait."""
        now = self._clock()
        bucket = self._buckets.get(key_id)
        if bucket is None:
            bucket = self._buckets[key_id] = _Bucket(self._most, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key_id)
        earned = (now - bucket.filled_at) * self._rate
        bucket.tokens = min(self._most, bucket.tokens + earned)
        bucket.filled_at = now
        if bucket.tokens < 1:
            raise TooManyRequests(max(1, math.ceil((1 - bucket.tokens) / self._rate)))
        bucket.tokens -= 1
