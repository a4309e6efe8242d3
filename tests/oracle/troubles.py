"""What goes wrong in random lives more often than chance would have it."""

from datetime import timedelta

from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tests.oracle.draws import BEHAVIORS
from tests.oracle.offers import OFFERS, VERSIONS
from tests.oracle.steps import Card, Migrate, Pause, Publish, Refund, Resume, Until, Update


def renews(sub):
    return sub.offer.recurs and sub.status == "active"


def ages(sub):
    return sub.offer.plan == "aged"


def can_be_refunded(bill):
    return bill.of is not None and not bill.is_open and bill.left > 0


def balance_paid(bill):
    return can_be_refunded(bill) and bill.applied > 0


class Troubles(RuleBasedStateMachine):
    """Rules of several steps, for a machine that has ``do`` and a ledger."""

    @precondition(lambda self: self._any(renews))
    @rule(
        data=some.data(),
        card=some.sampled_from(["authenticate", "declined", "works", "stolen", "debit-0"]),
        sold=some.sampled_from([offer for offer in (*OFFERS, *VERSIONS[0]) if offer.recurs]),
        behavior=some.sampled_from(BEHAVIORS),
        after=some.sampled_from([timedelta(0), timedelta(hours=5), timedelta(hours=24)]),
    )
    def change_once_it_is_paid(self, data, card, sold, behavior, after):
        number = self._some_sub(data, wanted=lambda sub: sub.status == "active")
        if number is not None:
            seats = None if sold.seat is None else 9
            self.do(Card(card))
            self.do(Update(number, sold.plan, sold.period, seats, behavior, waits=True))
            self.do(Until(self.ledger.now + after))

    @precondition(lambda self: self._any(renews))
    @rule(
        data=some.data(),
        card=some.sampled_from(["declined", "stolen", "recovers-2", "authenticate"]),
        days=some.sampled_from([0, 1, 3, 15]),
    )
    def fall_behind(self, data, card, days):
        """A renewal that is not paid, and some days of grace."""
        number = self._some_sub(
            data, wanted=lambda sub: sub.offer.recurs and sub.status == "active"
        )
        end = self.ledger.period(self.ledger.subs[number])[1]
        self.do(Card(card))
        self.do(Until(end + timedelta(days=days)))

    @precondition(lambda self: self._any(renews))
    @rule(
        data=some.data(),
        months=some.integers(1, 3),
        early=some.booleans(),
        periods=some.integers(0, 2),
    )
    def pause_and_go_on(self, data, months, early, periods):
        """A pause that ends, and what is billed after it."""
        number = self._some_sub(data, wanted=renews)
        sub = self.ledger.subs[number]
        self.do(Pause(number, months))
        if sub.status != "paused":
            return
        if early:
            self.do(Until(self.ledger.now + timedelta(days=11)))
            self.do(Resume(number))
        else:
            self.do(Until(sub.resumes_at))
        for _ in range(periods):
            if renews(sub):
                self.do(Until(self.ledger.period(sub)[1]))

    @precondition(lambda self: self._any(lambda sub: ages(sub) and sub.status == "active"))
    @rule(data=some.data(), features=some.booleans(), after=some.integers(0, 20))
    def follow_the_versions(self, data, features, after):
        """A newer version, which one of its subscribers gets in the middle of a period."""
        number = self._some_sub(data, wanted=ages)
        self.do(Publish())
        self.do(Until(self.ledger.now + timedelta(days=after)))
        self.do(Migrate(number, features, pricing=True))

    @precondition(lambda self: any(map(balance_paid, self.ledger.books.bills)))
    @rule(data=some.data(), part=some.one_of(some.none(), some.integers(1, 3000)))
    def refund_to_the_balance(self, data, part):
        bills = self.ledger.books.bills
        numbers = [number for number, bill in enumerate(bills) if balance_paid(bill)]
        self.do(Refund(data.draw(some.sampled_from(numbers)), part))

    @precondition(lambda self: any(map(can_be_refunded, self.ledger.books.bills)))
    @rule(
        data=some.data(),
        percent=some.sampled_from([None, None, 1, 50, 99]),
        sold=some.sampled_from([offer for offer in (*OFFERS, *VERSIONS[0]) if offer.recurs]),
        seats=some.integers(1, 40),
        behavior=some.sampled_from(BEHAVIORS),
    )
    def refund_and_change(self, data, percent, sold, seats, behavior):
        """What is left of a payment may become credit."""
        bills = self.ledger.books.bills
        numbers = [number for number, bill in enumerate(bills) if can_be_refunded(bill)]
        number = data.draw(some.sampled_from(numbers))
        units = None if percent is None else max(1, bills[number].left * percent // 100)
        self.do(Refund(number, units))
        seats = None if sold.seat is None else seats
        self.do(Update(bills[number].of, sold.plan, sold.period, seats, behavior))
