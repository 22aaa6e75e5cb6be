"""Tables of what other people published beside what this project measures, for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from bmn.published import AGREES, grouped
from bmn.report.run import Run, rows


@dataclass(frozen=True)
class Remeasured:
    """A table of published values and ours.

    Attributes
    ----------
    title
        What they are about.
    path
        The result file they are from.
    rows
        For each ``claim`` its ``published`` value, ``ours``, the ``verdict``, ``why`` they
        differ, and the ``source``, all text.
    """

    title: str
    path: str
    rows: Sequence[dict[str, str]]

    @property
    def agreeing(self) -> int:
        """How many agree."""
        return sum(row["verdict"] == AGREES for row in self.rows)


def remeasured(run: Run) -> list[Remeasured]:
    """List the tables of published values that this run measured again."""
    tables = []
    if run.has("published/claims.parquet"):
        claims = rows(run.table("published/claims"))
        told = [
            row
            | {"why": row["why"] or ""}
            | {key: grouped(row[key]) for key in ("published", "ours")}
            for row in claims
        ]
        tables.append(Remeasured("Single claims", "published/claims.parquet", told))
    if run.has("published/statistics.parquet"):
        told = [_statistic(row) for row in rows(run.table("published/statistics"))]
        if told:
            title = "Statistics of random deals"
            tables.append(Remeasured(title, "published/statistics.parquet", told))
    return tables


def known_deals_tally(run: Run) -> dict[str, int] | None:
    """Count the known deals that both implementations played, and those that agree."""
    if not run.has("published/records.parquet"):
        return None
    deals = rows(run.table("published/records"))
    return {
        "deals": len(deals),
        "agree": sum(row["verdict"] == AGREES and row["implementations_agree"] for row in deals),
    }


def _statistic(row: dict[str, Any]) -> dict[str, str]:
    ours, error = _short(row["ours"]), row["standard_error"]
    if error:
        digits = max(0, -floor(log10(error)))
        ours = f"{row['ours']:,.{digits}f} ± {error:.{digits}f}"
    return {
        "claim": row["statistic"],
        "published": _short(row["published"]),
        "ours": ours,
        "verdict": row["verdict"],
        "why": row["why"] or "",
        "source": row["source"],
    }


def _short(value: float) -> str:
    """Write a number to six digits, or a small share as one in so many."""
    return f"1 in {1 / value:,.0f}" if 0 < value < 0.001 else f"{value:,.6g}"
