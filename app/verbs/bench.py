"""`bench`: the benchmarks of design 14."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.verbs.explained import explained


def register(cli: typer.Typer) -> None:
    """Add the verb."""
    cli.command()(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Which ones; all of them.")] = None,
    *,
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.")] = 5.0,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write figures here.")] = None,
) -> None:
    """Measure the hot paths, each beside a reference in the same run."""
    from rich.console import Console  # noqa: PLC0415 as below

    from app.bench import run  # noqa: PLC0415 the engine takes a second to import
    from app.bench.report import as_json, show  # noqa: PLC0415 as above

    with explained():
        rows = run.measure(names or run.all_here(), seconds, typer.echo)
    show(rows, Console())
    if json_file is not None:
        json_file.write_text(as_json(rows) + "\n")
