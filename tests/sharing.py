"""The suite shared by several workers: what each runs, and what they tell one another."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling


ONE_UNIT = "tests/kafka"
"""Its files share a broker that takes long to start."""
LONG = (
    ONE_UNIT,
    "tests/oracle/test_lives.py",
    "tests/oracle/test_lives_over_http.py",
    "tests/webhooks/test_delivery_under_fire.py",
    "tests/app/test_bench.py",
)
"""What takes minutes begins first: nobody waits for it at the end."""


def unit(path):
    """What one worker runs alone: a file, in the order of its tests."""
    return ONE_UNIT if PurePosixPath(path).is_relative_to(ONE_UNIT) else path


def is_short(path):
    """Sorts what takes minutes before the rest."""
    return unit(path) not in LONG


class ByUnit(LoadScopeScheduling):
    """Hands out units in the order in which they were collected."""

    def _split_scope(self, nodeid):
        return unit(nodeid.split("::", 1)[0])
