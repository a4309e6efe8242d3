"""What stands in the way of a verb is said in words, without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from adapters.cannot_start import CannotStart
from kernel.errors import Refused


@contextmanager
def explained() -> Iterator[None]:
    """Turn CannotStart and refusals into a message and exit code 1."""
    try:
        yield
    except (CannotStart, Refused) as reason:
        typer.echo(f"billstream: {reason}", err=True)
        raise typer.Exit(1) from None
