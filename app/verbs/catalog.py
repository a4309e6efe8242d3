"""`catalog apply` and `catalog export`: pricing as code (docs/reference/catalog.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from adapters.cannot_start import CannotStart
from app import settings
from app.catalog_file.client import HttpApi
from app.data_dir import DataDir
from app.verbs.explained import explained


Url = Annotated[str | None, typer.Option(help="Core API [BILLSTREAM_URL, else localhost:8000].")]
Key = Annotated[str | None, typer.Option(help="Server key (left out: the one that `up` keeps).")]
Data = Annotated[Path | None, typer.Option(help="Where `up` keeps its keys [.billstream].")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

group = typer.Typer(help="Pricing as code: a price list in a file.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    """Add the verbs."""
    cli.add_typer(group, name="catalog")


@group.command()
def apply(
    file: Annotated[Path, typer.Argument(help="The catalog as YAML.")],
    *,
    url: Url = None,
    key: Key = None,
    data_dir: Data = None,
    yes: Yes = False,
) -> None:
    """Make the catalog what the file says: shows every difference, asks, changes, publishes."""
    from app.catalog_file import applying  # noqa: PLC0415 other verbs start faster without
    from app.catalog_file.reading import read  # noqa: PLC0415 as above

    with explained():
        wanted = read(file)
        if not applying.apply(wanted, api(url, key, data_dir), ask=not yes):
            raise typer.Exit(1)


@group.command()
def export(*, url: Url = None, key: Key = None, data_dir: Data = None) -> None:
    """Print the catalog as a file that would change nothing."""
    from app.catalog_file.present import fetch  # noqa: PLC0415 as above
    from app.catalog_file.writing import unpriced, written  # noqa: PLC0415 as above

    with explained():
        document = fetch(api(url, key, data_dir)).document
        for plan in unpriced(document):
            typer.echo(f"left out: the plan {plan} has no price yet", err=True)
        typer.echo(written(document), nl=False)


def api(url: str | None, key: str | None, data_dir: Path | None) -> HttpApi:
    """The API that is meant. Raises CannotStart when no key can be found."""
    chosen = settings.read(data_dir=data_dir)
    given = chosen.server_key and chosen.server_key.get_secret_value()
    found = key or given or DataDir(chosen.data_dir).read_keys().get("server")
    if not found:
        raise CannotStart("no server key: give --key or BILLSTREAM_SERVER_KEY")
    where = url or os.environ.get("BILLSTREAM_URL") or f"http://localhost:{chosen.port}"
    return HttpApi(where, found)
