"""The law of long games: past the first few tricks, a game ends with one chance in each trick.

The number of deals longer than ``t`` tricks then falls as ``constant * exp(-rate * t)``, and the
longest of ``n`` deals follows a Gumbel distribution around ``log(constant * n) / rate``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p, pi, sqrt

import numpy as np

from bmn import lengths as lt
from bmn.store import Columns

EULER_GAMMA = 0.5772156649015329

FIRST = 30
"""Tricks from which on the hazard is taken as constant."""


@dataclass(frozen=True)
class Law:
    """An exponential tail of the lengths of games.

    Attributes
    ----------
    hazard, hazard_se
        Chance that a game that has reached a trick ends in it, and its standard error.
    constant
        Of ``P(tricks > t) = constant * exp(-rate * t)``.
    first
        The trick from which on the law was fitted.
    """

    hazard: float
    hazard_se: float
    constant: float
    first: int

    @property
    def rate(self) -> float:
        """The decay per trick, ``-log(1 - hazard)``."""
        return -log1p(-self.hazard)

    @property
    def rate_se(self) -> float:
        """The standard error of the rate."""
        return self.hazard_se / (1 - self.hazard)

    def survival(self, tricks: float) -> float:
        """Return the share of deals longer than so many tricks, by the law."""
        return self.constant * exp(-self.rate * tricks)

    def longest(self, deals: float) -> float:
        """Return the expected length of the longest of so many deals, in tricks."""
        return (log(self.constant * deals) + EULER_GAMMA) / self.rate

    @property
    def longest_sd(self) -> float:
        """The standard deviation of the longest, in tricks; the same for any number of deals."""
        return pi / sqrt(6) / self.rate

    def chance_of_longer(self, tricks: int, deals: int) -> float:
        """Return the chance that the longest of so many deals reaches at least `tricks`."""
        return 1 - exp(-deals * self.survival(tricks - 1))


def fit(lengths: Columns, first: int = FIRST) -> Law | None:
    """Fit the law to a length table by maximum likelihood.

    Parameters
    ----------
    lengths
        A length table. Capped deals count as longer than any finished one.
    first
        Only what happens from this trick on is used.

    Returns
    -------
    Law or None
        None if no game ends from that trick on.
    """
    deals = lt.total(lengths, "deals")
    tricks, ended, reached = _life_table(lengths)
    late = tricks >= first
    ends, exposure = int(ended[late].sum()), int(reached[late].sum())
    if not ends or ends == exposure:
        return None
    hazard = ends / exposure
    at_first = int(reached[late][0]) / deals
    return Law(
        hazard=hazard,
        hazard_se=sqrt(hazard * (1 - hazard) / exposure),
        constant=at_first * exp(-log1p(-hazard) * (first - 1)),
        first=first,
    )


def survival(lengths: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return 0, 1, 2, … tricks and the number of deals longer than each, capped ones included."""
    tricks, _, reached = _life_table(lengths)
    return np.arange(len(tricks) + 1), np.append(reached, lt.capped(lengths))


def hazards(lengths: Columns, width: int) -> list[dict[str, float]]:
    """Return the chance of ending in a trick, over runs of `width` tricks.

    Returns
    -------
    list of dict
        ``first`` and ``last`` trick, ``ended`` deals, ``hazard``, ``low`` and ``high``: two
        standard errors around it. Runs in which fewer than 30 deals end are left out.
    """
    tricks, ended, reached = _life_table(lengths)
    runs = []
    for first in range(1, int(tricks[-1]) + 1, width):
        run = slice(first - 1, first - 1 + width)
        ends, exposure = int(ended[run].sum()), int(reached[run].sum())
        if ends < 30:
            continue
        hazard = ends / exposure
        spread = 2 * sqrt(hazard * (1 - hazard) / exposure)
        runs.append(
            {
                "first": first,
                "last": min(first + width - 1, int(tricks[-1])),
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
