"""How many lives are lived: the same 5,000 in every run, or ``--lives N`` new ones to hunt with."""

import pytest
from hypothesis import HealthCheck, Phase, settings


STANDARD = 5000
OVER_HTTP = 50
"""So many lives in memory for one over HTTP."""


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
def lives(request):
    asked = request.config.getoption("--lives")
    return chosen(asked, asked or STANDARD)


@pytest.fixture
def lives_over_http(request):
    asked = request.config.getoption("--lives")
    return chosen(asked, (asked or STANDARD) // OVER_HTTP)
