"""`test` and `check`: what a newcomer and the build server run."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer


ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = (
    *("kernel", "aggregates", "commands", "projections", "wire", "read_api", "write_api"),
    *("pages", "subscribers", "replay", "adapters", "app"),
)
ON_ALL_CORES = ("-n", "auto", "--maxprocesses", "4")
STEPS: dict[str, tuple[str, ...]] = {
    "format": ("ruff", "format", "--check", "."),
    "lint": ("ruff", "check", "."),
    "types": ("mypy", *(part for package in PACKAGES for part in ("-p", package))),
    "import contracts": ("lint-imports",),
    "docs": ("python", "-m", "app", "docs", "--check"),
    "tests": ("pytest", *ON_ALL_CORES),
}


def register(cli: typer.Typer) -> None:
    cli.command(
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        add_help_option=False,
    )(test)
    cli.command()(check)


def test(context: typer.Context) -> None:
    """Run the tests, all of them on all cores; every argument is pytest's."""
    os.chdir(ROOT)
    arguments = context.args or ON_ALL_CORES
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *arguments])  # noqa: S606 the point


def check(*, tests: Annotated[bool, typer.Option(help="Run the tests, too.")] = True) -> None:
    """Everything the build server does: format, lint, types, import contracts, tests, docs."""
    failed = [name for name in STEPS if (tests or name != "tests") and not passes(name)]
    if failed:
        typer.echo(f"check: failed: {', '.join(failed)}", err=True)
        raise typer.Exit(1)
    typer.echo("check: all passed")


def passes(step: str) -> bool:
    """Run one step with its output shown."""
    typer.echo(f"check: {step}")
    begun = time.monotonic()
    tool, *arguments = STEPS[step]
    command = [str(Path(sys.executable).parent / tool), *arguments]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 our own tools
    typer.echo(f"check: {step} {'ok' if code == 0 else 'FAILED'} {time.monotonic() - begun:.1f} s")
    return code == 0
