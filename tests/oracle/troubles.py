"""What goes wrong in random lives more often than chance would have it."""

from datetime import timedelta

from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tests.oracle.draws import BEHAVIORS
from tests.oracle.offers import OFFERS, VERSIONS
from tests.oracle.steps import Card, Until, Update


def renews(sub):
    return sub.offer.recurs and sub.status == "active"


def can_be_predicted(sub):
    """What was not billed or was given back is credited by rules of its own."""
    return sub.trialing or (sub.bill is not None and not sub.bill.refunded)


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
        number = self._some_sub(
            data, wanted=lambda sub: can_be_predicted(sub) and sub.status == "active"
        )
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
