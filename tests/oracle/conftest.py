"""How many lives are lived: the same 5,000 in every run, or ``--lives N`` new ones to hunt with."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture.providers import HypothesisProvider


STANDARD = 5000
BY_HAND = 20
OVER_HTTP = 50
"""So many lives in memory for one of the others."""


def chosen(asked, number):
    return settings(
        max_examples=number,
        derandomize=not asked,
        stateful_step_count=14,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture
def asked(request, monkeypatch):
    """``--lives``; without it nothing may depend on which modules other tests have imported.

    Hypothesis likes to draw the constants that it finds in them.
    """
    number = request.config.getoption("--lives")
    if not number:
        monkeypatch.setattr(HypothesisProvider, "_maybe_draw_constant", lambda *_, **__: None)
    return number


@pytest.fixture
def lives(asked):
    return chosen(asked, asked or STANDARD)


@pytest.fixture
def lives_by_hand(asked):
    return chosen(asked, (asked or STANDARD) // BY_HAND)


@pytest.fixture
def lives_over_http(asked):
    return chosen(asked, (asked or STANDARD) // OVER_HTTP)
