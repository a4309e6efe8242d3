"""Loads the event stream into DuckDB and draws recurring revenue, churn and cohort retention.

    python examples/stream_to_duckdb.py --base-url http://localhost:8000/api/v1 --server-key KEY

Run it again and it goes on where it stopped. The figures are views in ``stream_metrics.sql``; needs
``duckdb``, and ``matplotlib`` for the picture.
"""

from __future__ import annotations

import argparse
import urllib.request
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb


METRICS = Path(__file__).with_name("stream_metrics.sql")
TABLE = """create table if not exists events (
    id bigint primary key, type varchar, time timestamptz, subject uuid, owner uuid, data json
)"""
INSERT = """insert or ignore into events
    select e->>'id', e->>'type', e->>'time', e->>'subject', e->>'owner', e->'data'
    from (select unnest($1)::json as e)"""


def load(db: duckdb.DuckDBPyConnection, base_url: str, key: str) -> int:
    """Fetch what is new; how many facts that were. A repeated fact is recognized by its id."""
    db.execute(TABLE)
    [(after, before)] = db.execute("select coalesce(max(id), 0), count(*) from events").fetchall()
    request = urllib.request.Request(  # noqa: S310 the address is the user's
        f"{base_url}/events/?after={after}",
        headers={"Authorization": f"Bearer {key}", "Accept": "application/x-ndjson"},
    )
    with urllib.request.urlopen(request) as lines:  # noqa: S310 as above
        for some in batches(line.decode() for line in lines):
            db.execute(INSERT, [some])
    [(now,)] = db.execute("select count(*) from events").fetchall()
    return int(now - before)


def batches(lines: Iterator[str], size: int = 10_000) -> Iterator[list[str]]:
    """The lines, many at a time."""
    while some := list(islice(lines, size)):
        yield some


def draw(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    """One picture of the three figures."""
    import matplotlib as mpl  # noqa: PLC0415 only who draws needs it

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415 after the backend is chosen

    figure, (revenue, churn, retention) = plt.subplots(
        3, 1, figsize=(9, 12), layout="constrained", height_ratios=(3, 2, 3)
    )
    for (currency,) in db.execute("select distinct currency from mrr order by 1").fetchall():
        series = db.execute(
            "select day, mrr_units from mrr where currency = ? order by day", [currency]
        ).fetchall()
        revenue.plot(*zip(*series, strict=True), marker="o", label=currency)
    revenue.set_title("Monthly recurring revenue, in minor units")
    revenue.legend()
    shares = db.execute("select day, percent from churn order by day").fetchall()
    churn.bar(*zip(*shares, strict=True), width=20)
    churn.set_title("Churn by month, % of subscriptions")
    _triangle(retention, db.execute("select cohort, age, percent from retention").fetchall())
    figure.savefig(path, dpi=100)


def _triangle(axes: Any, rows: list[tuple[Any, int, float]]) -> None:
    cohorts = sorted({cohort for cohort, _, _ in rows})
    oldest = max(age for _, age, _ in rows)
    cells = [[float("nan")] * (oldest + 1) for _ in cohorts]
    for cohort, age, percent in rows:
        cells[cohorts.index(cohort)][age] = percent
        axes.text(age, cohorts.index(cohort), f"{percent:.0f}", ha="center", va="center")
    axes.imshow(cells, cmap="YlGn", vmin=0, vmax=130, aspect="auto")
    axes.set_yticks(range(len(cohorts)), [f"{cohort:%b %Y}" for cohort in cohorts])
    axes.set_xlabel("months later")
    axes.set_title("Still paying, % of those who began in a month")


def main() -> None:
    """Load, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://localhost:8000/api/v1")
    parser.add_argument("--server-key", required=True)
    parser.add_argument("--database", default="billstream.duckdb")
    parser.add_argument("--picture", type=Path, help="a PNG to draw")
    given = parser.parse_args()
    with duckdb.connect(given.database) as db:
        print(f"{load(db, given.base_url, given.server_key)} new facts")
        db.execute(METRICS.read_text())
        for view in ("mrr", "churn", "retention"):
            print(f"\n{view}")
            print(db.table(view))
        if given.picture and db.execute("select 1 from mrr limit 1").fetchall():
            draw(db, given.picture)
            print(f"drawn: {given.picture}")
        elif given.picture:
            print("nothing drawn: nobody pays for a subscription yet")


if __name__ == "__main__":
    main()
