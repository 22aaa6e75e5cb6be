"""Stated deals: every kernel against the reference, card for card the rules."""

import numpy as np
import pytest
from engine_strategies import SMALL_CAPS, hands
from hypothesis import given, settings
from hypothesis import strategies as st

from bmn import _engine, reference
from bmn.cards import Deal
from bmn.game import ENDINGS, Game
from bmn.known import deal_of, known_deals


def played(first, second, cap, kernel):
    tricks, card_plays, winner, ending, violations = _engine.play(first, second, cap, kernel)
    assert violations == 0
    return Game(tricks, card_plays, winner, ENDINGS[ending])


@settings(max_examples=300, deadline=None)
@given(hands=hands(), cap=SMALL_CAPS)
def test_every_kernel_is_the_reference(hands, cap):
    wanted = reference.play(Deal(*hands), cap=cap)
    for kernel in _engine.kernels():
        assert played(*hands, cap, kernel) == wanted, kernel


@settings(max_examples=60, deadline=None)
@given(data=st.data(), size=st.integers(1, 66), cap=SMALL_CAPS)
def test_many_are_each(data, size, cap):
    """A mixture of rows, some of which do not fit a kernel's words."""
    seed, split = data.draw(st.integers(0, 2**32)), data.draw(st.integers(0, size))
    random = np.random.default_rng(seed)
    share = random.choice([0.0, 0.1, 0.3, 0.6], size=(150, 1))
    rows = np.where(random.random((150, size)) < share, random.integers(1, 5, (150, size)), 0)
    rows = rows.astype(np.uint8)
    wanted = [reference.play(Deal(bytes(row[:split]), bytes(row[split:])), cap=cap) for row in rows]
    for kernel in _engine.kernels():
        games = _engine.play_many(rows, cap, kernel, split=split)
        assert not games.pop("violation").any()
        endings = [ENDINGS[ending] for ending in games["ending"]]
        found = zip(games["tricks"], games["card_plays"], games["winner"], endings, strict=True)
        assert [Game(*game) for game in found] == wanted, kernel


@pytest.mark.parametrize("known", known_deals(), ids=lambda known: known["name"])
def test_known_deals(kernel, known):
    cap = 50_000
    game = played(*deal_of(known), cap, kernel)
    assert game.finished == known["terminates"]
    if game.finished:
        for name in ("tricks", "card_plays", "winner", "ending", "tricks_mann", "cards_mann"):
            assert getattr(game, name) == known[name], name
    else:
        assert (game.tricks, game.winner) == (cap, 0)


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("", "-", (1, 0, 1, 0, 0)),  # the leader has no card
        ("-", "", (1, 1, 0, 1, 0)),  # the other one has none: the first lead is unanswered
        ("", "JQKA" * 5, (1, 0, 1, 0, 0)),
        ("-" * 26, "-" * 26, (1, 52, 1, 0, 0)),  # no penalty card at all
        ("-" * 36, "JQKA" * 4, None),
        ("A", "----", None),
        ("J", "-", None),
    ],
)
def test_edges(kernel, first, second, game):
    deal = Deal.parse(f"{first}/{second}")
    wanted = reference.play(deal, cap=100)
    assert played(*deal, 100, kernel) == wanted
    if game:
        assert _engine.play(*deal, 100, kernel) == game


@pytest.mark.parametrize("size", [100, 999, 65_536])
def test_large_hands(kernel, size):
    cards = bytes([0, 0, 4, 0, 3, 0, 0, 2, 1, 0] * (size // 10 + 1))[:size]
    deal = Deal(cards[: size // 3], cards[size // 3 :])
    assert played(*deal, 30, kernel) == reference.play(deal, cap=30)


def test_a_long_cap(kernel):
    """Tricks and card plays far beyond 16 bits, on a deal that never ends."""
    known = next(k for k in known_deals() if not k["terminates"] and k["n_cards"] == 52)
    deal = deal_of(known)
    start, period = known["preperiod_tricks"], known["period_tricks"]
    turns = 200_000 // period
    early = _engine.play(*deal, start, kernel)
    late = _engine.play(*deal, start + turns * period, kernel)
    assert late[0] == start + turns * period
    assert late[1] == early[1] + turns * known["period_cards"]


def test_no_rows():
    games = _engine.play_many(np.empty((0, 52), np.uint8))
    assert all(len(column) == 0 for column in games.values())


def test_rows_need_not_be_contiguous(kernel):
    rows = np.zeros((10, 104), np.uint8)[:, ::2]
    rows[:, 5] = 3
    assert list(_engine.play_many(rows, kernel=kernel)["tricks"]) == [
        reference.play(Deal(bytes(rows[0, :26]), bytes(rows[0, 26:]))).tricks
    ] * len(rows)
