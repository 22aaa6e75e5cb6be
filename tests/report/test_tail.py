"""How many games outlast each trick, and how likely each trick is the last."""

from math import isclose

import numpy as np

from bmn import lengths as lt
from bmn import reference
from bmn.report import tail
from bmn.shuffle import deal_seed


def table(ended, capped=0):
    """A length table from the number of deals that end in each trick, from 1."""
    rows = [(True, t, n) for t, n in enumerate(ended, 1) if n] + [(False, 9999, capped)] * (
        capped > 0
    )
    finished, tricks, deals = zip(*rows, strict=True)
    columns = {name: np.zeros(len(rows), np.uint64) for name in lt.LENGTH_COLUMNS}
    return columns | {
        "finished": np.array(finished),
        "tricks": np.array(tricks, np.uint64),
        "deals": np.array(deals, np.uint64),
    }


def test_survival_counts_what_is_longer():
    tricks, longer = tail.survival(table([5, 0, 3], capped=2))
    assert tricks.tolist() == [0, 1, 2, 3]
    assert longer.tolist() == [10, 5, 5, 2]


def test_survival_of_real_games():
    lengths = [reference.play(deal_seed(seed)).tricks for seed in range(300)]
    ended = np.bincount(lengths)[1:].tolist()
    tricks, longer = tail.survival(table(ended))
    assert longer.tolist() == [sum(length > t for length in lengths) for t in tricks]


def test_hazards_are_ends_over_exposure():
    (run,) = tail.hazards(table([0, 0, 40, 0, 0, 60, 100]), 5)[:1]
    assert (run["first"], run["last"], run["ended"]) == (1, 5, 40)
    assert isclose(run["hazard"], 40 / (200 * 3 + 160 * 2))
    assert run["low"] < run["hazard"] < run["high"]


def test_with_capped_deals_alone_every_trick_is_outlasted():
    columns = {name: values[-1:] for name, values in table([1], capped=7).items()}
    tricks, longer = tail.survival(columns)
    assert (tricks.tolist(), longer.tolist()) == ([0], [7])
    assert tail.hazards(columns, 5) == []
