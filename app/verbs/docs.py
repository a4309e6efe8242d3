"""`docs`: write the generated documents, or say that they are not current."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


REFERENCE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference"


def register(cli: typer.Typer) -> None:
    """Add the verb."""
    cli.command()(docs)


def docs(
    *, check: Annotated[bool, typer.Option("--check", help="Write nothing, only say.")] = False
) -> None:
    """Generate docs/reference: OpenAPI of both APIs."""
    from app import documents  # noqa: PLC0415 the engine takes a second to import

    stale = [
        name
        for name, text in documents.generated().items()
        if not (path := REFERENCE / name).is_file() or path.read_text() != text
    ]
    for name in stale:
        typer.echo(
            f"docs: {name} {'is not current: run ./billstream docs' if check else 'written'}"
        )
        if not check:
            REFERENCE.mkdir(parents=True, exist_ok=True)
            (REFERENCE / name).write_text(documents.generated()[name])
    if stale and check:
        raise typer.Exit(1)
