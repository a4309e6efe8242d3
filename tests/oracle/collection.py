"""Bills, what the balance takes of them, and how the rest is collected (design 7 and 8)."""

from datetime import timedelta

from tests.oracle import rules
from tests.oracle.crediting import units_of
from tests.oracle.records import Bill, Payment


RETRY_DAYS = (1, 2, 3, 5, 7, 9, 11, 14)


class Collection:
    """The half of the ledger that moves money."""

    def _bill(self, sub):
        lines = units_of(sub.exact())
        sub.worth = sub.offer, sub.seats
        discount = self._discount(sub, sum(lines))
        if not sub.deferred:
            sub.taxed, sub.sources, sub.ahead = 0, [], 0
        carried, back = self._within(sub, sub.deferred, sum(lines) - discount)
        self._mark(sub.sources, sub.ahead, back)
        sub.bill = self._issue(sub, lines + units_of(carried), discount)
        sub.bill.period = self.period(sub)
        sub.charge_whole(rules.after_shares(lines, sub.offs))
        sub.sources = [*sub.sources, sub.bill]
        sub.deferred, sub.ahead = [], 0
        return sub.bill

    def _discount(self, sub, subtotal):
        """What the discounts take of a whole period; each has used up a cycle."""
        sub.offs = [discount for discount, left in sub.discounts if left != 0]
        sub.discounts = [
            (d, left if left is None or not left else left - 1) for d, left in sub.discounts
        ]
        return rules.discount_of(subtotal, sub.offs)

    def _issue(self, sub, lines, discount=0):
        subtotal = sum(lines)
        currency = sub.offer.currency
        tax, total = self._taxed(sub, subtotal - discount, any(line < 0 for line in lines))
        starting = self.books.balances.get(currency, 0)
        due = self._due(total, currency)
        applied = total - due
        ending = starting + applied
        bill = Bill(
            of=sub.number,
            currency=currency,
            recurs=sub.offer.recurs,
            lines=lines,
            subtotal=subtotal,
            discount=discount,
            tax=tax,
            total=total,
            starting=starting,
            applied=applied,
            due=due,
            ending=ending,
            status="OPEN" if due else "PAID",
        )
        self.books.move(currency, applied)
        self.books.bills.append(bill)
        if total < 0:
            self._meet_debts(sub, -total)
        return bill

    def _meet_debts(self, sub, credit):
        """A credit takes off what the subscription still owes (case 41).

        That is first of all the bill that it credits, then the oldest. What else is on the balance
        stays there.
        """
        currency = sub.offer.currency
        for bill in sorted(self.open_bills(sub), key=lambda bill: bill is not sub.bill):
            taken = min(bill.due, -self.books.balances[currency], credit)
            if taken <= 0:
                break
            left = bill.due - taken
            taken += left if left < rules.MINIMUMS[currency] else 0
            credit -= taken
            bill.due -= taken
            bill.applied += taken
            bill.starting += self.books.balances[currency]
            bill.ending = bill.starting + bill.applied
            self.books.move(currency, taken)
            if not bill.due:
                bill.status, bill.is_dropped = "PAID", True
        if sub.status == "past_due" and not self.open_bills(sub):
            sub.status = "active"
            self._stop(sub)

    def _due(self, total, currency):
        """What the balance leaves to be charged; too little is not worth it."""
        due = max(0, total + self.books.balances.get(currency, 0)) if total > 0 else 0
        return due if due >= rules.MINIMUMS[currency] else 0

    def _taxed(self, sub, net, has_credit):
        """Some prices contain the tax, others do not; no more goes back than was taken."""
        tax, total = self._tax(sub, net, has_credit)
        sub.taxed += tax
        return tax, total

    def _tax(self, sub, net, has_credit):
        inclusive = sub.offer.inclusive
        tax = (rules.inclusive_tax if inclusive else rules.exclusive_tax)(net, self.tax)
        if has_credit:
            tax = max(tax, -sub.taxed)
        return tax, net if inclusive else net + tax

    def _attempt(self, sub, bill):
        """``none`` without a method, else how the charge ended."""
        if self.method is None:
            return "none"
        bill.attempts += 1
        word = self.method.charge()
        if word == "paid":
            bill.status, bill.method = "PAID", self.method
            self._pay(sub, bill)
        else:
            bill.status = "OPEN" if word == "act" else "PAYMENT_FAILED"
        return word

    def _pay(self, sub, bill):
        currency = sub.offer.currency
        before = self.books.processed.get(currency, 0)
        fee = rules.fee_parts(
            bill.due,
            before,
            currency=currency,
            recurring=bill.recurs,
            international=self.method.international,
        )
        self.books.processed[currency] = before + bill.due
        self.books.payments.append(Payment(bill.due, currency, fee, bill.tax))

    def open_bills(self, sub):
        """What is to be collected for a subscription, oldest first."""
        waits = sub.pending and sub.pending.bill
        return [
            bill
            for bill in self.books.bills
            if bill.of == sub.number
            and bill.is_open
            and not bill.is_withdrawn
            and bill is not waits
        ]

    def _withdraw(self, bill):
        """Nobody pays it any more; what it took of the balance comes back."""
        bill.status, bill.is_withdrawn = "PAYMENT_FAILED", True
        self.books.move(bill.currency, -bill.applied)

    # Dunning

    def _fall_behind(self, sub, word):
        sub.status, sub.failed_at = "past_due", self.now
        if word == "soft" and not self.method.is_card:
            self._end(sub)
        else:
            self._plan_next(sub, word)

    def _plan_next(self, sub, word):
        """What follows a failure: another try, a last day, or the end."""
        stopped = sub.give_up_at is not None
        if stopped and not self.method.is_card:
            return
        self._stop_tries(sub)
        days = [sub.failed_at + timedelta(days=days) for days in RETRY_DAYS]
        coming = [day for day in days if day > self.now]
        if not coming:
            self._end(sub)
        elif word in {"soft", "act"}:
            sub.retry_at = coming[0]
        else:
            sub.give_up_at = days[-1]

    def _retry(self, sub):
        self._collect(sub)

    def _collect(self, sub):
        words = [self._attempt(sub, bill) for bill in self.open_bills(sub)]
        failed = [word for word in words if word != "paid"]
        if failed:
            self._plan_next(sub, failed[-1])
        else:
            sub.status = "active"
            self._stop(sub)

    def _stop_tries(self, sub):
        sub.retry_at = sub.give_up_at = None

    def _stop(self, sub):
        self._stop_tries(sub)
        sub.failed_at = None
