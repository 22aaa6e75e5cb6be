"""Bad input is one sentence."""

import numpy as np
import pytest

from bmn import _engine
from bmn.cards import Deck
from bmn.errors import InputError


@pytest.mark.parametrize(
    ("first_seed", "seeds"), [(0, 0), (0, -1), (-1, 10), (2**64 - 5, 6), (2**64, 1)]
)
def test_ranges(first_seed, seeds):
    with pytest.raises(InputError, match="range of"):
        _engine.search(first_seed, seeds)


def test_numbers_of_numpy():
    last = _engine.search(np.uint64(2**64 - 1), np.int64(1), np.uint32(300))
    assert last.lengths["first_seed"] == 2**64 - 1
    with pytest.raises(InputError, match="range of"):
        _engine.search(np.uint64(2**64 - 1), np.uint64(2))


@pytest.mark.parametrize("cap", [0, -1, _engine.MAX_CAP + 1, 2**40])
def test_caps(cap):
    with pytest.raises(InputError, match="cap"):
        _engine.search(0, 1, cap)
    with pytest.raises(InputError, match="cap"):
        _engine.play(b"\1", b"\0", cap)


def test_largest_cap(kernel):
    assert _engine.search(0, 10, _engine.MAX_CAP, kernel).lengths["deals"].sum() == 10


def test_kernels(monkeypatch):
    with pytest.raises(InputError, match=r"choose one of .*plain"):
        _engine.resolve_kernel("avx9000")
    monkeypatch.setenv("BMN_KERNEL", "plain")
    assert _engine.resolve_kernel(None) == "plain"
    assert _engine.resolve_kernel("scalar") == "scalar"
    monkeypatch.setenv("BMN_KERNEL", "nonsense")
    with pytest.raises(InputError, match="nonsense"):
        _engine.search(0, 1)
    monkeypatch.delenv("BMN_KERNEL")
    assert _engine.resolve_kernel(None) == _engine.kernels()[0]


@pytest.mark.parametrize(
    "deck", [Deck(0, 0, 0, 0, 0), Deck(-1, 9, 9, 9, 9), Deck(65_537, 0, 0, 0, 0)]
)
def test_decks(deck):
    with pytest.raises(InputError, match=r"cards|negative"):
        _engine.search(0, 1, deck=deck)


@pytest.mark.parametrize(
    "deals",
    [
        np.zeros(52, np.uint8),
        np.zeros((2, 52), np.int64),
        np.full((2, 52), 5, np.uint8),
        np.zeros((2, 0), np.uint8),
        np.zeros((1, 65_537), np.uint8),
        [[0, 1]],
    ],
)
def test_deals(deals):
    with pytest.raises(InputError):
        _engine.play_many(deals)


@pytest.mark.parametrize("split", [-1, 53])
def test_splits(split):
    with pytest.raises(InputError, match="split"):
        _engine.play_many(np.zeros((2, 52), np.uint8), split=split)


def test_where_a_bad_card_is_told():
    deals = np.zeros((3, 52), np.uint8)
    deals[2, 7] = 9
    with pytest.raises(InputError, match="9 in row 2, column 7"):
        _engine.play_many(deals)
