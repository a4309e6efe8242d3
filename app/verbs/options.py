"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kernel.tenant import Environment


EnvironmentOption = Annotated[
    Environment | None, typer.Option("--environment", help="sandbox unless said")
]
DataDirOption = Annotated[
    Path | None, typer.Option("--data-dir", help="Database and keys [.billstream].")
]
