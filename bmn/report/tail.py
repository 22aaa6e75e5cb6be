"""How many games outlast each trick, and how likely each trick is the last.

The exponential law that they follow is fitted by `bmn.explore.law`.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from bmn import lengths as lt
from bmn.store import Columns

LEAST = 30
"""Ends that a run of tricks must have to be shown."""


def survival(lengths: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return 0, 1, 2, … tricks and the number of deals longer than each, capped ones included."""
    tricks, _, reached = _life_table(lengths)
    return np.arange(len(tricks) + 1), np.append(reached, lt.capped(lengths))


def hazards(lengths: Columns, width: int) -> list[dict[str, float]]:
    """Return the chance that a game ends in a trick it has reached, over runs of `width` tricks.

    Returns
    -------
    list of dict
        ``first`` and ``last`` trick, ``ended`` deals, ``hazard``, ``low`` and ``high``: two
        standard errors around it. Runs in which fewer than `LEAST` deals end are left out.
    """
    tricks, ended, reached = _life_table(lengths)
    runs = []
    for first in range(1, len(tricks) + 1, width):
        run = slice(first - 1, first - 1 + width)
        ends, exposure = int(ended[run].sum()), int(reached[run].sum())
        if ends < LEAST:
            continue
        hazard = ends / exposure
        spread = 2 * sqrt(hazard * (1 - hazard) / exposure)
        runs.append(
            {
                "first": first,
                "last": min(first + width - 1, len(tricks)),
                "ended": ends,
                "hazard": hazard,
                "low": hazard - spread,
                "high": hazard + spread,
            }
        )
    return runs


def _life_table(lengths: Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tricks 1, 2, … to the longest finished game, deals ending there, and reaching it."""
    done = lt.finished(lengths)
    longest = int(done["tricks"].max(initial=0))
    ended = np.zeros(longest + 1, np.int64)
    ended[done["tricks"].astype(np.int64)] = done["deals"].astype(np.int64)
    reached = lt.capped(lengths) + ended[::-1].cumsum()[::-1]
    return np.arange(1, longest + 1), ended[1:], reached[1:]
