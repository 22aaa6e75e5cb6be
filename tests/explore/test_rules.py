"""Rule sets: the general kernel and the reference agree on all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import hands, rule_sets

import bmn
from bmn import _engine, reference, shuffle
from bmn import lengths as lt
from bmn.cards import CAMICIA, HALF, STANDARD, Deal, Deck, hands_text
from bmn.chunks import Search, play_tables
from bmn.errors import InputError
from bmn.explore import general
from bmn.game import Game
from bmn.rules import RULE_SETS, Rules, rules_of


@settings(max_examples=400, deadline=None)
@given(rule_sets(), st.data())
def test_kernel_and_reference_agree_on_stated_deals(rules, data):
    deal = data.draw(hands(rules.players))
    assert general.play(deal, rules, 200) == reference.play(deal, cap=200, rules=rules)


@settings(max_examples=150, deadline=None)
@given(rule_sets(), st.integers(0, 2**64 - 40))
def test_kernel_and_reference_deal_and_play_seeds_alike(rules, first):
    tables = general.search(Search(first, 20, 100, rules.deck, rules))
    share = 0
    capped = []
    for seed in range(first, first + 20):
        game = reference.play(rules.deal(seed), cap=100, rules=rules)
        lost = game.finished and game.winner != rules.leader
        share += shuffle.fingerprint(seed, game.tricks, game.card_plays, int(lost))
        capped += [] if game.finished else [seed]
    assert lt.fingerprint(tables.lengths) == share & shuffle.MASK
    assert tables.capped.tolist() == capped
    assert lt.total(tables.lengths, "violations") == 0


@pytest.mark.parametrize("deck", [STANDARD, HALF, Deck(7, 2, 2, 2, 2), Deck(48, 0, 0, 0, 4)])
def test_under_the_standard_rules_the_tables_are_the_engines(deck):
    plan = Search(5, 3000, 400, deck)
    ours, engines = general.search(plan), _engine.search(5, 3000, 400, "plain", deck)
    assert lt.same(ours.lengths, engines.lengths)
    assert lt.same(ours.plays, engines.plays)
    assert np.array_equal(ours.capped, engines.capped)


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        ("standard", 255.07),
        ("ends-at-empty-hand", 253.73),
        ("reversed-pile", 243.80),
        ("payer-leads", 230.28),
        ("harmless-ace", 353.42),
    ],
)
def test_other_rules_have_their_known_means(name, mean):
    """The means are of 1,000,000 other deals each, by independent code."""
    search = Search(1 << 50, 150_000, 100_000, STANDARD, RULE_SETS[name])
    tables, kernel = play_tables(search)
    plays = tables.plays
    assert (kernel == "general") == (name != "standard")
    values, deals = plays["card_plays"].astype(float), plays["deals"].astype(float)
    ours = values @ deals / deals.sum()
    error = ((values - ours) ** 2 @ deals / deals.sum() * (1 / deals.sum() + 1e-6)) ** 0.5
    assert abs(ours - mean) < 4 * error


def test_a_change_of_seats_is_a_change_of_the_winner():
    for seed in range(300):
        deal = shuffle.deal_seed(seed)
        game = bmn.play(deal)
        other = bmn.play(deal[::-1], rules="second-leads")
        assert other == Game(game.tricks, game.card_plays, 1 - game.winner, game.ending)


def test_dealing():
    cards = bytes(range(1, 5)) + bytes([0, 0, 1])
    assert Rules().hands(cards) == (bytes([1, 3, 0, 1]), bytes([2, 4, 0]))
    assert Rules(dealing="blocks").hands(cards) == (cards[:4], cards[4:])
    assert Rules(top="last").hands(cards) == (bytes([1, 0, 3, 1]), bytes([0, 4, 2]))
    assert Rules(players=3).hands(cards) == (bytes([1, 4, 1]), bytes([2, 0]), bytes([3, 0]))
    assert Rules(players=3, dealing="blocks").hands(cards) == (cards[:3], cards[3:5], cards[5:])
    assert rules_of("standard").deal(77) == shuffle.deal_seed(77)


def test_three_players_by_hand():
    """Player 2 owes for the Jack, has no card and is out; player 0 pays in their place."""
    rules = Rules(players=3)
    game = reference.play((b"\0\0", b"\1", b""), rules=rules)
    # 0 lays a plain card, 1 the Jack, 2 is out, 0 pays: 1 takes three cards and leads.
    # 1 lays a plain card, 0 has none and is out: 1 has won.
    assert game == Game(2, 4, 1, "capture")


def test_the_obligation_passes_clockwise():
    rules = Rules(players=4)
    position = reference.Position((b"\3", b"", b"\0", b"\0\0"), rules)
    players = []
    while position.can_play():
        players.append(position.player)
        position.lay_card()
    assert players == [0, 2, 3, 3, 0]
    assert position.winner == 0


def test_house_rules():
    casella = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
    game = bmn.play(casella, rules="house-stop")
    assert (game.tricks, game.card_plays, game.ending) == (66, 474, "stopped")
    assert bmn.play(casella, rules={"stop_tricks": 10}).tricks == 10
    drawn = bmn.play("J--/-J-", rules={"stop_on_repeat": True})
    assert drawn == bmn.play("J--/-J-", rules={"stop_on_repeat": True}, engine="reference")
    assert bmn.play("-/-", rules={"stop_tricks": 1}) == bmn.play("-/-")
    even = bmn.play("J-/--", rules={"stop_tricks": 1})
    assert even == Game(1, 2, 0, "stopped")


def test_an_equal_count_is_a_draw():
    # First hand J-- against J-: one trick, after which both hold the same.
    rules = Rules(stop_tricks=1)
    for deal in (Deal(b"\0\1", b"\0\0"), Deal(b"\1\0\0", b"\0"), Deal(b"\0\1\0", b"\0\0\0\0")):
        game = reference.play(deal, rules=rules)
        assert game == general.play(deal, rules, 100)
        position = reference.Position(deal, rules)
        while position.resolved < 1:
            position.lay_card()
        first, second = map(len, position.hands)
        assert game.winner == (None if first == second else int(second > first))


def test_names_and_descriptions():
    assert rules_of("camicia").deck == CAMICIA
    assert rules_of({"base": "camicia", "pile": "reversed"}) == Rules(CAMICIA, pile="reversed")
    assert rules_of({"deck": "half"}).standard_play
    assert not RULE_SETS["reversed-pile"].standard_play
    for rules in RULE_SETS.values():
        assert rules_of(rules.differences | {"deck": list(rules.deck)}) == rules


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("reverse", "choose one of standard"),
        ({"piles": "reversed"}, "there is no rule 'piles'"),
        ({"pile": "backwards"}, "choose as played or reversed"),
        ({"players": 1}, "choose 2 to 16"),
        ({"leader": 2}, "choose 0 to 1"),
        ({"penalties": [0, 1, 2]}, "five numbers"),
        ({"players": 3, "ends": "empty hand"}, "two players"),
        ({"stop_tricks": 0}, "cannot stop after 0"),
        ({"deck": "18,2,2"}, "number of plain cards"),
    ],
)
def test_malformed_rules_are_one_sentence(spec, hint):
    with pytest.raises(InputError, match=hint):
        rules_of(spec)


def test_hands_are_written_and_read():
    assert hands_text((b"\0\4", b"", b"\1")) == "-A//J"
    assert bmn.play("-A//J", rules="three-players") == reference.play(
        (b"\0\4", b"", b"\1"), rules=RULE_SETS["three-players"]
    )
    with pytest.raises(InputError, match="write 3 hands"):
        bmn.play("-/-", rules="three-players")


@pytest.mark.slow
def test_the_general_kernel_is_fast_enough():
    """At least half the speed of the plain kernel, measured in the same run."""
    import time

    def seconds(play):
        start = time.thread_time()
        play()
        return time.thread_time() - start

    rules = RULE_SETS["reversed-pile"]
    plan = Search(0, 100_000, 100_000, STANDARD, rules)
    ours = min(seconds(lambda: general.search(plan)) for _ in range(3))
    plain = min(seconds(lambda: _engine.search(0, 100_000, 100_000, "plain")) for _ in range(3))
    assert ours < 2 * plain
