"""The command line: every verb of `./billstream`, one module each in `app/verbs/`."""

import typer

from app.verbs import audit, bench, catalog, check, docs, replay, serve, tenants, up


cli = typer.Typer(
    name="billstream",
    help="Event-sourced billing: exact money, history that can be asked and proven.",
    add_completion=False,
    invoke_without_command=True,
    pretty_exceptions_show_locals=False,  # locals hold keys and customers' data
)


@cli.callback()
def verbs(context: typer.Context) -> None:
    """List the verbs when none is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for module in (up, serve, replay, audit, tenants, catalog, check, docs, bench):
    module.register(cli)


def main() -> None:
    """Run the verb the command line names."""
    cli(prog_name="./billstream")
