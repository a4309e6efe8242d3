"""Record that a customer used a feature (wire 22)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer.decide import require
from aggregates.customer.state import CUSTOMER
from aggregates.feature.decide import FeatureNotFound
from aggregates.feature.state import FEATURE
from aggregates.usage.decide import require_metered
from aggregates.usage.events import UsageReported
from aggregates.usage.state import REPORT
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.usage import Behaviour


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportUsage:
    """``customer_id`` and ``feature`` are the merchant's own identifiers."""

    report_id: UUID
    customer_id: str
    feature: str
    behaviour: Behaviour
    value: int
    resource_id: str | None = None


@handles(ReportUsage)
async def report_usage(work: UnitOfWork, command: ReportUsage) -> None:
    """A stream of its own per report: reports neither wait for each other nor grow anything.

    Raises CustomerNotFound, FeatureNotFound, FeatureIsNotMetered, ClockAdvancing.
    """
    customer = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, customer, guard=False)
    require(state)
    feature = work.natural_id("feature", command.feature)
    words = (await work.load(FEATURE, feature, guard=False)).words
    if words is None:
        raise FeatureNotFound(f"There is no feature {command.feature!r}.")
    require_metered(words)
    at = await instant_for(work, state)
    reported = UsageReported(
        report_id=command.report_id,
        customer=customer,
        feature_id=words.id,
        feature=words.identifier,
        behaviour=command.behaviour,
        value=command.value,
        resource_id=command.resource_id,
        occurred_at=at,
    )
    await work.create(REPORT, command.report_id, [reported], owner=customer)
