"""`organizations` and `keys`: tenants, and what opens them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from aggregates.api_key.events import KeyKind
from app import settings
from app.verbs import keys as of_keys
from app.verbs.explained import explained
from app.verbs.options import DataDirOption, EnvironmentOption


if TYPE_CHECKING:
    from app.wiring import Engine


organizations = typer.Typer(help="Tenants: each sees nothing of the others.", no_args_is_help=True)
keys = typer.Typer(help="API keys: shown once, kept as hashes.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    """Add the verbs."""
    of_keys.register(keys)
    cli.add_typer(keys, name="keys")
    cli.add_typer(organizations, name="organizations")


@organizations.callback()
@keys.callback()
def families() -> None:
    """Keep the names of single verbs in place."""


@organizations.command("create")
def create_organization(
    slug: Annotated[str, typer.Argument(help="1 to 63 of a-z, 0-9, - and _")],
    *,
    merchant_of_record: Annotated[bool, typer.Option("--merchant-of-record")] = False,
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Begin an organization."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app.moment import with_engine  # noqa: PLC0415 as above
        from app.operations import organization  # noqa: PLC0415 takes a second to import

        async def work(engine: Engine) -> bool:
            _, created = await organization(engine, slug, merchant_of_record=merchant_of_record)
            return created

        if not with_engine(chosen, work):
            typer.echo(f"billstream: the organization {slug} is there already", err=True)
            raise typer.Exit(1)
        typer.echo(slug)


@keys.command("create")
def create_key(
    *,
    kind: Annotated[KeyKind, typer.Option(help="A client key is fit for browsers.")],
    organization: Annotated[str, typer.Option(help="Slug of the organization.")] = "default",
    name: Annotated[str, typer.Option(help="What lists call it.")] = "",
    environment: EnvironmentOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Print one new key, alone."""
    with explained():
        chosen = settings.read(environment=environment, data_dir=data_dir)
        from app import operations  # noqa: PLC0415 takes a second to import
        from app.moment import with_engine  # noqa: PLC0415 as above

        async def work(engine: Engine) -> str:
            tenant = await operations.existing(engine, organization)
            key = operations.fresh_key(kind, tenant)
            await operations.issue(engine, tenant, kind, key, name=name)
            return key

        typer.echo(with_engine(chosen, work))
