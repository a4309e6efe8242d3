"""Changes and pauses of a running subscription (design 7 and 13, cases 23 to 51 and 100)."""

from datetime import timedelta

from tests.oracle import rules
from tests.oracle.crediting import units_of
from tests.oracle.offers import offer
from tests.oracle.records import Pending


TERMS = (
    "offer seats worth offs deferred anchor n stretched paused_time bill feature_version "
    "charged taxed sources ahead"
).split()


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
        if new is None or not self._may_change(sub):
            return False
        seats = None if new.seat is None else step.seats or sub.seats
        if step.trial and (step.trial < 0 or not (sub.trialing or not sub.offer.recurs)):
            return False
        moves_trial = step.trial is not None and sub.trialing
        if (new, seats) != (sub.offer, sub.seats) or moves_trial:
            self._change(sub, new, seats, step)
            self._move_end(sub)
        return True

    def _move_end(self, sub):
        """What ends with its period ends with the one that it has now."""
        if sub.ends_at and sub.ends_with_period and self.period(sub):
            sub.ends_at = self.period(sub)[1]

    def _may_change(self, sub):
        if sub.is_over or sub.status in {"incomplete", "paused"} or sub.pending:
            return False
        return sub.offer.recurs or sub.offer.plan == "free"

    def _change(self, sub, new, seats, step):
        before, used = self._terms(sub), sub.discounts
        old = sub.offer
        sub.offer, sub.seats = new, seats
        if new.plan != old.plan:
            sub.feature_version = new.version
        bills = self._billed_change(sub, old, step)
        if step.waits and any(bill.due for bill in bills):
            cycles = [(d, left) for d, left in used if left]
            self._wait(sub, before, bills[0], cycles)
        else:
            for bill in bills:
                self._mark(before["sources"], before["ahead"], bill.back)
            self._note_free(sub)
            self._charge(sub, bills)

    def _note_free(self, sub):
        if not sub.offer.recurs:
            sub.freed.append(self.now)

    def _billed_change(self, sub, old, step):
        """What a change bills at once."""
        if not sub.offer.recurs:
            return self._become_free(sub, old, step.behavior)
        if sub.trialing:
            sub.worth = sub.offer, sub.seats
            self._move_trial(sub, step.trial)
            return []
        if step.trial and not old.recurs:
            sub.worth = sub.offer, sub.seats
            self._try(sub, self.now + timedelta(days=step.trial))
            return []
        if not old.recurs or sub.offer.period != old.period:
            return self._begin_anew(sub, step.behavior, has_credit=old.recurs)
        return self._prorate(sub, step.behavior)

    def _move_trial(self, sub, days):
        if days is not None:
            sub.trial_end = self.now + timedelta(days=days)
        if days == 0:
            self._convert(sub)

    def _wanted(self, sub, step):
        if (sub.offer.plan, sub.offer.period) == (step.plan, step.period):
            return sub.offer
        stays = sub.offer.plan == step.plan
        version = sub.offer.version if stays else self.newest
        return offer(step.plan, step.period, sub.offer.currency, version)

    def _prorate(self, sub, behavior):
        if behavior == "NO_PRORATION":
            return []
        left = self.left(sub)
        old, new = self._parts(sub, *sub.worth), self._parts(sub, sub.offer, sub.seats)
        gone = [
            self._unused(sub, key, exact * left) for key, exact in old.items() if key not in new
        ]
        come = {key[1]: exact * left for key, exact in new.items() if key not in old}
        sub.charged |= {key: (rules.rounded(exact), None) for key, exact in come.items()}
        lines = [line for line in (*gone, *come.values()) if rules.rounded(line)]
        sub.worth = sub.offer, sub.seats
        lines, back = self._within(sub, [*sub.deferred, *lines])
        if behavior == "PRORATE_NEXT_INVOICE" or lines == sub.deferred:
            self._mark(sub.sources, sub.ahead, back)
            sub.deferred, sub.ahead = lines, back
            return []
        return [self._issue_change(sub, lines, back)]

    def _issue_change(self, sub, carried, back, whole=(), discount=0):
        bill = self._issue(sub, [*units_of(carried), *whole], discount)
        bill.back = back
        self._settle_deferred(sub, bill)
        sub.sources = [*sub.sources, bill]
        return bill

    def _begin_anew(self, sub, behavior, *, has_credit):
        """A new period begins now, and with it a new anchor."""
        credit = []
        if has_credit and behavior != "NO_PRORATION":
            left = self._left_of_old(sub)
            parts = self._parts(sub, *sub.worth).items()
            credit = [self._unused(sub, key, exact * left) for key, exact in parts]
        sub.anchor, sub.n, sub.stretched, sub.paused_time = self.now, 0, None, timedelta(0)
        whole = units_of(sub.exact())
        discount = self._discount(sub, sum(whole))
        lines = [*sub.deferred, *(line for line in credit if rules.rounded(line))]
        lines, back = self._within(sub, lines, sum(whole) - discount)
        sub.worth = sub.offer, sub.seats
        sub.bill = self._issue_change(sub, lines, back, whole, discount)
        sub.bill.period = self.period(sub)
        sub.charge_whole(rules.after_shares(whole, sub.offs))
        return [sub.bill]

    def _become_free(self, sub, old, behavior):
        """Nothing recurs any more: what waited is settled with the credit of the rest."""
        free, sub.offer = sub.offer, old
        credit = []
        if behavior != "NO_PRORATION" and not sub.trialing:
            left = self._left_of_old(sub)
            parts = self._parts(sub, *sub.worth).items()
            credit = [self._unused(sub, key, exact * left) for key, exact in parts]
        lines = [*sub.deferred, *(line for line in credit if rules.rounded(line))]
        lines, back = self._within(sub, lines)
        bills = [self._issue_change(sub, lines, back)] if lines else []
        sub.offer, sub.worth, sub.anchor = free, (free, None), self.now
        sub.n, sub.stretched, sub.paused_time = 0, None, timedelta(0)
        if sub.trialing:
            sub.status = "active"
        return bills

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

    # Changes that wait for their payment

    def _terms(self, sub):
        """What a change replaces."""
        return {name: getattr(sub, name) for name in TERMS}

    def _wait(self, sub, before, bill, cycles):
        sub.pending = Pending(self._terms(sub), bill, self.now + timedelta(hours=24), cycles)
        for name, value in before.items():
            setattr(sub, name, value)
        if period := self.period(sub):
            sub.pending.expires_at = min(sub.pending.expires_at, period[1])
        self._pay_pending(sub)

    def _pay_pending(self, sub):
        word = self._attempt(sub, sub.pending.bill)
        if word == "paid":
            self._mark(sub.sources, sub.ahead, 0)
            for name, value in sub.pending.terms.items():
                setattr(sub, name, value)
            sub.pending = None
            self._note_free(sub)
            self._move_end(sub)
        elif word in {"soft", "hard"}:
            self._drop_pending(sub)

    def _drop_pending(self, sub):
        """Cycles and balance come back; what is paid of it after all is credit."""
        bill, cycles, sub.pending = sub.pending.bill, sub.pending.cycles, None
        bill.is_withdrawn = True
        if bill.applied:
            self.books.move(bill.currency, -bill.applied)
            bill.starting = bill.ending = self.books.balances[bill.currency]
            bill.applied, bill.due = 0, bill.total
        given_back = [d for d, _ in cycles]
        sub.discounts = [
            (d, left + 1 if d in given_back and left is not None else left)
            for d, left in sub.discounts
        ]

    # Pauses

    def _pause(self, step):
        sub = self.subs[step.number]
        if sub.status != "active" or sub.ends_at or not sub.offer.recurs or sub.pending:
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
        until = min(self.now, sub.resumes_at)
        sub.pauses.append((sub.paused_at, until))
        length = until - sub.paused_at
        start, end = sub.stretched
        sub.stretched = start, end + length
        sub.paused_time += length
        sub.status, sub.paused_at, sub.resumes_at = "active", None, None
