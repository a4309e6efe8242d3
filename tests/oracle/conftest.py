"""How many lives are lived: ``--lives N``."""

import pytest


@pytest.fixture
def lives(request):
    return request.config.getoption("--lives") or 5000


@pytest.fixture
def lives_over_http(request):
    return (request.config.getoption("--lives") or 5000) // 50
