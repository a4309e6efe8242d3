"""The engine against the oracle: random lives in memory, and those that once failed."""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.oracle.in_memory import InMemory
from tests.oracle.kept import KEPT
from tests.oracle.life import Disagreement, Life
from tests.oracle.lives import Lives
from tests.oracle.shortening import shortened


class InMemoryLives(Lives):
    make = InMemory


@pytest.mark.timeout(0)
def test_random_lives_in_memory(lives):
    try:
        run_state_machine_as_test(InMemoryLives, settings=lives)
    except Disagreement as found:
        raise shortened(found, InMemory) from None


@pytest.mark.parametrize("name", KEPT)
def test_lives_that_once_failed(name):
    start, steps, *tax = KEPT[name]
    life = Life(start, InMemory(start, tax=sum(tax)), sum(tax))
    for step in steps:
        life.do(step)
