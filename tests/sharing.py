"""The suite shared by several workers: what each runs, and what they tell one another."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling


FOLDERS = ("tests/kafka", "tests/browser")
"""Their files are one unit each: a broker or a browser is enough for all of them."""
LONG = (
    *FOLDERS,
    "tests/oracle/test_lives.py",
    "tests/oracle/test_lives_over_http.py",
    "tests/webhooks/test_delivery_under_fire.py",
    "tests/pages/test_using_the_portal.py",
    "tests/api/test_any_input.py",
    "tests/app/test_tenants_and_keys.py",
    "tests/app/test_up.py",
    "tests/app/test_bench.py",
)
"""What takes a minute begins first: nobody waits for it at the end."""


def unit(path):
    """What one worker runs alone: a file or one of the folders."""
    within = (folder for folder in FOLDERS if PurePosixPath(path).is_relative_to(folder))
    return next(within, path)


def is_short(path):
    """Sorts what takes minutes before the rest."""
    return unit(path) not in LONG


class ByUnit(LoadScopeScheduling):
    """Hands out units in the order in which they were collected."""

    def _split_scope(self, nodeid):
        return unit(nodeid.split("::", 1)[0])
