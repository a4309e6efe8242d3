"""`serve` and `worker`: one process of the production topology each."""

from __future__ import annotations

from typing import Annotated

import typer

from adapters.cannot_start import CannotStart
from app import settings
from app.verbs.explained import explained
from app.verbs.options import EnvironmentOption


LOG = "log"
KAFKA = "kafka"


def register(cli: typer.Typer) -> None:
    """Add the verbs."""
    cli.command()(serve)
    cli.command()(worker)


def serve(
    app: Annotated[str, typer.Argument(help="write-api, read-api, edge-api or pages")],
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on [127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on [8000].")] = None,
    environment: EnvironmentOption = None,
) -> None:
    """Serve one app; any number of each may run behind a proxy that splits by method."""
    with explained():
        chosen = settings.read(host=host, port=port, environment=environment)
        from app import serve as process  # noqa: PLC0415 the engine takes a second to import

        if not process.api(chosen, app, typer.echo):
            raise typer.Exit(1)


def worker(
    names: Annotated[list[str] | None, typer.Argument(help="All unless named.")] = None,
    *,
    source: Annotated[
        str, typer.Option("--from", help="With views: log, or kafka (one of a group).")
    ] = LOG,
    environment: EnvironmentOption = None,
) -> None:
    """Run workers; of several processes with the same worker one works, the others stand by."""
    with explained():
        chosen = settings.read(environment=environment)
        from app import serve as process  # noqa: PLC0415 the engine takes a second to import

        if source == KAFKA and names == ["views"]:
            well = process.streamed_views(chosen, typer.echo)
        elif source == LOG:
            well = process.worker(chosen, tuple(names or ()), typer.echo)
        else:
            raise CannotStart("only views can come from elsewhere: worker views --from kafka")
        if not well:
            raise typer.Exit(1)
