"""`audit`: why an amount is what it is, from the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from app import settings
from app.verbs.explained import explained
from app.verbs.options import DataDirOption, EnvironmentOption


if TYPE_CHECKING:
    from app.wiring import Engine
    from wire.explanation import ExplanationOut, FactOut

verbs = typer.Typer(help="Ask the log why.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    """Add the verbs."""
    cli.add_typer(verbs, name="audit")


@verbs.callback()
def family() -> None:
    """Keep the name of the single verb in place."""


@verbs.command()
def explain(
    invoice: Annotated[str, typer.Argument(help="Its number: INV-...")],
    *,
    organization: Annotated[str, typer.Option(help="Slug of the organization.")] = "default",
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Say why an invoice is what it is: each line, the sums, the payments, and their facts."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app.moment import with_engine  # noqa: PLC0415 the engine takes a second to import
        from app.operations import existing  # noqa: PLC0415 as above
        from read_api.explanations import explain as explanation_of  # noqa: PLC0415 as above
        from read_api.invoice_numbers import stream_of  # noqa: PLC0415 as above

        async def work(engine: Engine) -> ExplanationOut:
            tenant = await existing(engine, organization)
            stream = await stream_of(engine.reader, tenant, invoice)
            return await explanation_of(engine.store, stream)

        for line in _lines(with_engine(chosen, work)):
            typer.echo(line)


def _lines(found: ExplanationOut) -> Iterator[str]:
    yield f"{found['id']}, in minor units of {found['currency']}"
    for line in found["lines"]:
        yield f"  {line['words']}"
        yield from (f"      from {_fact(fact)}" for fact in line["facts"])
    for step in found["totals"]:
        yield f"  {step['step']:<10}{step['words']}"
    for attempt in found["payments"]:
        yield f"  attempt {attempt['attempt']}: {attempt['words']}"
    yield from (f"  {_fact(fact)}" for fact in found["facts"])


def _fact(fact: FactOut) -> str:
    place = f"{fact['stream']} version {fact['version']}, position {fact['position']}"
    return f"{fact['name']} {place}, {fact['occurredAt']}"
