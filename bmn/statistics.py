"""Published statistics of random deals beside those of a search, with standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bmn import lengths as lt
from bmn.cards import STANDARD
from bmn.chunks import Search
from bmn.published import AGREES, DIFFERS, published_data
from bmn.store import Columns


def statistics(search: Search, lengths: Columns, plays: Columns) -> Columns:
    """Compare the statistics of a search with published ones of random deals.

    Parameters
    ----------
    search
        Which deals they are.
    lengths, plays
        Its merged tables.

    Returns
    -------
    dict of ndarray
        A row for each statistic of this deck: ``statistic``, ``published``, ``ours`` and
        ``standard_error`` (float64; of ours, 0 where it has none), ``verdict``, ``why`` (a
        remark on one that differs, or to what one that agrees was rounded, or None) and
        ``source``. A published value agrees if it lies within its rounding and three standard
        errors of the difference, its own sample being finite too. No row if no game of the search
        ended, or it has another deck or other rules than the standard ones.
    """
    standard = search.deck == STANDARD and search.rules.standard_play and lengths["finished"].any()
    sample = _Sample(lengths, plays)
    rows = (
        [_statistic(sample, entry) for entry in published_data()["statistics"]] if standard else []
    )
    names = ("statistic", "published", "ours", "standard_error", "verdict", "why", "source")
    text = ("statistic", "verdict", "why", "source")
    return {
        name: np.array([row[name] for row in rows], object if name in text else np.float64)
        for name in names
    }


class _Distribution:
    """How often each value occurs among ``deals`` games, some of which may have none."""

    def __init__(self, values: np.ndarray, counts: np.ndarray, deals: int):
        self.values, self.counts, self.deals = values.astype(float), counts.astype(float), deals
        self.below = np.cumsum(self.counts) / deals

    def share_up_to(self, value: float) -> float:
        at = np.searchsorted(self.values, value, "right")
        return float(self.below[at - 1]) if at else 0.0

    def quantile(self, share: float) -> float:
        return float(self.values[min(np.searchsorted(self.below, share), len(self.values) - 1)])

    def mean(self) -> float:
        return float(self.values @ self.counts / self.counts.sum())

    def variance(self) -> float:
        return float((self.values - self.mean()) ** 2 @ self.counts / self.counts.sum())

    def density(self, value: float) -> float:
        width = max(1.0, 0.02 * value)
        share = self.share_up_to(value + width) - self.share_up_to(value - width)
        return max(share, 1 / self.deals) / (2 * width)


class _Sample:
    """The distributions of a search, by the names of what was published."""

    def __init__(self, lengths: Columns, plays: Columns):
        ended, played = lt.finished(lengths), lt.finished(plays)
        self.deals = lt.total(lengths, "deals")
        tricks, deals = ended["tricks"], ended["deals"]
        self.distributions = {
            "tricks": _Distribution(tricks, deals, self.deals),
            "piles taken": _Distribution(tricks - np.uint64(1), deals, self.deals),
            "card plays": _Distribution(played["card_plays"], played["deals"], self.deals),
        }
        self.counts = {
            "leader_wins": lt.total(ended, "leader_wins"),
            "captures": lt.total(ended, "captures"),
            "capped": lt.capped(lengths),
        }


def _statistic(sample: _Sample, entry: Mapping[str, Any]) -> dict[str, Any]:
    value, half = entry["published"], entry.get("rounded_to", 0) / 2
    theirs = 1 / entry["deals"] if "deals" in entry else 0.0
    both = 1 / sample.deals + theirs
    name = entry["quantity"]
    if entry["measure"] == "share":
        ours = sample.counts[entry["of"]] / sample.deals
        error = (ours * (1 - ours) / sample.deals) ** 0.5
        agrees = abs(ours - value) <= half + 3 * (value * (1 - value) * both) ** 0.5
    else:
        found = sample.distributions[name]
        if entry["measure"] == "mean":
            name = f"mean of {name}"
            ours, error = found.mean(), (found.variance() / sample.deals) ** 0.5
            agrees = abs(ours - value) <= half + 3 * (found.variance() * both) ** 0.5
        elif entry["measure"] == "quantile":
            share = entry["of"]
            name = f"{name} in {share:.0%} of games, at most"
            ours = found.quantile(share)
            spread = (share * (1 - share)) ** 0.5
            error = spread / sample.deals**0.5 / found.density(ours)
            slack = 3 * spread * both**0.5
            up_to, below = found.share_up_to(value + half), found.share_up_to(value - half - 1)
            agrees = below - slack <= share <= up_to + slack
        else:
            name = f"longest of {entry['deals']:,}, in {name}, is above"
            # The median of the longest of so many games; and how likely one is longer than that.
            ours, error = found.quantile(0.5**theirs), 0.0
            agrees = 1 - found.share_up_to(value) ** entry["deals"] >= 0.05
    return {
        "statistic": name,
        "published": float(value),
        "ours": ours,
        "standard_error": error,
        "verdict": AGREES if agrees else DIFFERS,
        "why": _rounding(entry) if agrees else entry.get("why"),
        "source": entry["source"],
    }


def _rounding(entry: Mapping[str, Any]) -> str | None:
    step = entry.get("rounded_to", 0)
    return f"published to the nearest {step:,}" if step > 1 else None
