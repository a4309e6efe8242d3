"""One customer's life as a careful accountant would keep it (design 6 to 8, 13)."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

from tests.oracle import rules
from tests.oracle.changes import Changes
from tests.oracle.collection import Collection
from tests.oracle.crediting import Crediting, units_of
from tests.oracle.keeping import Keeping
from tests.oracle.offers import offer
from tests.oracle.once import Once
from tests.oracle.records import Books, Method, Sub
from tests.oracle.steps import (
    Accept,
    Adjust,
    Cancel,
    Card,
    Charge,
    Jump,
    Migrate,
    Pause,
    Publish,
    Reactivate,
    Refund,
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


class Ledger(Changes, Collection, Crediting, Once, Keeping):
    """Lives through steps and time; ``do`` is False where the engine has to refuse."""

    def __init__(self, now, tax=0, tie=lambda number, _: number):
        """``tie`` orders equal timers of several subscriptions; no rule says how."""
        self.tie = tie
        self.now, self.tax = now, tax
        self.method, self.newest = None, 1
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
            Refund: self._refund,
            Charge: self._charge_once,
            Adjust: self._adjust,
            Accept: self._accept,
            Publish: self._publish,
            Migrate: self._migrate,
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
        renews = sub.status in {"active", "past_due"} and sub.offer.recurs
        pending = sub.pending and sub.pending.expires_at
        timers = (
            (sub.resumes_at, "resume", self._go_on),
            (None if sub.is_over else sub.ends_at, "cancellation", self._end),
            (sub.give_up_at, "unpaid_cancellation", self._end),
            (sub.retry_at, "payment_retry", self._retry),
            (sub.expires_at, "incomplete_expiry", self._expire),
            (pending, "incomplete_expiry", self._drop_pending),
            (sub.trial_end if sub.trialing else None, "trial_end", self._convert),
            (self.period(sub)[1] if renews else None, "renewal", self._renew),
        )
        for at, kind, act in timers:
            if at:
                yield at, kind, partial(act, sub)

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
            return sub.trial_start, sub.trial_end
        if not sub.offer.recurs:
            return None
        if sub.stretched:
            return sub.stretched
        period = sub.offer.period
        return tuple(rules.boundary(sub.anchor, period, n) for n in (sub.n, sub.n + 1))

    # What the customer does

    def _subscribe(self, step):
        sold = offer(step.plan, step.period, step.currency, self.newest)
        sold = sold.at(step.custom) if step.custom else sold
        started = self.now - timedelta(days=step.days_ago)
        days = sold.trial_days if step.trial_days is None else step.trial_days
        sub = Sub(len(self.subs), sold, step.seats, "active", started, started)
        sub.worth, sub.feature_version = (sold, step.seats), sold.version
        sub.discounts = [(step.discount, step.discount.cycles)] if step.discount else []
        self.subs.append(sub)
        if days:
            self._try(sub, started + timedelta(days=days))
            return
        if not step.bill_past and started < self.now:
            while self.period(sub)[1] <= self.now:
                sub.n += 1
            if self.period(sub)[0] < self.now:
                return
        bill = self._bill(sub)
        if bill.due and self._attempt(sub, bill) != "paid":
            sub.status, sub.expires_at = "incomplete", self.now + timedelta(hours=24)
        elif bill.due:
            sub.activated = [self.period(sub)]
            if sub.offer.recurs:
                self._charge_missed(sub)

    def _try(self, sub, end):
        sub.status, sub.trial_start, sub.trial_end = "trialing", self.now, end

    def _card(self, step):
        self.method = Method(step.behavior)
        for sub in self.subs:
            if sub.status == "incomplete":
                self._pay_first(sub)
            elif sub.status == "past_due":
                self._collect(sub)
            if sub.pending:
                self._pay_pending(sub)

    def _pay_first(self, sub):
        if self._attempt(sub, sub.bill) == "paid":
            sub.status, sub.expires_at = "active", None
            sub.anchor, sub.n = self.now, 0
            sub.activated = [self.period(sub)]

    def _cancel(self, step):
        sub = self.subs[step.number]
        if sub.is_over or not (sub.offer.recurs or sub.status == "past_due"):
            return False
        at = self._end_of(sub, step)
        if at is False:
            return False
        if at is None:
            self._close(sub, credit=step.credit)
            self._end(sub)
        else:
            sub.ends_at, sub.ends_with_period = at, step.type == "CURRENT_PERIOD_ENDS"
        return True

    def _end_of(self, sub, step):
        """When it ends: None now, False never (refused)."""
        if step.type == "SPECIFIC_DATE":
            at = datetime.combine(step.on, time(), UTC)
            return at if at > self.now else False
        if step.type == "IMMEDIATE" or sub.status in {"incomplete", "paused"}:
            return None
        period = self.period(sub)
        return period and period[1]

    def _credit(self, sub):
        if not sub.offer.recurs:
            return
        if sub.status not in {"active", "past_due", "paused"} or not sub.bill or sub.bill.is_open:
            return
        left = self.left(sub)
        parts = self._parts(sub, *sub.worth).items()
        lines = [self._unused(sub, key, exact * left) for key, exact in parts]
        lines, back = self._within(sub, lines)
        if lines:
            self._mark(sub.sources, sub.ahead, back)
            self._issue(sub, units_of(lines))

    def _reactivate(self, step):
        sub = self.subs[step.number]
        if sub.is_over or not sub.ends_at:
            return False
        sub.ends_at = None
        return True

    # What falls due

    def _close(self, sub, *, credit=False):
        """What waited for the next invoice is settled by a last one, tried unless tries failed.

        The credit of the rest takes off what is owed before anything is charged.
        """
        last = None
        if sub.pending:
            self._drop_pending(sub)
        if sub.deferred:
            lines, back = self._within(sub, sub.deferred)
            self._mark(sub.sources, sub.ahead, back)
            last = self._issue_change(sub, lines, back)
        if credit:
            self._credit(sub)
        if last and last.due and sub.failed_at is None:
            self._attempt(sub, last)

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
