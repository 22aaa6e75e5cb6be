"""The reference against hand-played games, known deals and the statistics of the game."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import MUTATIONS, mutant

from bmn import reference, shuffle
from bmn.cards import Deal, Deck
from bmn.checks import battery
from bmn.checks.plants import PLANTS
from bmn.game import Game
from bmn.known import deal_of, known_deals

hands = st.lists(st.integers(0, 4), max_size=12).map(bytes)
deals = st.builds(Deal, hands, hands).filter(lambda deal: deal.first + deal.second)


@pytest.mark.parametrize(
    ("deal", "game"),
    [
        ("-/", Game(1, 1, 0, "capture")),
        ("/-", Game(1, 0, 1, "dry")),
        ("-/-", Game(1, 2, 1, "dry")),
        ("J/-", Game(2, 3, 0, "capture")),
        ("J-/-J", Game(2, 5, 0, "dry")),
        ("JJ/--", Game(3, 5, 0, "capture")),
    ],
)
def test_games_small_enough_to_play_by_hand(deal, game):
    assert reference.play(Deal.parse(deal)) == game


@pytest.mark.parametrize("known", known_deals(), ids=lambda known: known["name"])
def test_known_deals(known):
    game = reference.play(deal_of(known), cap=3000)
    assert game.finished == known["terminates"]
    if game.finished:
        names = ("tricks", "card_plays", "winner", "ending", "tricks_mann", "cards_mann")
        assert [getattr(game, name) for name in names] == [known[name] for name in names]


@given(deals)
def test_cards_are_conserved_and_moves_are_consistent(deal):
    moves = list(reference.moves(deal, cap=50))
    for move in moves:
        assert Deck.of(move.first + move.second + move.pile) == deal.deck
        assert (move.took is not None) == (not move.pile)
    for before, after in pairwise(moves):
        assert after.player == before.next_player
        assert after.trick == before.trick + (before.took is not None)
    game = reference.play(deal, cap=50)
    assert game.card_plays == len(moves)
    if game.finished:
        loser = (
            deal[1 - game.winner]
            if not moves
            else (moves[-1].first, moves[-1].second)[1 - game.winner]
        )
        assert not loser


@given(deals)
def test_a_cap_is_the_number_of_tricks_resolved(deal):
    game = reference.play(deal, cap=30)
    if game.finished:
        assert reference.play(deal, cap=game.tricks) == game
    for cap in range(1, min(game.tricks, 5)):
        capped = reference.play(deal, cap=cap)
        assert (capped.tricks, capped.winner, capped.ending) == (cap, 0, "capped")


def test_distribution_against_independent_code():
    # Mean card plays 254.95, tricks 35.49, leader's share 49.77 % of 20,000,000 random deals;
    # 3,000 seeded deals must lie within four standard errors.
    games = [reference.play(shuffle.deal_seed(seed)) for seed in range(10_000, 13_000)]
    assert abs(sum(game.card_plays for game in games) / 3000 - 254.95) < 4 * 195 / 3000**0.5
    assert abs(sum(game.tricks for game in games) / 3000 - 35.49) < 4 * 28 / 3000**0.5
    assert abs(sum(game.winner == 0 for game in games) / 3000 - 0.4977) < 4 * 0.5 / 3000**0.5


@pytest.fixture(scope="module")
def right():
    return {row.name: battery.reference_fingerprint(row) for row in battery.rows()}


@pytest.mark.parametrize("fault", MUTATIONS)
def test_the_battery_goes_red_for_every_wrong_rule(fault, right):
    play = mutant(fault).play
    red = [
        r.name for r in battery.rows() if battery.reference_fingerprint(r, play) != right[r.name]
    ]
    assert {"seeds from 0", "half deck", "known deals that end"} <= set(red)


@pytest.mark.parametrize("fault", MUTATIONS)
def test_wrong_rules_have_their_known_effect_on_the_mean(fault):
    # Mean card plays of 1,000,000 random deals under each fault, by independent code.
    expected = {
        "game ends when a hand is empty": 253.73,
        "game ends at one card left": 252.73,
        "pile reversed": 243.80,
        "loser leads": 230.28,
        "penalties add up": 53.26,
        "court during payment ignored": 225.90,
        "Ace demands nothing": 353.42,
    }[fault]
    play = mutant(fault).play
    plays = [play(shuffle.deal_seed(seed), cap=10_000).card_plays for seed in range(3000)]
    mean = sum(plays) / len(plays)
    error = (sum((p - mean) ** 2 for p in plays) / len(plays) ** 2) ** 0.5
    assert abs(mean - expected) < 4 * error


TRAPS = ("loser leads", "pile reversed", "game ends when a hand is empty")


@pytest.mark.parametrize("plant", [p for p in PLANTS if len(p.deal) < 10], ids=lambda p: p.name)
def test_the_small_plants_come_out_differently_under_wrong_rules(plant):
    deal = Deal.parse(plant.deal)
    right = reference.play(deal)
    caught = [fault for fault in TRAPS if mutant(fault).play(deal, cap=100) != right]
    assert len(caught) >= 2
