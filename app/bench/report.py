"""What a benchmark found, as a table for people and as JSON for machines."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure: ratios travel between machines, absolute figures do not (design 14).

    ``measured`` and ``reference`` are per second; ``target`` is the wanted ratio of the two, None
    where design 14 names none. ``more`` holds what else was seen, such as latencies in ms.
    """

    name: str
    unit: str
    measured: float
    reference_name: str | None = None
    reference: float | None = None
    target: float | None = None
    more: dict[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How the path compares with its reference."""
        return self.measured / self.reference if self.reference else None

    @property
    def reached(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.ratio is None or self.target is None:
            return None
        return self.ratio >= self.target


def as_json(rows: Sequence[Row]) -> str:
    """Everything, with the machine it was measured on."""
    machine = {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    figures = [asdict(row) | {"ratio": row.ratio, "reached": row.reached} for row in rows]
    return json.dumps({"machine": machine, "figures": figures}, indent=2)


def show(rows: Sequence[Row], console: Console) -> None:
    """A table; below the target is said in words, not only in color."""
    table = Table("path", "measured", "reference", "ratio", "target", "", "more", expand=False)
    for row in rows:
        table.add_row(
            row.name,
            f"{row.measured:,.0f} {row.unit}",
            "" if row.reference is None else f"{row.reference:,.0f} ({row.reference_name})",
            "" if row.ratio is None else f"{row.ratio:.2f}",
            "" if row.target is None else f"{row.target:.2f}",
            {True: "[green]reached", False: "[red]below", None: ""}[row.reached],
            ", ".join(f"{name} {value:,.2f}" for name, value in row.more.items()),
        )
    console.print(table)
