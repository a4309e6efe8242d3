"""What a process tells its operator while it runs: one line an event, on standard error."""

from __future__ import annotations

import logging


OURS = (
    *("adapters", "app", "commands", "pages", "projections"),
    *("read_api", "replay", "subscribers", "wire", "write_api"),
)
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def configure() -> None:
    """Our own news from INFO on, that of libraries from WARNING on."""
    logging.basicConfig(level=logging.WARNING, format=FORMAT)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
