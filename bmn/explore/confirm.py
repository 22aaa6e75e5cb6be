"""The second witness of the catalogue of cycles: ``python -m bmn.explore.confirm``.

The reference plays every balanced deal and compares every state with every earlier one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from bmn import checks, reference, store
from bmn.cards import Deal
from bmn.errors import BAD_INPUT, InputError
from bmn.explore import backward
from bmn.explore.catalogue import DEAL_COLUMNS
from bmn.explore.columns import columns

CONFIRMED_COLUMNS = DEAL_COLUMNS | {
    "reference_preperiod_tricks": np.int64,
    "reference_period_tricks": np.int64,
    "reference_period_cards": np.int64,
    "agrees": np.bool_,
}
"""Columns of the table of replays; -1 where the reference finds no cycle."""


def write_confirmed(
    cycles_path: str, deals_path: str, sample: int, path: str | Path, basins_path: str | Path
) -> None:
    """Replay all balanced deals and so many of the cycles, evenly chosen, with the reference.

    The second table compares, for each cycle with balanced deals, their number with that of the
    complete backward tree, which another program enumerates.
    """
    cycles, about = store.read(cycles_path)
    deals, _ = store.read(deals_path)
    rows = [_replayed(row) for row in zip(*deals.values(), strict=True)]
    count = len(cycles["cycle"])
    for at in np.unique(np.linspace(0, count - 1, min(sample, count)).astype(int)):
        key = cycles["cycle"][at]
        rows.append(
            _replayed((key, key, 0, cycles["period_tricks"][at], cycles["period_cards"][at]))
        )
    store.write(path, columns(rows, CONFIRMED_COLUMNS), about)
    compared = []
    for at in np.flatnonzero(cycles["balanced_deals"]):
        tree = backward.basin(cycles["cycle"][at])
        compared.append(
            checks.row(
                cycles["cycle"][at],
                int(cycles["balanced_deals"][at]),
                int(tree["balanced"].sum()),
            )
        )
    store.write(basins_path, checks.table(compared), about)


def _replayed(row: tuple) -> tuple:
    """Add to a deal's row what the reference finds, every state compared with every earlier one."""
    found = reference.cycle(Deal.parse(row[0]))
    if found is None:
        return (*row, -1, -1, -1, False)
    seen = found.preperiod_tricks, found.period_tricks, found.period_cards
    return (*row, *seen, seen == tuple(map(int, row[2:])))


def main(cycles: str, deals: str, sample: str, path: str, basins: str) -> None:
    """Run `write_confirmed` as a process of its own: it holds the interpreter's lock."""
    try:
        write_confirmed(cycles, deals, int(sample), path, basins)
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
