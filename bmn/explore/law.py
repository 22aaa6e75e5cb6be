"""How long random games are: the law of the tail, fitted, and what it says of searches.

Games have no memory: however long one has lasted, the chance that it ends with the next trick is
the same. So P(tricks > t) = c exp(-h t), and the longest of n deals has a Gumbel distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p, pi, sqrt

import numpy as np

from bmn import lengths as lt
from bmn.errors import InputError
from bmn.explore.columns import columns
from bmn.store import Columns

FIRST = 25
"""Tricks from which on the law is fitted: shorter games have not forgotten the deal."""

WINDOW = 50
"""Tricks in a row of the table of hazards."""

EULER = 0.5772156649015329
"""The mean of the standard Gumbel distribution."""

COLUMNS = {
    "first_trick": np.int64,
    "last_trick": np.int64,
    "at_risk": np.int64,
    "ended": np.int64,
    "hazard": np.float64,
    "hazard_error": np.float64,
}
"""Columns of the table of hazards; the last row is of all tricks from `FIRST` on."""


@dataclass(frozen=True)
class Law:
    """P(tricks > t) = constant * exp(-hazard * t), with standard errors.

    Attributes
    ----------
    hazard, hazard_error
        A trick.
    constant, constant_error
        What the law would be at 0.
    deals
        How many deals it was fitted to.
    """

    hazard: float
    hazard_error: float
    constant: float
    constant_error: float
    deals: int

    def longest(self, deals: float) -> float:
        """Forecast the mean length of the longest of so many deals, in tricks."""
        return (log(self.constant * deals) + EULER) / self.hazard

    @property
    def longest_deviation(self) -> float:
        """The standard deviation of the longest of many deals, in tricks."""
        return pi / (sqrt(6) * self.hazard)

    def surviving(self, tricks: float) -> float:
        """Return P(length > tricks)."""
        return self.constant * exp(-self.hazard * tricks)


def hazards(lengths: Columns) -> Columns:
    """Tabulate how often games end, by the tricks they have lasted.

    Parameters
    ----------
    lengths
        A length table; capped deals are at risk in all rows and never end.

    Returns
    -------
    dict of ndarray
        A row for every `WINDOW` tricks and one for all from `FIRST` on: the first and the last
        trick; how often a game could end there (a game that lasted through the window counts
        once a trick) and how often one did; the hazard -ln(1 - ended / at_risk) and its
        standard error.
    """
    ended = lt.finished(lengths)
    counts = np.zeros(int(ended["tricks"].max(initial=FIRST)) + 2, np.int64)
    np.add.at(counts, ended["tricks"].astype(np.int64), ended["deals"].astype(np.int64))
    alive = counts[::-1].cumsum()[::-1] + lt.capped(lengths)
    rows, stop = [], len(counts)
    for first in range(FIRST, stop, WINDOW):
        rows.append(_row(counts, alive, first, min(first + WINDOW, stop)))
    return columns([*rows, _row(counts, alive, FIRST, stop)], COLUMNS)


def _row(counts: np.ndarray, alive: np.ndarray, first: int, stop: int) -> tuple:
    at_risk, ended = int(alive[first:stop].sum()), int(counts[first:stop].sum())
    share = ended / at_risk if at_risk else 0.0
    # A single row in which all games end tells nothing of the hazard.
    hazard = -log1p(-share) if share < 1 else float("nan")
    error = sqrt(share / (at_risk * (1 - share))) if 0 < share < 1 else float("nan")
    return first, stop - 1, at_risk, ended, hazard, error


def fit(lengths: Columns) -> Law:
    """Fit the law to a length table, by maximum likelihood to games of `FIRST` tricks and more.

    Raises
    ------
    InputError
        If fewer than ten games are that long.
    """
    table = hazards(lengths)
    deals, ended = lt.total(lengths, "deals"), int(table["ended"][-1])
    if ended < 10:
        raise InputError(
            f"only {ended} of {deals} games last {FIRST} tricks; fit the law to more deals"
        )
    hazard, error = float(table["hazard"][-1]), float(table["hazard_error"][-1])
    # P(tricks > FIRST - 1), an observed share, is where the law begins.
    alive = ended + lt.capped(lengths)
    begins = alive / deals
    constant = begins * exp(hazard * (FIRST - 1))
    relative = sqrt((1 - begins) / alive + ((FIRST - 1) * error) ** 2)
    return Law(hazard, error, constant, constant * relative, deals)
