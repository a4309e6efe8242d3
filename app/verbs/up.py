"""`up`: the main job, all set-up included."""

from __future__ import annotations

from typing import Annotated

import typer

from app import settings
from app.verbs.explained import explained
from app.verbs.options import DataDirOption, EnvironmentOption


def register(cli: typer.Typer) -> None:
    """Add the verb."""
    cli.command()(up)


def up(
    *,
    environment: EnvironmentOption = None,
    port: Annotated[int | None, typer.Option(help="Core API and pages [8000].")] = None,
    edge_port: Annotated[int | None, typer.Option(help="Edge API [8001].")] = None,
    data_dir: DataDirOption = None,
    workers: Annotated[int | None, typer.Option(help="Processes for the APIs [0: one].")] = None,
) -> None:
    """Run everything: database, APIs, pages, workers; ready in seconds."""
    with explained():
        chosen = settings.read(
            environment=environment,
            port=port,
            edge_port=edge_port,
            data_dir=data_dir,
            workers=workers,
        )
        from app import up as whole  # noqa: PLC0415 the engine takes a second to import

        if not whole.run(chosen, typer.echo):
            raise typer.Exit(1)
