"""Lives on which oracle and engine once disagreed: what the machine printed, and what it was."""

from datetime import UTC, date, datetime, timedelta

from tests.oracle.steps import *  # noqa: F403


KEPT = {}
