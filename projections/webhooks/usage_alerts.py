"""How reports of usage announce the thresholds that they reach."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kernel.event_kinds import EventKind
from projections.table import Doc
from projections.usage import USAGE_ALERTS
from projections.webhooks.announcement import Announcement, Around
from wire.webhooks.envelope import Object
from wire.webhooks.usage_alert import usage_alert_object


REACHED: Final = "usage reaches a threshold of the plan: one event for each, once in a period"


def _shown(doc: Doc, around: Around) -> Object:
    return usage_alert_object(doc, around.customer)


def _alerts(doc: Doc) -> Sequence[Doc]:
    found: Sequence[Doc] = doc["alerts"]
    return found


usage_alert = partial(
    Announcement,
    kind=EventKind.FEATURE_USAGE_ALERT,
    table=USAGE_ALERTS,
    shape=_shown,
    each=_alerts,
)
