"""All kernels give the same tables, whatever is searched, and the ones the rules give."""

import numpy as np
import pytest
from engine_strategies import SMALL_CAPS, decks
from engine_tables import assert_same_tables, fingerprint
from hypothesis import given, settings
from hypothesis import strategies as st

from bmn import _engine
from bmn.cards import STANDARD, Deck
from bmn.shuffle import deal_seed

FIRST_SEEDS = (0, 2**40, 2**63)


def test_kernels_are_known_and_ordered(kernel):
    assert _engine.kernels()[-2:] == ("scalar", "plain")
    assert _engine.resolve_kernel(kernel) == kernel


def test_first_seeds(kernel):
    games = [_engine.play(*deal_seed(seed), kernel=kernel) for seed in range(5)]
    assert [game[0] for game in games] == [37, 6, 16, 10, 35]
    assert [game[1] for game in games] == [264, 57, 136, 65, 267]
    assert [game[2] for game in games] == [1, 1, 0, 0, 1]


@pytest.mark.parametrize("cap", [1, 2, 300, 100_000])
@pytest.mark.parametrize("seeds", [1, 7, 4096])
@pytest.mark.parametrize("first_seed", [*FIRST_SEEDS, "last"])
def test_same_tables(kernel, first_seed, seeds, cap):
    first_seed = 2**64 - seeds if first_seed == "last" else first_seed
    expected = _engine.search(first_seed, seeds, cap, "plain")
    assert_same_tables(_engine.search(first_seed, seeds, cap, kernel), expected)
    assert int(expected.lengths["deals"].sum()) == seeds
    assert not expected.lengths["violations"].any()


@pytest.mark.slow
@pytest.mark.parametrize("cap", [1, 2, 300, 100_000])
@pytest.mark.parametrize("first_seed", [*FIRST_SEEDS, 2**64 - 393_216])
def test_same_tables_of_a_chunk(first_seed, cap):
    expected = _engine.search(first_seed, 393_216, cap, "plain")
    for kernel in _engine.kernels():
        assert_same_tables(_engine.search(first_seed, 393_216, cap, kernel), expected)


@settings(max_examples=40, deadline=None)
@given(deck=decks(), cap=SMALL_CAPS, first_seed=st.integers(0, 2**64 - 400))
def test_same_tables_of_any_deck(deck, cap, first_seed):
    expected = _engine.search(first_seed, 300, cap, "plain", deck)
    for kernel in _engine.kernels():
        assert_same_tables(_engine.search(first_seed, 300, cap, kernel, deck), expected)


def test_the_record_and_what_is_around_it(kernel):
    tables = _engine.search(13_750_259 - 2048, 4096, kernel=kernel)
    assert tables.lengths["tricks"][-1] == 575
    assert tables.lengths["first_seed"][-1] == 13_750_259
    assert tables.lengths["first_seed_card_plays"][-1] == 3_918
    assert tables.plays["card_plays"][-1] == 3_918


def test_known_fingerprint(kernel):
    assert fingerprint(_engine.search(0, 100_000, kernel=kernel)) == 0xD51D51E248099C6D


@pytest.mark.slow
def test_full_search():
    tables = _engine.search(0, 100_663_296)
    assert fingerprint(tables) == 0xCF23312AA777CD69
    assert len(tables.capped) == 0
    assert tables.lengths["violations"].sum() == 0
    assert (tables.lengths["tricks"][-1], tables.lengths["first_seed"][-1]) == (575, 13_750_259)


@pytest.mark.parametrize("deck", [STANDARD, Deck(18, 2, 2, 2, 2), Deck(120, 10, 10, 10, 10)])
def test_tables_are_the_games_one_by_one(kernel, deck):
    """Every column, from the games of the same seeds played as stated deals."""
    seeds, cap = range(2**40, 2**40 + 400), 60
    deals = [deal_seed(seed, deck) for seed in seeds]
    rows = np.array([list(deal.first + deal.second) for deal in deals], np.uint8)
    games = _engine.play_many(rows, cap, kernel, split=len(deals[0].first))
    tables = _engine.search(seeds[0], len(seeds), cap, kernel, deck)
    finished = games["ending"] != 2
    seeds = np.array(seeds, np.uint64)
    assert np.array_equal(tables.capped, seeds[~finished])
    wanted = []
    for done, tricks in sorted(set(zip(finished, games["tricks"], strict=True))):
        row = (finished == done) & (games["tricks"] == tricks)
        wins = np.sum((games["winner"][row] == 0) & done)
        plays = games["card_plays"][row]
        captures = np.sum(games["ending"][row] == 1)
        wanted.append(
            (done, tricks, row.sum(), plays.sum(), captures, wins, seeds[row][0], plays[0])
        )
    columns = [name for name in tables.lengths if name not in ("violations", "fingerprint")]
    found = list(zip(*(tables.lengths[name] for name in columns), strict=True))
    assert found == wanted
    wanted = []
    for done, plays in sorted(set(zip(finished, games["card_plays"], strict=True))):
        row = (finished == done) & (games["card_plays"] == plays)
        wanted.append((done, plays, row.sum(), seeds[row][0]))
    assert list(zip(*tables.plays.values(), strict=True)) == wanted


def test_nothing_is_clipped():
    """Games beyond the arrays of the sink, finished and capped, are counted like others."""
    deck, seeds, cap = Deck(3000, 300, 300, 300, 300), range(5, 25), 200_000
    tables = _engine.search(seeds[0], len(seeds), cap, deck=deck)
    games = np.array([_engine.play(*deal_seed(seed, deck), cap) for seed in seeds])
    tricks, plays, finished = games[:, 0], games[:, 1], games[:, 3] != 2
    assert tricks[finished].max() > 16_384 and plays[finished].min() > 131_072
    assert 0 < finished.sum() < len(seeds)
    for table, name, values in (
        (tables.lengths, "tricks", tricks),
        (tables.plays, "card_plays", plays),
    ):
        for done in (False, True):
            rows = table["finished"] == done
            assert list(table[name][rows]) == sorted(set(values[finished == done]))
        assert table["deals"].sum() == len(seeds)
    assert tables.lengths["card_plays"].sum() == plays.sum()
    assert len(tables.capped) == np.sum(~finished)


def test_merging_is_adding():
    whole, parts = (
        _engine.search(1000, 5000),
        [
            _engine.search(1000, 1234),
            _engine.search(2234, 3766),
        ],
    )
    assert fingerprint(whole) == sum(map(fingerprint, parts)) % 2**64
    for column in ("deals", "card_plays", "captures", "leader_wins"):
        total = sum(int(part.lengths[column].sum()) for part in parts)
        assert int(whole.lengths[column].sum()) == total
