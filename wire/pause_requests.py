"""What clients send to pause a subscription (design 13)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from wire.base import In
from wire.fields import Instant


LONGEST_PAUSE_MONTHS = 120


class PauseIn(In):
    """How long to pause: ``pauseMonths`` from now or until ``resumesAt``, one of them."""

    pause_months: Annotated[int, Field(ge=1, le=LONGEST_PAUSE_MONTHS, strict=True)] | None = None
    resumes_at: Instant | None = None
