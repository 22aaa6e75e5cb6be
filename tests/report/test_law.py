"""The exponential law, and the curves it is fitted to."""

from math import exp, isclose

import numpy as np
import pytest

from bmn import lengths as lt
from bmn import reference
from bmn.report import law
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
    tricks, longer = law.survival(table([5, 0, 3], capped=2))
    assert tricks.tolist() == [0, 1, 2, 3]
    assert longer.tolist() == [10, 5, 5, 2]


def test_survival_of_real_games():
    lengths = [reference.play(deal_seed(seed)).tricks for seed in range(300)]
    ended = np.bincount(lengths)[1:].tolist()
    tricks, longer = law.survival(table(ended))
    assert longer.tolist() == [sum(length > t for length in lengths) for t in tricks]


def test_a_constant_hazard_is_found_with_its_error():
    rng = np.random.default_rng(1)
    lengths = 29 + rng.geometric(0.034, 200_000)
    fitted = law.fit(table(np.bincount(lengths)[1:].tolist()))
    assert abs(fitted.hazard - 0.034) < 4 * fitted.hazard_se
    assert isclose(fitted.hazard_se, 0.034 / 200_000**0.5, rel_tol=0.05)
    assert isclose(fitted.survival(29), 1, rel_tol=1e-9)
    assert isclose(fitted.survival(60), exp(-fitted.rate * 31), rel_tol=1e-9)


def test_the_forecast_of_the_longest_is_that_of_samples():
    rng = np.random.default_rng(2)
    longest = (29 + rng.geometric(0.034, (2000, 5000))).max(axis=1)
    fitted = law.Law(0.034, 0.0, exp(29 * -np.log1p(-0.034)), 30)
    assert abs(fitted.longest(5000) + 0.5 - longest.mean()) < 4 * 37 / 2000**0.5
    assert isclose(fitted.longest_sd, longest.std(), rel_tol=0.06)
    median = int(np.median(longest))
    assert isclose(fitted.chance_of_longer(median, 5000), (longest >= median).mean(), abs_tol=0.04)


def test_hazards_are_ends_over_exposure():
    (run,) = law.hazards(table([0, 0, 40, 0, 0, 60, 100]), 5)[:1]
    assert (run["first"], run["last"], run["ended"]) == (1, 5, 40)
    assert isclose(run["hazard"], 40 / (200 * 3 + 160 * 2))
    assert run["low"] < run["hazard"] < run["high"]


@pytest.mark.parametrize("ended", [[10], [0, 4, 6]])
def test_without_a_tail_there_is_no_law(ended):
    assert law.fit(table(ended)) is None


def test_with_capped_deals_alone_there_is_no_law():
    columns = {name: values[-1:] for name, values in table([1], capped=7).items()}
    assert law.fit(columns) is None
    assert law.survival(columns)[1].tolist() == [7]
