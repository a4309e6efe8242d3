"""What keeps a customer: retention offers (design 13), newer versions (cases 45 to 47)."""

from tests.oracle import rules
from tests.oracle.offers import (
    ACCEPTANCES,
    CYCLES_TO_STAY,
    DURATIONS,
    PERCENT_TO_STAY,
    VERSIONS,
    WITHIN_MONTHS,
    offer,
)
from tests.oracle.steps import Discount, Pause


class Keeping:
    """The part of the ledger that knows offers and versions."""

    def _accept(self, step):
        sub = self.subs[step.number]
        eligible = {"active"} if step.offer == "PAUSE" else {"active", "trialing", "past_due"}
        since = rules.later_months(self.now, -WITHIN_MONTHS)
        used = len([at for at in sub.accepted if at > since])
        if sub.status not in eligible or sub.ends_at or not sub.offer.recurs or used >= ACCEPTANCES:
            return False
        if step.offer == "PAUSE" and (step.months not in DURATIONS or sub.pending):
            return False
        sub.accepted.append(self.now)
        if step.offer == "PAUSE":
            self._pause(Pause(step.number, step.months))
        elif step.offer == "DISCOUNT":
            sub.discounts.append((Discount(PERCENT_TO_STAY, cycles=CYCLES_TO_STAY), CYCLES_TO_STAY))
        return True

    def _publish(self, step):
        del step
        self.newest = min(self.newest + 1, len(VERSIONS))

    def _migrate(self, step):
        sub = self.subs[step.number]
        if not (step.features or step.pricing) or sub.offer.is_custom or not sub.offer.recurs:
            return False
        if not self._may_change(sub):
            return False
        newest = self.newest if sub.offer.plan == "aged" else 1
        reprices = step.pricing and sub.offer.version < newest
        if not reprices and not (step.features and sub.feature_version < newest):
            return False
        if step.features:
            sub.feature_version = newest
        if reprices:
            sub.offer = offer("aged", sub.offer.period, "USD", newest)
            if sub.status == "trialing":
                sub.worth = sub.offer, sub.seats
            else:
                self._prorate(sub, "PRORATE_NEXT_INVOICE")
        return True
