"""The tables of ``docs/science.md``, made from results: ``python -m bmn.explore.tables``.

A table stands between two marks, ``<!-- table NAME -->`` and ``<!-- end -->``; what is between
them is replaced. A table whose results are missing is left as it is.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bmn import store
from bmn.errors import BAD_INPUT, InputError

NUMBER = re.compile(r"-?\d[\d,.]*$")

MARKED = re.compile(r"(<!-- table (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def markdown(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table: numbers to the right, in groups of three digits."""
    texts = [list(map(_text, row)) for row in rows]
    right = [any(NUMBER.match(text) for text in column) for column in zip(*texts, strict=True)]
    lines = [list(names), ["--:" if r else ":--" for r in right or names], *texts]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return f"`{value}`" if "/" in value else value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{value:,.1f}"
    return f"{int(value):,}"


def _measured(value: float, error: float) -> tuple[str, str]:
    """Write a value and its standard error to two digits of the error; nothing if it has none."""
    if math.isnan(error):
        return "", ""
    digits = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{digits}f}", f"{error:.{digits}f}"


def law(results: Path) -> str:
    """Tabulate hazards by the tricks games have lasted, and the law."""
    table, about = store.read(results / "climb/law.parquet")
    rows = [
        (first, last, at_risk, ended, *_measured(hazard, error))
        for first, last, at_risk, ended, hazard, error in zip(*table.values(), strict=True)
    ]
    rows[-1] = ("all", "", *rows[-1][2:])
    text = markdown(("tricks from", "to", "at risk", "ended", "hazard", "standard error"), rows)
    return (
        f"{text}\nP(tricks > t) = {about['constant']:.4f} ({about['constant_error']:.4f}) "
        f"exp(-{about['hazard']:.6f} ({about['hazard_error']:.6f}) t), fitted to "
        f"{about['deals']:,} deals. Their longest has {about['longest_found']:,} tricks; the law "
        f"forecasts {about['longest_forecast']:.0f}, give or take "
        f"{about['longest_deviation']:.0f}.\n"
    )


def climb(results: Path) -> str:
    """Compare the methods."""
    table, _ = store.read(results / "climb/comparison.parquet")
    names = (
        "method",
        "runs",
        "deals each",
        "mean best",
        "standard error",
        "best",
        "forecast for sampling",
        "errors beyond sampling",
        "verdict",
    )
    sampling, *others = zip(*table.values(), strict=True)
    # Sampling is what the errors of the others are counted from.
    return markdown(names, [(*sampling[:-2], "", sampling[-1]), *others])


def chains(results: Path) -> str:
    """Compare climbs from the record with sampling."""
    rows = []
    for name in ("first26", "anywhere", "sampling"):
        for path in sorted((results / "climb" / name).glob("*.parquet")):
            table, _ = store.read(path)
            rows.append((name, path.stem, *(table[c][k] for k in (0, -1) for c in ("tricks",))))
            rows[-1] += (table["deals"][-1],)
    return markdown(("exchanges", "chain", "first", "best", "deals"), rows)


def trunks(results: Path) -> str:
    """Tabulate what was measured of trunks."""
    table, _ = store.read(results / "long/trunks.parquet")
    names = ("states", "sample", "with a predecessor on the trunk", "most of them")
    more = ("search agrees", "mean predecessors", "mean bush", "deepest bush", "mean way back")
    return markdown(names + more, zip(*table.values(), strict=True))


def leaders(results: Path) -> str:
    """List the ten longest of each source."""
    table, _ = store.read(results / "long/leaderboard.parquet")
    rows, seen = [], {}
    for source, name, deal, tricks, cards, *_, gain, agrees in zip(*table.values(), strict=True):
        seen[source] = seen.get(source, 0) + 1
        if seen[source] <= 10:
            rows.append((source, name, tricks, cards, gain, agrees, deal))
    names = ("source", "found as", "tricks", "card plays", "gain", "reference agrees", "deal")
    return markdown(names, rows)


def cycles(results: Path) -> str:
    """Sum up the catalogue of cycles."""
    table, _ = store.read(results / "cycles/summary.parquet")
    rows = list(zip(*table.values(), strict=True))
    for name, what in (("confirmed", "agrees"), ("basins", "ok")):
        agrees = store.read(results / f"cycles/{name}.parquet")[0][what]
        rows += [(f"{name}: compared", len(agrees)), (f"{name}: agree", int(agrees.sum()))]
    return markdown(("what", "count"), rows)


def loops(results: Path) -> str:
    """Group the cycles with balanced deals."""
    table, _ = store.read(results / "cycles/cycles.parquet")
    kept = table["balanced_deals"] > 0
    columns = ("smaller_hand", "period_tricks", "period_cards", "balanced_deals")
    groups = zip(*(table[name][kept] for name in columns), strict=True)
    counted: dict[tuple, int] = {}
    for group in groups:
        counted[group] = counted.get(group, 0) + 1
    names = ("smaller hand", "period, tricks", "period, cards", "balanced deals each", "cycles")
    return markdown(names, [(*group, counted[group]) for group in sorted(counted)])


def decks(results: Path) -> str:
    """List the decks for which balanced deals were found that never end."""
    table, _ = store.read(results / "cycles_decks/decks.parquet")
    rows = [row for row in zip(*table.values(), strict=True) if row[11]]
    names = ("plain", "J", "Q", "K", "A", "pieces", "compositions", "assemblies", "failed")
    more = ("cycles", "with deals", "balanced deals", "one of the shortest")
    return markdown(names + more, rows)


TABLES: dict[str, Callable[[Path], str]] = {
    "law": law,
    "climb": climb,
    "chains": chains,
    "trunks": trunks,
    "leaders": leaders,
    "cycles": cycles,
    "loops": loops,
    "decks": decks,
}
"""The tables by their names."""


def fill(text: str, results: Path) -> str:
    """Replace the tables of a text by those of a folder of results."""

    def replaced(mark: re.Match) -> str:
        begin, name, old, end = mark.groups()
        if name not in TABLES:
            raise InputError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
        try:
            return f"{begin}{TABLES[name](results)}{end}"
        except InputError as error:
            print(f"bmn: the table {name} is left as it was: {error}", file=sys.stderr)
            return f"{begin}{old}{end}"

    return MARKED.sub(replaced, text)


def main(results: str = "results", path: str = "docs/science.md") -> None:
    """Fill in the tables of a document."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        filled = fill(text, Path(results))
        with store.replacing(path) as temporary:
            temporary.write_text(filled, encoding="utf-8")
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
