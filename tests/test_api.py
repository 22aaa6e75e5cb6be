import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_reference import deals

import bmn
from bmn import lengths as lt
from bmn import shuffle
from bmn.api import MAX_CAP
from bmn.known import deal_of, known_deals


def test_the_public_names():
    assert set(bmn.__all__) <= set(dir(bmn))
    for name in bmn.__all__:
        assert getattr(bmn, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        bmn.nonsense  # noqa: B018


def test_importing_loads_neither_pandas_nor_the_engine():
    code = "import sys, bmn; print([m for m in sys.modules if m in ('pandas', 'bmn._engine')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@given(deals, st.sampled_from([1, 2, 10, 500]))
def test_both_engines_play_alike(deal, cap):
    assert bmn.play(str(deal), cap=cap) == bmn.play(str(deal), cap=cap, engine="reference")


@pytest.mark.parametrize("known", known_deals(), ids=lambda known: known["name"])
def test_known_deals_by_the_engine(known):
    game = bmn.play(deal_of(known), cap=20_000)
    assert game.finished == known["terminates"]
    if game.finished:
        names = ("tricks", "card_plays", "winner", "ending", "tricks_mann", "cards_mann")
        assert [getattr(game, name) for name in names] == [known[name] for name in names]


def test_a_search_is_a_length_table():
    table = bmn.search(0, 1000, cap=100)
    assert tuple(table.columns) == lt.LENGTH_COLUMNS
    assert table["deals"].sum() == 1000
    capped = table[~table["finished"]]
    assert capped["tricks"].tolist() == [100]
    assert capped[["captures", "leader_wins"]].sum().sum() == 0


def test_fingerprints_add_up():
    parts = [bmn.search(0, 600), bmn.search(600, 400)]
    assert bmn.fingerprint(pd.concat(parts)) == bmn.fingerprint(bmn.search(0, 1000))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bmn.deal(-1), "out of range"),
        (lambda: bmn.play("x/-"), "unknown card"),
        (lambda: bmn.play("-/-", cap=0), "cap 0"),
        (lambda: bmn.play("-/-", cap=MAX_CAP + 1), "cap"),
        (lambda: bmn.play("-/-", engine="quick"), "'fast' or 'reference'"),
        (lambda: bmn.search(0, 0), "empty"),
        (lambda: bmn.search(2**64, 1), "64 bits"),
        (lambda: bmn.search(0, 1, cap=0), "cap 0"),
        (lambda: bmn.search(0, 1, kernel="magic"), "'magic'"),
        (lambda: bmn.deal(1.0), "whole number"),
        (lambda: bmn.deal("3"), "whole number"),
        (lambda: bmn.deal(True), "whole number"),
        (lambda: bmn.search(1.5, 10), "whole number"),
        (lambda: bmn.search(0, 1.5), "whole number"),
        (lambda: bmn.search(np.uint64(2**64 - 1), 10), "64 bits"),
        (lambda: bmn.search(0, 10, cap="3"), "whole number"),
        (lambda: bmn.search(0, 10, deck=(1.5, 1, 1, 1, 1)), "deck"),
        (lambda: bmn.play(None), "2 hands"),
        (lambda: bmn.play(b"J-/--Q"), "2 hands"),
        (lambda: bmn.play((b"\x01",), cap=5), "2 hands"),
        (lambda: bmn.play((b"\x01", b"\x00", b"\x00")), "2 hands"),
        (lambda: bmn.play((b"\x01", b"\x00"), rules="three-players"), "3 hands"),
        (lambda: bmn.play((b"\xff", b"\x00"), rules="harmless-ace"), "card value above 4"),
        (lambda: bmn.play((b"", b"")), "0 cards"),
        (lambda: bmn.play("-/-", rules={"penalties": 5}), "penalties"),
        (lambda: bmn.play("-/-", rules={"stop_tricks": "a"}), "whole number"),
        (lambda: bmn.play("-/-", rules={"stop_on_repeat": "false"}), "true or false"),
        (lambda: bmn.play("-/-", rules=3), "not understood"),
    ],
)
def test_bad_arguments_are_one_sentence(call, words):
    with pytest.raises(bmn.InputError, match=words) as error:
        call()
    assert "\n" not in str(error.value)


def test_numpy_integers_are_whole_numbers():
    assert bmn.deal(np.int64(3)) == bmn.deal(3)
    assert bmn.search(np.uint64(5), np.int32(7)).equals(bmn.search(5, 7))


def test_many_stated_deals_are_played_like_single_ones():
    stated = [shuffle.deal_seed(seed) for seed in range(200)]
    array = np.frombuffer(b"".join(map(b"".join, stated)), np.uint8).reshape(200, 52)
    games = bmn.play_many(array, cap=60)
    for deal, game in zip(stated, games.itertuples(index=False), strict=True):
        assert bmn.Game(*game) == bmn.play(deal, cap=60, engine="reference")
    assert set(games["ending"]) == {"dry", "capture", "capped"}


def test_kernels_are_named_fastest_first():
    assert bmn.kernels()[-1] == "plain"


def test_a_kernel_is_for_the_standard_rules():
    with pytest.raises(bmn.InputError, match="leave it out"):
        bmn.search(0, 10, kernel="plain", rules="reversed-pile")
