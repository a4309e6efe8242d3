"""The database of a process: an external one, the embedded one that runs, or one for the moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from adapters.database import database_url, open_database
from adapters.embedded_postgres import EmbeddedPostgres
from adapters.postgres_folder import Folder
from app.data_dir import DataDir
from app.settings import Settings


_log = logging.getLogger(__name__)


@contextmanager
def database(settings: Settings, on_lost: Callable[[str], None] = _log.critical) -> Iterator[str]:
    """The address of the environment's database, made and checked; migrated by the caller.

    Without an external one the embedded server is used: that of a running `up`, else one started
    for as long as the block lasts.

    :raises CannotStart: with the reason.
    """
    if settings.database_url:
        yield checked(database_url(settings.database_url, settings.environment), settings)
        return
    name = f"billstream_{settings.environment}"
    folder = Folder(DataDir(settings.data_dir).postgres)
    if folder.running():
        yield checked(folder.url(name), settings)
        return
    with EmbeddedPostgres(folder.path, on_lost=on_lost) as server:
        yield checked(server.url(name), settings)


def checked(url: str, settings: Settings) -> str:
    """The same address, of a database that is there, durable, and of the environment."""
    open_database(url, settings.environment)
    return url
