"""`keys list`, `keys expire` and `keys revoke`: what becomes of keys that were handed out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from app import settings
from app.verbs.explained import explained
from app.verbs.options import DataDirOption, EnvironmentOption


if TYPE_CHECKING:
    from app.wiring import Engine

KeyId = Annotated[UUID, typer.Argument(help="The id that `keys list` shows.")]
Slug = Annotated[str, typer.Option(help="Slug of the organization.")]


def register(keys: typer.Typer) -> None:
    """Add the verbs to the family `keys`."""
    keys.command("list")(list_keys)
    keys.command("expire")(expire_key)
    keys.command("revoke")(revoke_key)


def list_keys(
    *,
    organization: Slug = "default",
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Print id, kind, last characters, end and name of every key, one a line."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import key_verbs  # noqa: PLC0415 takes a second to import
        from app.moment import with_engine  # noqa: PLC0415 as above

        async def work(engine: Engine) -> list[str]:
            return await key_verbs.listed(engine, organization)

        for line in with_engine(chosen, work):
            typer.echo(line)


def expire_key(
    key_id: KeyId,
    at: Annotated[datetime | None, typer.Option(help="When it ends, UTC; left out: never.")] = None,
    *,
    organization: Slug = "default",
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Let a key end at another time."""
    until = at if at is None else at.replace(tzinfo=at.tzinfo or UTC)
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import key_verbs  # noqa: PLC0415 takes a second to import
        from app.moment import with_engine  # noqa: PLC0415 as above

        async def work(engine: Engine) -> None:
            await key_verbs.expire(engine, organization, key_id, until)

        with_engine(chosen, work)


def revoke_key(
    key_id: KeyId,
    *,
    organization: Slug = "default",
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """End a key for good."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import key_verbs  # noqa: PLC0415 takes a second to import
        from app.moment import with_engine  # noqa: PLC0415 as above

        async def work(engine: Engine) -> None:
            await key_verbs.revoke(engine, organization, key_id)

        with_engine(chosen, work)
