"""What was found by searching rather than looking: climbs, longer games, cycles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bmn import store
from bmn.checks.expected import committed_folder
from bmn.report.run import Run, rows
from bmn.report.vega import WHOLE, Picture, count_axis, log_scale, number, shown

KINDS = {
    "sampling": ("random deals", "@seat1"),
    "first26": ("climb, exchanging among the first 26 dealt", "@seat2"),
    "anywhere": ("climb, exchanging any cards", "@edge"),
}
"""The folders of traces under ``climb/``, what they are called, and their colour."""

LEADERS = 20
"""How many deals of the leaderboard are shown."""

CYCLES = ("cycles_full", "cycles")
"""The folders that may hold a catalogue of cycles, the fullest first."""


def climbing(run: Run) -> Picture | None:
    """Draw the longest deal so far of climbs and of plain sampling, against deals examined."""
    if not run.has("climb/comparison.parquet"):
        return None
    values = [
        {
            "kind": KINDS[kind][0],
            "chain": f"{kind} {number}",
            "deals": max(1, deals),
            "tricks": tricks,
        }
        for kind, number, deals, tricks in _traces(run)
    ]
    most = max(value["deals"] for value in values)
    methods = rows(run.table("climb/comparison"))
    beats = [m["method"] for m in methods if m["verdict"] == "beats sampling"]
    verdict = (
        f"beats plain sampling: {', '.join(beats)}" if beats else "no method beats plain sampling"
    )
    names, colours = zip(*KINDS.values(), strict=True)
    legend = {"title": None, "orient": "bottom", "direction": "vertical", "labelLimit": 300}
    spec = {
        "data": {"values": values},
        "mark": {
            "type": "line",
            "interpolate": "step-after",
            "strokeWidth": 1.5,
            "point": {"size": 12},
        },
        "encoding": {
            "x": number("deals", "deals examined", scale=log_scale(1, most), axis=count_axis(most)),
            "y": number("tricks", "tricks of the longest so far", scale={"domainMin": 0}),
            "detail": {"field": "chain"},
            "strokeDash": {
                "field": "kind",
                "scale": {"domain": list(names), "range": [[1, 0], [1, 0], [6, 4]]},
                "legend": legend,
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": list(names), "range": list(colours)},
                "legend": legend,
            },
            "tooltip": shown(
                ("kind", "by", ""), ("deals", "deals examined", WHOLE), ("tricks", "longest", WHOLE)
            ),
        },
    }
    deals = methods[0]["deals"]
    return Picture(
        "climbing",
        "Looking and climbing",
        "Climbs start from the record of this search, exchange two cards, play again and keep what "
        "is longer; sampling starts from nothing. In the table all methods start from random deals "
        f"and examine {deals:,} each, {methods[0]['restarts']} times over: {verdict} by two "
        "standard errors. Long life is not inherited, so climbing is sampling with extra steps."
        if not beats
        else f"At {deals:,} deals each, {verdict} by two standard errors.",
        spec,
        ("method", "mean of the best", "± standard error", "best", "verdict"),
        [
            (
                m["method"],
                f"{m['mean_best']:.1f}",
                f"{m['error']:.1f}",
                f"{m['best']}",
                m["verdict"],
            )
            for m in methods
        ],
        ("climb/comparison.parquet",),
    )


def leaderboard(run: Run) -> list[dict[str, Any]]:
    """List the longest deals from all sources, longest first; none if they were not ranked."""
    if not run.has("long/leaderboard.parquet"):
        return []
    return rows(run.table("long/leaderboard"))[:LEADERS]


def best_climbed(run: Run) -> dict[str, Any] | None:
    """Return the longest deal that a climb reached: a deck, not a seed."""
    if not run.has("climb/comparison.parquet"):
        return None
    reached = [
        rows(store.read(path)[0])[-1]
        for kind in ("first26", "anywhere")
        for path in _chains(run, kind)
    ]
    return max(reached, key=lambda row: row["tricks"], default=None)


def catalogue(run: Run) -> dict[str, Any] | None:
    """Tell of the cycles that were put together, and list a few deals that never end.

    Returns
    -------
    dict or None
        ``folder``, ``cycles`` and ``deals`` (how many), and ``examples``: a deal for each of a
        few cycles, from the shortest period to the longest. None if there is no catalogue.
    """
    folder = next((f for f in CYCLES if run.has(f"{f}/balanced_deals.parquet")), None)
    if folder is None:
        return None
    deals = rows(run.table(f"{folder}/balanced_deals"))
    by_cycle: dict[str, dict[str, Any]] = {}
    for deal in deals:
        by_cycle.setdefault(deal["cycle"], deal)
    ordered = sorted(by_cycle.values(), key=lambda deal: (deal["period_tricks"], deal["deal"]))
    step = max(1, len(ordered) // 10)
    return {
        "folder": folder,
        "cycles": len(run.table(f"{folder}/cycles")["cycle"]),
        "with_deals": len(ordered),
        "deals": len(deals),
        "examples": [*ordered[:-1:step], *ordered[-1:]],
    }


def committed_catalogue() -> dict[str, Any]:
    """Return the counts and digests on record of the project's catalogue of cycles."""
    return store.read_json(committed_folder() / "cycles/default.json")


def _traces(run: Run) -> Iterator[tuple[str, int, int, int]]:
    """Yield kind, chain, deals and tricks of every point of every trace."""
    for kind in KINDS:
        for path in _chains(run, kind):
            for row in rows(store.read(path)[0]):
                yield kind, row["chain"], row["deals"], row["tricks"]


def _chains(run: Run, kind: str) -> list[Path]:
    return sorted((run.folder / "climb" / kind).glob("chain=*.parquet"))
