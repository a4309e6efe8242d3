"""Shows what a file would change, asks, and does it."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.prompt import Confirm

from app.catalog_file.client import Api
from app.catalog_file.difference import Difference, Line, Step
from app.catalog_file.document import CatalogFile
from app.catalog_file.present import fetch


def apply(wanted: CatalogFile, api: Api, *, ask: bool, console: Console | None = None) -> bool:
    """Make the catalog what the file says; False when the answer was no.

    Interrupted, it is finished by doing it again: what was done is no difference any more.
    """
    screen = console or Console()
    found = Difference.between(wanted, fetch(api))
    show(found, screen)
    if not found.steps:
        return True
    if ask and not Confirm.ask("Apply and publish?", console=screen, default=False):
        return False
    with Progress(console=screen, transient=True) as progress:
        for step in progress.track(found.steps, description="Applying"):
            step.run(api)
    screen.print(f"[green]{len(found.steps)} changed.[/green]")
    return True


def show(found: Difference, screen: Console) -> None:
    """Print every difference, old values in red and new ones in green."""
    for step in found.steps:
        _show_step(step, screen)
    for name in sorted(found.untouched):
        screen.print(f"[dim]  {escape(name)} is not in the file and stays as it is[/dim]")
    if not found.steps:
        screen.print("Nothing to change.")


def _show_step(step: Step, screen: Console) -> None:
    sign, color = ("+", "green") if step.creates else ("~", "yellow")
    draft = "" if step.lines else " (its draft is published)"
    screen.print(f"[bold {color}]{sign} {escape(step.title)}[/]{draft}", highlight=False)
    for line in step.lines:
        screen.print(f"    {_line(line)}", highlight=False)


def _line(line: Line) -> str:
    path, old, new = (escape(text) for text in line)
    if not old:
        return f"{path}: [green]{new}[/green]"
    if not new:
        return f"{path}: [red]{old}[/red] removed"
    return f"{path}: [red]{old}[/red] -> [green]{new}[/green]"
