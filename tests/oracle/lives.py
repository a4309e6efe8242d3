"""Random lives: a state machine that takes the same steps in the engine and in the oracle."""

from datetime import timedelta

from hypothesis import strategies as some
from hypothesis.stateful import initialize, precondition, rule

from tests.oracle.draws import (
    BEHAVIORS,
    CARDS,
    DISCOUNTS,
    SCRIPTED,
    SPANS,
    STARTS,
)
from tests.oracle.life import Life
from tests.oracle.offers import OFFERS, TOLD, VERSIONS
from tests.oracle.steps import (
    Accept,
    Cancel,
    Card,
    Charge,
    Crash,
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
from tests.oracle.troubles import Troubles


class Lives(Troubles):
    """Everything a customer, time and fate may do; ``make`` begins an engine.

    ``processed`` is what the organization's earlier lives have paid; None: each has its own.
    """

    make = None
    life = None
    processed = None
    can_crash = can_script = True

    @initialize(
        start=STARTS,
        twice=some.booleans(),
        card=some.sampled_from(CARDS[:2] * 3 + CARDS),
        tax=some.sampled_from([0, 0, 7, 19, 20]),
    )
    def begin(self, start, twice, card, tax):
        engine = type(self).make(start, twice=twice, tax=tax)
        self.life = Life(start, engine, tax, self.processed)
        self.do(Card(card))

    def do(self, step):
        self.life.do(step)

    @property
    def ledger(self):
        return self.life.ledger

    def _any(self, wanted):
        return any(map(wanted, self.ledger.subs))

    def _some_sub(self, data, *, wanted=bool):
        numbers = [sub.number for sub in self.ledger.subs if wanted(sub)]
        return data.draw(some.sampled_from(numbers)) if numbers else None

    @precondition(lambda self: len(self.ledger.subs) < 3)
    @rule(sold=some.sampled_from(OFFERS), seats=some.integers(1, 40), trial=some.none())
    def subscribe(self, sold, seats, trial):
        self._buy(sold, seats, trial_days=trial)

    @precondition(lambda self: self.life and not self.ledger.subs)
    @rule(sold=some.sampled_from(OFFERS), seats=some.integers(1, 40))
    def subscribe_first(self, sold, seats):
        self._buy(sold, seats)

    @precondition(lambda self: len(self.ledger.subs) < 3)
    @rule(
        sold=some.sampled_from([offer for offer in OFFERS if offer.recurs]),
        seats=some.integers(1, 40),
        days=some.sampled_from([0, 1, 3, 14]),
    )
    def subscribe_with_trial(self, sold, seats, days):
        self._buy(sold, seats, trial_days=days)

    @precondition(lambda self: len(self.ledger.subs) < 3 and self.ledger.method.behavior == "works")
    @rule(
        sold=some.sampled_from([o for o in OFFERS if o.recurs and not o.trial_days]),
        seats=some.integers(1, 40),
        days=some.integers(1, 100),
        bill_past=some.booleans(),
    )
    def subscribe_since(self, sold, seats, days, bill_past):
        self._buy(sold, seats, days_ago=days, bill_past=bill_past)

    def _buy(self, sold, seats, **fields):
        seats = None if sold.seat is None else seats
        self.do(Subscribe(sold.plan, sold.period, sold.currency, seats, **fields))

    @precondition(lambda self: len(self.ledger.subs) < 3)
    @rule(
        sold=some.sampled_from([offer for offer in OFFERS if offer.recurs]),
        seats=some.integers(1, 40),
        discount=DISCOUNTS,
    )
    def subscribe_with_discount(self, sold, seats, discount):
        self._buy(sold, seats, discount=discount)

    @precondition(lambda self: len(self.ledger.subs) < 3)
    @rule(
        sold=some.sampled_from([offer for offer in OFFERS if offer.plan != "free"]),
        seats=some.integers(1, 40),
        price=some.decimals(1, 3000, places=0),
    )
    def subscribe_at_a_price(self, sold, seats, price):
        self._buy(sold, seats, custom=str(price))

    @precondition(lambda self: len(self.ledger.subs) < 4)
    @rule(
        price=some.one_of(some.none(), some.decimals("0.01", 300, places=2)),
        inclusive=some.sampled_from([None, None, True, False]),
    )
    def charge(self, price, inclusive):
        self.do(Charge(price and str(price), inclusive))

    @precondition(lambda self: self.ledger.books.bills)
    @rule(
        data=some.data(),
        part=some.one_of(some.none(), some.integers(1, 120)),
        units=some.booleans(),
    )
    def refund(self, data, part, units):
        """All that is left, some units, or some percent: now and then more than there is."""
        number = data.draw(some.integers(0, len(self.ledger.books.bills) - 1))
        total = self.ledger.books.bills[number].total
        wanted = part if units or part is None else max(1, total * part // 100)
        self.do(Refund(number, wanted))

    @rule(behavior=some.sampled_from(CARDS))
    def card(self, behavior):
        self.do(Card(behavior))

    @precondition(lambda self: self.can_script)
    @rule(behavior=some.sampled_from(SCRIPTED))
    def card_with_a_script(self, behavior):
        self.do(Card(behavior))

    @rule(span=SPANS)
    def wait(self, span):
        self.do(Until(self.ledger.now + span))

    @rule(off=some.sampled_from([timedelta(0), timedelta(microseconds=-1), timedelta(minutes=1)]))
    def wait_for_what_is_due(self, off):
        due = self.ledger.due()
        if due and due[0][0] < self.ledger.now + timedelta(days=370):
            self.do(Until(max(due[0][0] + off, self.ledger.now)))

    @precondition(lambda self: self.can_crash)
    @rule(span=SPANS)
    def stand_still(self, span):
        self.do(Jump(self.ledger.now + span))

    @precondition(lambda self: self.can_crash)
    @rule(appends=some.integers(0, 6))
    def crash(self, appends):
        self.do(Crash(appends))

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data(), credit=some.booleans())
    def cancel_now(self, data, credit):
        number = self._some_sub(data)
        self.do(Cancel(number, "IMMEDIATE", credit=credit))

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data())
    def cancel_with_the_period(self, data):
        self.do(Cancel(self._some_sub(data)))

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data(), days=some.integers(-1, 70))
    def cancel_on_a_day(self, data, days):
        number = self._some_sub(data, wanted=lambda sub: sub.status != "incomplete")
        if number is not None:
            day = (self.ledger.now + timedelta(days=days)).date()
            self.do(Cancel(number, "SPECIFIC_DATE", on=day))

    @precondition(lambda self: self._any(lambda sub: sub.ends_at or sub.is_over))
    @rule(data=some.data())
    def reactivate(self, data):
        self.do(Reactivate(self._some_sub(data)))

    @precondition(lambda self: self.ledger.subs)
    @rule(
        data=some.data(),
        sold=some.sampled_from([offer for offer in (*OFFERS, *VERSIONS[0]) if offer.recurs]),
        seats=some.integers(1, 40),
        behavior=some.sampled_from(BEHAVIORS),
        trial=some.sampled_from([None, None, None, 0, 2, 20]),
        waits=some.booleans(),
    )
    def update(self, data, sold, seats, behavior, trial, waits):
        number = self._some_sub(data)
        waits = waits and self.ledger.subs[number].status in {"active", "past_due"}
        seats = None if sold.seat is None else seats
        self.do(Update(number, sold.plan, sold.period, seats, behavior, trial, waits))

    @precondition(lambda self: self._any(lambda sub: sub.offer.recurs))
    @rule(data=some.data(), behavior=some.sampled_from(BEHAVIORS), waits=some.booleans())
    def become_free(self, data, behavior, waits):
        number = self._some_sub(data, wanted=lambda sub: sub.offer.recurs)
        if number is not None:
            waits = waits and self.ledger.subs[number].status in {"active", "past_due"}
            self.do(Update(number, "free", "ONE_TIME", None, behavior, waits=waits))

    @precondition(lambda self: self._any(lambda sub: sub.trialing))
    @rule(data=some.data(), trial=some.sampled_from([0, 1, 40]))
    def move_trial(self, data, trial):
        number = self._some_sub(data, wanted=lambda sub: sub.status == "trialing")
        sub = self.ledger.subs[number]
        self.do(Update(number, sub.offer.plan, sub.offer.period, sub.seats, trial=trial))

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data(), seats=some.integers(1, 40), behavior=some.sampled_from(BEHAVIORS))
    def change_seats(self, data, seats, behavior):
        number = self._some_sub(data, wanted=lambda sub: sub.seats)
        if number is not None:
            offer = self.ledger.subs[number].offer
            self.do(Update(number, offer.plan, offer.period, seats, behavior))

    @precondition(lambda self: len(self.ledger.subs) < 3)
    @rule(sold=some.sampled_from(VERSIONS[0]), seats=some.integers(1, 40))
    def subscribe_to_what_ages(self, sold, seats):
        self._buy(sold, seats)

    @precondition(lambda self: self._any(lambda sub: sub.offer.plan == "aged"))
    @rule()
    def publish(self):
        self.do(Publish())

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data(), features=some.booleans(), pricing=some.booleans())
    def migrate(self, data, features, pricing):
        self.do(Migrate(self._some_sub(data), features, pricing))

    @precondition(lambda self: self.ledger.subs)
    @rule(
        data=some.data(),
        offer=some.sampled_from(list(TOLD)),
        months=some.integers(1, 4),
    )
    def accept(self, data, offer, months):
        months = months if offer == "PAUSE" else None
        self.do(Accept(self._some_sub(data), offer, months))

    @precondition(lambda self: self.ledger.subs)
    @rule(data=some.data(), months=some.integers(1, 3))
    def pause(self, data, months):
        self.do(Pause(self._some_sub(data), months))

    @precondition(lambda self: self._any(lambda sub: sub.paused_at or sub.is_over))
    @rule(data=some.data())
    def resume(self, data):
        self.do(Resume(self._some_sub(data)))
