"""Who takes part in the example year: 200 customers, every kind of luck among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from year_lives import Life, Offer, Step


GOOD_CARDS = ("tok_visa", "tok_mastercard", "tok_amex", "tok_visa-de")
REASONS = ("TOO_EXPENSIVE", "MISSING_FEATURES", "UNUSED", "OTHER")

Story = Callable[[Life, datetime], None]


def cast(offers: Sequence[Offer], first_day: datetime, number: int = 200) -> list[Life]:
    """The lives, by start: some begin on each day of January, many on the 29th, 30th and 31st."""
    lives = []
    for n in range(number):
        day = 28 + n % 3 if n % 4 == 0 else n % 31
        start = first_day + timedelta(days=day, hours=9, minutes=n % 60)
        offer = offers[n % len(offers)]
        life = Life(
            f"customer-{n:03}", start, offer, GOOD_CARDS[n % len(GOOD_CARDS)], seats=3 + n % 7
        )
        if not offer.seat_feature:
            life.seats = 0
        STORIES[(n // len(offers)) % len(STORIES)](life, first_day)
        if offer.period == "ONE_TIME":
            life.steps = []  # what is paid once cannot be canceled
        lives.append(life)
    return sorted(lives, key=lambda life: (life.start, life.customer))


def month(first_day: datetime, number: int) -> datetime:
    """Noon of the 16th of a month (0 is the first one): when customers change their minds."""
    return first_day.replace(month=first_day.month + number, day=16, hour=12)


def pays(life: Life, first_day: datetime) -> None:
    """Nothing ever happens."""
    del life, first_day


def leaves_at_period_end(life: Life, first_day: datetime) -> None:
    """Cancels in May, stays to the end of what is paid."""
    life.steps = [Step(month(first_day, 4), "cancel", "CURRENT_PERIOD_ENDS")]


def leaves_at_once(life: Life, first_day: datetime) -> None:
    """Cancels in June, and that is that."""
    life.steps = [Step(month(first_day, 5), "cancel", "IMMEDIATE")]


def leaves_on_a_day(life: Life, first_day: datetime) -> None:
    """Cancels in March for the fourth of October."""
    day = first_day.replace(month=10, day=4)
    life.steps = [Step(month(first_day, 2), "cancel", day.date().isoformat())]


def changes_mind(life: Life, first_day: datetime) -> None:
    """Cancels in April and takes it back five days later."""
    at = month(first_day, 3)
    life.steps = [
        Step(at, "cancel", "CURRENT_PERIOD_ENDS"),
        Step(at + timedelta(hours=2), "reactivate"),
    ]


def card_recovers(life: Life, first_day: datetime) -> None:
    """A card that fails twice before it works."""
    life.steps = [Step(month(first_day, 3), "card", "tok_recovers-2")]


def card_recovers_late(life: Life, first_day: datetime) -> None:
    """A card that fails four times before it works."""
    life.steps = [Step(month(first_day, 6), "card", "tok_recovers-4")]


def card_dies(life: Life, first_day: datetime) -> None:
    """A card that is declined for ever: eight retries, then the end."""
    life.steps = [Step(month(first_day, 5), "card", "tok_declined")]


def card_stolen(life: Life, first_day: datetime) -> None:
    """A stolen card: no retries at all."""
    life.steps = [Step(month(first_day, 2), "card", "tok_stolen")]


def card_replaced(life: Life, first_day: datetime) -> None:
    """A card that is declined, and a good one a month later, maybe in time."""
    life.steps = [
        Step(month(first_day, 4), "card", "tok_declined"),
        Step(month(first_day, 5), "card", "tok_visa"),
    ]


def never_pays(life: Life, first_day: datetime) -> None:
    """The first payment fails."""
    del first_day
    life.card = "tok_declined"


def has_no_card(life: Life, first_day: datetime) -> None:
    """Nothing to charge."""
    del first_day
    life.card = None


STORIES: tuple[Story, ...] = (
    pays,
    leaves_at_period_end,
    card_recovers,
    pays,
    leaves_at_once,
    card_dies,
    changes_mind,
    leaves_on_a_day,
    card_stolen,
    card_replaced,
    never_pays,
    card_recovers_late,
    has_no_card,
)
