"""The engine against the oracle: random lives in memory, and those that once failed."""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.oracle.by_hand import ByHand
from tests.oracle.in_memory import InMemory
from tests.oracle.kept import KEPT
from tests.oracle.life import Disagreement, Life
from tests.oracle.lives import Lives
from tests.oracle.shortening import shortened


class InMemoryLives(Lives):
    make = InMemory


class InMemoryByHand(ByHand):
    make = InMemory


def live(machine, number):
    try:
        run_state_machine_as_test(machine, settings=number)
    except Disagreement as found:
        raise shortened(found, InMemory) from None


@pytest.mark.timeout(0)
def test_random_lives_in_memory(lives):
    live(InMemoryLives, lives)


@pytest.mark.timeout(0)
def test_random_lives_whose_balances_are_changed_by_hand(lives_by_hand):
    live(InMemoryByHand, lives_by_hand)


@pytest.mark.parametrize("name", KEPT)
def test_lives_that_once_failed(name):
    start, steps, *tax = KEPT[name]
    life = Life(start, InMemory(start, tax=sum(tax)), sum(tax))
    for step in steps:
        life.do(step)
