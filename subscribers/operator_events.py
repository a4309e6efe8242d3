"""What an operator must hear of: one line a matter, that a log watcher can match (design 8, 9).

    ERROR billstream.operator: webhook_endpoint_disabled {"endpoint": "...", "reason": "..."}

The words are stable; alerts may be built on them.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final


class OperatorEvent(StrEnum):
    """Matters that no caller of the API hears of by itself."""

    PAYMENT_UNKNOWN = "payment_unknown"
    REFUND_UNKNOWN = "refund_unknown"
    WEBHOOK_ENDPOINT_DISABLED = "webhook_endpoint_disabled"


LOGGER: Final = "billstream.operator"

_log = logging.getLogger(LOGGER)


def raise_operator_event(event: OperatorEvent, **about: object) -> None:
    """Tell it, with what it is about; may tell the same matter again."""
    _log.error("%s %s", event, json.dumps({name: _plain(each) for name, each in about.items()}))


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return int(value.total_seconds())
    return str(value)
