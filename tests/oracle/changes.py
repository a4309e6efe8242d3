"""Changes and pauses of a running subscription (design 7 and 13, cases 23 to 51 and 100)."""

from datetime import timedelta

from tests.oracle import rules
from tests.oracle.offers import OFFERS


class Changes:
    """The part of the ledger that knows what the rest of a period is worth."""

    def left(self, sub):
        """The part of the present period that is left, without paused time."""
        start, end = self.period(sub)
        at = sub.paused_at or self.now
        return rules.share_left(at, start, end, sub.paused_time)

    def _update(self, step):
        sub = self.subs[step.number]
        new = self._wanted(sub, step)
        if sub.is_over or sub.status in {"incomplete", "paused"} or new is None:
            return False
        if not sub.offer.recurs and sub.offer.plan != "free":
            return False
        seats = None if new.seat is None else step.seats or sub.seats
        if (new, seats) == (sub.offer, sub.seats):
            return True
        before = sub.offer
        sub.offer, sub.seats = new, seats
        if sub.status == "trialing":
            sub.worth = new, seats
        elif not before.recurs or new.period != before.period:
            self._begin_anew(sub, step.behavior, has_credit=before.recurs)
        else:
            self._prorate(sub, step.behavior)
        return True

    def _wanted(self, sub, step):
        found = [
            offer
            for offer in OFFERS
            if (offer.plan, offer.period, offer.currency)
            == (step.plan, step.period, sub.offer.currency)
        ]
        return found[0] if found else None

    def _prorate(self, sub, behavior):
        if behavior == "NO_PRORATION":
            return
        left = self.left(sub)
        old, new = self._parts(sub, *sub.worth), self._parts(sub, sub.offer, sub.seats)
        gone = [
            self._unused(sub, key, exact * left) for key, exact in old.items() if key not in new
        ]
        come = {key[1]: rules.rounded(exact * left) for key, exact in new.items() if key not in old}
        sub.charged |= come
        lines = [line for line in (*gone, *come.values()) if line]
        sub.worth = sub.offer, sub.seats
        if behavior == "PRORATE_NEXT_INVOICE":
            sub.deferred += lines
        elif lines:
            lines, sub.deferred = [*lines, *sub.deferred], []
            self._charge(sub, [self._issue(sub, lines)])

    def _begin_anew(self, sub, behavior, *, has_credit):
        """A new period begins now, and with it a new anchor."""
        credit = []
        if has_credit and behavior != "NO_PRORATION":
            left = self._left_of_old(sub)
            parts = self._parts(sub, *sub.worth).items()
            credit = [self._unused(sub, key, exact * left) for key, exact in parts]
        sub.anchor, sub.n, sub.stretched, sub.paused_time = self.now, 0, None, timedelta(0)
        whole = [rules.rounded(exact) for exact in sub.exact()]
        lines = [line for line in credit if line] + whole + sub.deferred
        sub.deferred, sub.worth = [], (sub.offer, sub.seats)
        sub.bill = self._issue(sub, lines, self._discount(sub, sum(whole)))
        sub.charged = dict(enumerate(rules.after_shares(whole, sub.offs)))
        self._charge(sub, [sub.bill])

    def _unused(self, sub, key, exact):
        """The credit of a line, which is never more than what was billed for it."""
        units = rules.rounded(exact)
        return -min(units, sub.charged.get(key[1], units))

    def _left_of_old(self, sub):
        new, sub.offer = sub.offer, sub.worth[0]
        left = self.left(sub)
        sub.offer = new
        return left

    def _parts(self, sub, offer, seats):
        """Each line of a whole period by what it is: equal ones come and go unseen.

        The discounts of the period share out over its lines.
        """
        total = sum(offer.parts(seats))
        share = rules.after_discounts(total, sub.offs) / total if total else 1
        exact = [part * share for part in offer.parts(seats)]
        return {(offer.plan, i, seats if i else 1, part): part for i, part in enumerate(exact)}

    # Pauses

    def _pause(self, step):
        sub = self.subs[step.number]
        if sub.status != "active" or sub.ends_at or not sub.offer.recurs:
            return False
        sub.stretched = self.period(sub)
        sub.status, sub.paused_at = "paused", self.now
        sub.resumes_at = rules.later_months(self.now, step.months)
        return True

    def _resume(self, step):
        sub = self.subs[step.number]
        if sub.status != "paused":
            return False
        self._go_on(sub)
        return True

    def _go_on(self, sub):
        """The unused rest follows: the end moves by the length of the pause, however late."""
        length = min(self.now, sub.resumes_at) - sub.paused_at
        start, end = sub.stretched
        sub.stretched = start, end + length
        sub.paused_time += length
        sub.status, sub.paused_at, sub.resumes_at = "active", None, None
