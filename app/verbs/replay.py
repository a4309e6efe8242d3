"""`replay`: views made anew from the log, and the proof that they are what the log says."""

from __future__ import annotations

from typing import Annotated

import typer

from app import settings
from app.verbs.explained import explained
from app.verbs.options import DataDirOption, EnvironmentOption


ViewOption = Annotated[str | None, typer.Option("--view", help="Only this view.")]

verbs = typer.Typer(help="Rebuild the views from the log, or compare them with it.")


def register(cli: typer.Typer) -> None:
    """Add the verbs."""
    cli.add_typer(verbs, name="replay")


@verbs.command()
def views(
    *,
    view: ViewOption = None,
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Rebuild the views beside the running ones and swap them; a killed run is taken up again."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import replaying  # noqa: PLC0415 the engine takes a second to import

        done = replaying.rebuild(chosen, view)
        again = ", taken up again" if done.resumed else ""
        typer.echo(f"rebuilt {done.tables} tables up to position {done.position}{again}")


@verbs.command()
def verify(
    *,
    view: ViewOption = None,
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Compare the views row by row with what the log makes of them; exit 1 on any difference."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import replaying  # noqa: PLC0415 the engine takes a second to import

        found = replaying.verify(chosen, view)
        for difference in found.first:
            typer.echo(f"{difference.table} {difference.key}: {difference.what}")
        typer.echo(
            f"{found.rows} rows compared at position {found.position}: {found.differing} differ"
        )
        if found.differing:
            raise typer.Exit(1)
