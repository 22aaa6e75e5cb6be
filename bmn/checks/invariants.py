"""What must hold of every deal, counted by the engine, and of the merged tables.

The engine checks every deal it plays: the deck is a permutation, no card is lost, and the loser
of a finished game has no card. This table says that nothing was counted, that the counter can
count (with a bit flipped in every deal), and that the two tables add up to the same game.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bmn import checks
from bmn import lengths as lt
from bmn.chunks import Search, read_table
from bmn.store import Columns

FAULTS = 10_000
"""Deals in each of which one bit is flipped."""

CAUGHT = 9_999
"""At least so many of them must be counted as violations."""


def check(search: Search, lengths_path: str | Path, plays_path: str | Path) -> Columns:
    """Check the merged tables of a search, and that the violation counter counts."""
    lengths, _ = read_table(search, lengths_path)
    plays, _ = read_table(search, plays_path)
    counted = int(np.sum(plays["card_plays"] * plays["deals"], dtype=np.uint64))
    deals = lt.total(lengths, "deals")
    return checks.table(
        [
            checks.row("violations", 0, lt.total(lengths, "violations")),
            checks.row("deals in the length table", search.seeds, deals),
            checks.row("deals in the plays table", search.seeds, lt.total(plays, "deals")),
            checks.row("card plays in both tables", lt.total(lengths, "card_plays"), counted),
            checks.row("capped deals in both tables", lt.capped(lengths), lt.capped(plays)),
            checks.row("injected faults are counted", True, counts_faults()),
        ]
    )


def counts_faults() -> bool:
    """Return whether every kernel's violation counter sees the faults injected."""
    from bmn import _engine

    return all(
        lt.total(_engine.search(0, FAULTS, 1000, kernel, fault=1).lengths, "violations") >= CAUGHT
        for kernel in _engine.kernels()
    )
