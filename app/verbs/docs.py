"""`docs`: write the generated documents, or say that they are not current."""

from __future__ import annotations

import json
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
    """Generate docs/reference: OpenAPI of both APIs, AsyncAPI, the schemas of facts.

    A schema that would break those who read the stream is refused: such a fact needs a new version.
    """
    from app import documents  # noqa: PLC0415 the engine takes a second to import

    generated = documents.generated()
    stale = [name for name, text in generated.items() if committed(name) != text]
    broken = {name: reasons for name in stale if (reasons := breaks(name, generated[name]))}
    for name in stale:
        if name in broken:
            typer.echo(f"docs: {name} would break consumers: {'; '.join(broken[name])}", err=True)
        elif check:
            typer.echo(f"docs: {name} is not current: run ./billstream docs")
        else:
            path = REFERENCE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(generated[name])
            typer.echo(f"docs: {name} written")
    if broken or (stale and check):
        raise typer.Exit(1)


def committed(name: str) -> str | None:
    """The document as it stands; None when there is none."""
    path = REFERENCE / name
    return path.read_text() if path.is_file() else None


def breaks(name: str, text: str) -> list[str]:
    """What a new schema would take from those who know the committed one."""
    from app import fact_compatibility  # noqa: PLC0415 as above

    before = committed(name)
    if before is None or not fact_compatibility.is_contract(name):
        return []
    return fact_compatibility.breaks(json.loads(before), json.loads(text))
