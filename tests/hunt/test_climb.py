"""Climbing, sampling and walking; the law of game lengths."""

import itertools
from math import exp, log

import numpy as np
import pytest

import bmn
from bmn import reference
from bmn.cards import STANDARD, Deal
from bmn.explore import climb as climbs
from bmn.explore import law
from bmn.explore.climb import Climb, climb

START = "---A-----J-J-K-J-J---Q--K-/-AA---QA---KQ-Q----------K"


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in climbs.TRACE)


@pytest.mark.parametrize("anywhere", [False, True])
@pytest.mark.parametrize("plateau", [False, True])
@pytest.mark.parametrize("patience", [0, 300])
def test_a_climb_does_not_depend_on_how_many_deals_are_measured_at_a_time(
    monkeypatch, anywhere, plateau, patience
):
    how = Climb(3, 3000, anywhere, plateau, patience)
    trace = climb(START, how)
    for smallest, largest in ((1, 1), (7, 50), (4096, 4096)):
        monkeypatch.setattr(climbs, "SMALLEST", smallest)
        monkeypatch.setattr(climbs, "LARGEST", largest)
        assert same(climb(START, how), trace)


def test_a_climb_is_what_it_says_step_by_step():
    """The same climb, one deal after another, played by the reference."""
    how = Climb(5, 400)
    places = climbs._places(26, 26, False)
    assert list(places) == [*range(13), *range(26, 39)]
    here, length, examined, rows = bytearray(b"".join(Deal.parse(START))), 37, 0, [(0, 37)]
    for proposal in itertools.count():
        one, other, _ = climbs._pairs(5, proposal, 1, len(places))
        a, b = places[one[0]], places[other[0]]
        if here[a] == here[b]:
            continue
        new = bytearray(here)
        new[a], new[b] = here[b], here[a]
        tricks = reference.play(Deal(bytes(new[:26]), bytes(new[26:]))).tricks
        examined += 1
        if tricks > length:
            here, length = new, tricks
            rows.append((examined, tricks))
        if examined == how.deals:
            break
    trace = climb(START, how)
    assert list(zip(trace["deals"], trace["tricks"], strict=True)) == [*rows, (400, length)]


def test_a_climb_among_the_first_cards_leaves_the_others_alone():
    trace = climb(START, Climb(1, 5000))
    first, second = START.split("/")
    for deal in trace["deal"]:
        hands = deal.split("/")
        assert (hands[0][13:], hands[1][13:]) == (first[13:], second[13:])
    moved = climb(START, Climb(1, 5000, anywhere=True))["deal"][-1]
    assert moved.split("/")[0][13:] != first[13:]


@pytest.mark.parametrize("method", [climbs.sample, climbs.anneal, climbs.late_acceptance])
def test_methods_are_reproducible_and_tell_the_truth(method):
    trace = method(2, 5000)
    assert same(trace, method(2, 5000))
    assert not same(trace, method(3, 5000))
    assert trace["deals"][-1] == 5000
    assert list(trace["tricks"]) == sorted(trace["tricks"])
    for deal, tricks in zip(trace["deal"], trace["tricks"], strict=True):
        assert Deal.parse(deal).deck == STANDARD
        assert reference.play(Deal.parse(deal)).tricks == tricks


def test_sampling_looks_at_the_deals_of_its_seeds():
    trace = climbs.sample(1, 40_000)
    lengths = bmn.search(1 << 40, 40_000)
    assert trace["tricks"][-1] == lengths["tricks"].max()
    assert trace["deal"][-1] == bmn.deal(int(lengths["first_seed"].iloc[-1]))
    assert trace["deals"][-2] == int(lengths["first_seed"].iloc[-1]) - (1 << 40) + 1


def test_numbers_of_proposals_are_even():
    one, other, luck = climbs._pairs(9, 0, 26 * 25 * 200, 26)
    assert np.all(one != other)
    counts = np.bincount(one * 26 + other, minlength=26 * 26)
    counts = counts[counts > 0]
    assert len(counts) == 26 * 25
    assert counts.min() > 130
    assert counts.max() < 270
    assert 0 <= luck.min() < 0.001
    assert 0.999 < luck.max() < 1


def test_deals_one_cannot_climb_from():
    with pytest.raises(bmn.InputError, match="uneven"):
        climb("---/J", Climb(1, 10))
    with pytest.raises(bmn.InputError, match="alike"):
        climb("--J/--Q", Climb(1, 10))


def geometric(hazard, deals, seed=1):
    tricks = 10 + np.random.default_rng(seed).geometric(1 - exp(-hazard), deals)
    lengths, counts = np.unique(tricks, return_counts=True)
    return {
        "finished": np.ones(len(lengths), bool),
        "tricks": lengths.astype(np.uint64),
        "deals": counts.astype(np.uint64),
    }


@pytest.mark.parametrize("hazard", [0.0348, 0.1])
def test_the_law_of_games_without_memory_is_recovered(hazard):
    fitted = law.fit(geometric(hazard, 400_000))
    assert abs(fitted.hazard - hazard) < 4 * fitted.hazard_error
    # P(tricks > t) = exp(-h (t - 10)), so the constant is exp(10 h).
    assert abs(fitted.constant - exp(10 * hazard)) < 4 * fitted.constant_error
    assert fitted.hazard_error < 0.01 * hazard


def test_the_errors_of_the_law_are_what_they_say():
    fits = [law.fit(geometric(0.0348, 20_000, seed)) for seed in range(200)]
    for name, truth in (("hazard", 0.0348), ("constant", exp(0.348))):
        off = np.array([(getattr(f, name) - truth) / getattr(f, f"{name}_error") for f in fits])
        assert abs(off.mean()) < 0.3
        assert 0.8 < off.std() < 1.2


def test_the_forecast_is_the_mean_of_the_longest():
    rng = np.random.default_rng(3)
    longest = [10 + rng.geometric(1 - exp(-0.0348), 10_000).max() for _ in range(400)]
    fitted = law.Law(0.0348, 0, exp(0.348), 0, 10_000)
    assert abs(np.mean(longest) - fitted.longest(10_000)) < 4 * fitted.longest_deviation / 20
    assert np.std(longest) == pytest.approx(fitted.longest_deviation, rel=0.15)
    assert log(fitted.surviving(100) / fitted.surviving(101)) == pytest.approx(0.0348)


def test_the_law_of_random_deals():
    lengths = {n: c.to_numpy() for n, c in bmn.search(0, 300_000).items()}
    fitted = law.fit(lengths)
    assert abs(fitted.hazard - 0.0348) < 4 * fitted.hazard_error
    table = law.hazards(lengths)
    (long,) = np.nonzero(table["ended"] > 200)
    apart = (table["hazard"] - fitted.hazard)[long] / table["hazard_error"][long]
    assert np.abs(apart).max() < 4
    assert table["ended"][-1] == sum(table["ended"][:-1])


def test_too_few_games_have_no_law():
    with pytest.raises(bmn.InputError, match="more deals"):
        law.fit(geometric(0.5, 100))
