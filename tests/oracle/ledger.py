"""One customer's life as a careful accountant would keep it (design 6 to 8, 13)."""

from datetime import UTC, datetime, time, timedelta

from tests.oracle import rules
from tests.oracle.changes import Changes
from tests.oracle.collection import Collection
from tests.oracle.offers import offer
from tests.oracle.records import Books, Method, Sub
from tests.oracle.steps import (
    Cancel,
    Card,
    Jump,
    Pause,
    Reactivate,
    Resume,
    Subscribe,
    Until,
    Update,
)


MOST_AT_ONCE = 24
"""Periods made up for before any of them is collected; the others follow one by one."""


AT_ONE_INSTANT = (
    "resume cancellation unpaid_cancellation payment_retry incomplete_expiry trial_end renewal"
).split()
"""The rules order them but for the kinds in the middle, which come as they are listed here."""


class Ledger(Changes, Collection):
    """Lives through steps and time; ``do`` is False where the engine has to refuse."""

    def __init__(self, now, tax=0, tie=lambda number, _: number):
        """``tie`` orders equal timers of several subscriptions; no rule says how."""
        self.tie = tie
        self.now, self.tax = now, tax
        self.method = None
        self.subs = []
        self.books = Books()

    def do(self, step):
        """Every step takes place after everything that has become due."""
        acts = {
            Card: self._card,
            Subscribe: self._subscribe,
            Cancel: self._cancel,
            Reactivate: self._reactivate,
            Until: self._until,
            Jump: self._jump,
            Update: self._update,
            Pause: self._pause,
            Resume: self._resume,
        }
        accepted = acts[type(step)](step) is not False
        self._until(Until(self.now))
        return accepted

    # Time

    def due(self):
        """What falls due, and when: the earliest first, then in the order of one instant."""
        return sorted(
            (
                (at, AT_ONE_INSTANT.index(kind), self.tie(sub.number, kind), act)
                for sub in self.subs
                for at, kind, act in self._of(sub)
            ),
            key=lambda timer: timer[:3],
        )

    def _of(self, sub):
        if sub.resumes_at:
            yield sub.resumes_at, "resume", lambda: self._go_on(sub)
        if sub.ends_at and not sub.is_over:
            yield sub.ends_at, "cancellation", lambda: self._end(sub)
        if sub.give_up_at:
            yield sub.give_up_at, "unpaid_cancellation", lambda: self._end(sub)
        if sub.retry_at:
            yield sub.retry_at, "payment_retry", lambda: self._retry(sub)
        if sub.status == "incomplete":
            yield sub.expires_at, "incomplete_expiry", lambda: self._expire(sub)
        if sub.status == "trialing":
            yield sub.trial_end, "trial_end", lambda: self._convert(sub)
        if sub.status in {"active", "past_due"} and sub.offer.recurs:
            yield self.period(sub)[1], "renewal", lambda: self._renew(sub)

    def _until(self, step):
        while (due := self.due()) and due[0][0] <= step.instant:
            self.now = max(self.now, due[0][0])
            due[0][3]()
        self.now = max(self.now, step.instant)

    def _jump(self, step):
        self.now = max(self.now, step.instant)
        self._until(step)

    def period(self, sub):
        """The present period, None where there is none."""
        if sub.status == "trialing":
            return sub.started, sub.trial_end
        if not sub.offer.recurs:
            return None
        if sub.stretched:
            return sub.stretched
        period = sub.offer.period
        return tuple(rules.boundary(sub.anchor, period, n) for n in (sub.n, sub.n + 1))

    # What the customer does

    def _subscribe(self, step):
        sold = offer(step.plan, step.period, step.currency)
        started = self.now - timedelta(days=step.days_ago)
        days = sold.trial_days if step.trial_days is None else step.trial_days
        sub = Sub(len(self.subs), sold, step.seats, "active", started, started)
        sub.worth = sold, step.seats
        sub.discounts = [(step.discount, step.discount.cycles)] if step.discount else []
        self.subs.append(sub)
        if days:
            sub.status, sub.trial_end = "trialing", started + timedelta(days=days)
            return
        if not step.bill_past and started < self.now:
            while self.period(sub)[1] <= self.now:
                sub.n += 1
            if self.period(sub)[0] < self.now:
                return
        bill = self._bill(sub)
        if bill.due and self._attempt(sub, bill) != "paid":
            sub.status, sub.expires_at = "incomplete", self.now + timedelta(hours=24)
        elif sub.offer.recurs and bill.due:
            self._charge_missed(sub)

    def _card(self, step):
        self.method = Method(step.behavior)
        for sub in self.subs:
            if sub.status == "incomplete":
                self._pay_first(sub)
            elif sub.status == "past_due":
                self._collect(sub)

    def _pay_first(self, sub):
        if self._attempt(sub, sub.bill) == "paid":
            sub.status, sub.expires_at = "active", None
            sub.anchor, sub.n = self.now, 0

    def _cancel(self, step):
        sub = self.subs[step.number]
        if sub.is_over or not sub.offer.recurs:
            return False
        at = self._end_of(sub, step)
        if at is False:
            return False
        if at is None:
            self._close(sub)
            if step.credit:
                self._credit(sub)
            self._end(sub)
        else:
            sub.ends_at = at
        return True

    def _end_of(self, sub, step):
        """When it ends: None now, False never (refused)."""
        if step.type == "SPECIFIC_DATE":
            at = datetime.combine(step.on, time(), UTC)
            return at if at > self.now else False
        if step.type == "IMMEDIATE" or sub.status in {"incomplete", "paused"}:
            return None
        return self.period(sub)[1]

    def _credit(self, sub):
        if sub.status not in {"active", "past_due", "paused"} or not sub.bill or sub.bill.is_open:
            return
        left = self.left(sub)
        parts = self._parts(sub, *sub.worth).items()
        lines = [self._unused(sub, key, exact * left) for key, exact in parts]
        if any(lines):
            note = self._issue(sub, [line for line in lines if line])
            self._meet(sub, -note.total)

    def _meet(self, sub, credit):
        """Credit takes off what a change left unpaid; less than a charge is not left over."""
        currency = sub.offer.currency
        for bill in self.open_bills(sub):
            owed = bill.due - bill.met
            taken = min(credit, -self.books.balances[currency], owed)
            if credit > 0 and owed - taken < rules.MINIMUMS[currency]:
                taken = owed
            if credit > 0 and taken > 0:
                credit, bill.met = credit - taken, bill.met + taken
                self.books.balances[currency] += taken
                bill.status = "PAID" if bill.met == bill.due else bill.status

    def _reactivate(self, step):
        sub = self.subs[step.number]
        if sub.is_over or not sub.ends_at:
            return False
        sub.ends_at = None
        return True

    # What falls due

    def _close(self, sub):
        """What waited for the next invoice is settled by a last one."""
        lines, sub.deferred = sub.deferred, []
        if lines:
            bill = self._issue(sub, lines)
            if bill.due:
                self._attempt(sub, bill)

    def _end(self, sub):
        self._close(sub)
        sub.status = "canceled"
        self._stop(sub)
        sub.ends_at = sub.expires_at = sub.paused_at = sub.resumes_at = None

    def _expire(self, sub):
        sub.status, sub.expires_at = "incomplete_expired", None

    def _convert(self, sub):
        sub.status, sub.anchor, sub.n = "active", sub.trial_end, 0
        self._charge(sub, [self._bill(sub)])

    def _renew(self, sub):
        self._next_period(sub)
        self._charge(sub, [self._bill(sub)])

    def _next_period(self, sub):
        if sub.stretched:
            sub.anchor, sub.n = sub.stretched[1], -1
            sub.stretched, sub.paused_time = None, timedelta(0)
        sub.n += 1

    def _charge_missed(self, sub):
        """All periods that have begun meanwhile are billed in order, then collected in order."""
        bills = []
        for _ in range(MOST_AT_ONCE):
            end = self.period(sub)[1]
            if end > self.now or (sub.ends_at and sub.ends_at <= end):
                break
            self._next_period(sub)
            bills.append(self._bill(sub))
        self._charge(sub, bills)

    def _charge(self, sub, bills):
        if sub.status == "past_due":
            return
        words = [self._attempt(sub, bill) for bill in bills if bill.due]
        failed = [word for word in words if word != "paid"]
        if failed:
            self._fall_behind(sub, failed[-1])
