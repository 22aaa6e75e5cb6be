"""Cycle detection: two kernels and the reference agree on every kind of deal."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import deals, hands, rule_sets

import bmn
from bmn import reference, shuffle
from bmn.cards import Deal, Deck
from bmn.errors import InputError
from bmn.explore import _explore, _general, cycles
from bmn.explore.cycles import Cycle
from bmn.game import Game
from bmn.known import deal_of, known_deals
from bmn.rules import STANDARD

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
ENDLESS = [known for known in known_deals() if not known["terminates"]]
ENDING = [known for known in known_deals() if known["terminates"]]


def slowly(deal, rules=STANDARD, cap=100_000):
    """Return what the reference finds, as numbers."""
    found = reference.cycle(deal, rules=rules, cap=cap)
    return found and tuple(found)


def numbers(found):
    return (
        found.preperiod_tricks,
        found.preperiod_cards,
        found.period_tricks,
        found.period_cards,
    )


@pytest.mark.parametrize("known", ENDLESS, ids=lambda known: known["name"])
def test_known_cycles(known):
    found = bmn.cycle(deal_of(known))
    for name in (
        "preperiod_tricks",
        "period_tricks",
        "period_cards",
        "period_tricks_seat_normalised",
    ):
        assert getattr(found, name) == known[name]
    assert numbers(found) == slowly(deal_of(known))


def test_known_deals_that_end():
    for known in ENDING:
        game = cycles.decide(deal_of(known), STANDARD, 100_000)
        assert game == Game(known["tricks"], known["card_plays"], known["winner"], known["ending"])
        assert bmn.cycle(deal_of(known)) is None


@pytest.mark.parametrize("deal", ["-----J/Q-Q-J-", "------Q/-KA--J-", "-------J/----JJJ-"])
def test_states_with_another_leader_are_no_cycle(deal):
    assert bmn.cycle(deal) is None
    hands = Deal.parse(deal)
    position, seen = reference.Position(hands), set()
    repeats = 0
    while True:
        if not position.pile:
            repeats += tuple(map(bytes, position.hands)) in seen
            seen.add(tuple(map(bytes, position.hands)))
        if position.lay_card() is None:
            break
    assert repeats > 0, "this deal is no trap"


def test_a_preperiod_of_four():
    assert bmn.cycle(CASELLA) == Cycle(4, 34, 62, 440, 62)
    assert bmn.cycle(CASELLA).tricks_at_first_repeat == 66
    assert bmn.cycle(CASELLA).cards_at_first_repeat == 474


@settings(max_examples=500, deadline=None)
@given(deals())
def test_fast_kernel_and_reference_agree(deal):
    found = cycles.decide(deal, STANDARD, 100_000)
    if isinstance(found, Game):
        assert found == reference.play(deal)
        assert slowly(deal) is None
    else:
        assert numbers(found) == slowly(deal)


@settings(max_examples=300, deadline=None)
@given(deals())
def test_both_kernels_agree(deal):
    found = cycles.decide(deal, STANDARD, 100_000)
    _, game, recurring = _general.classify(tuple(deal), STANDARD, 100_000)
    if isinstance(found, Game):
        assert game[:3] == (found.tricks, found.card_plays, found.winner)
    else:
        before, before_cards, period, cards, laps = recurring
        assert numbers(found) == (before, before_cards, period * laps, cards * laps)
        assert found.period_tricks_seat_normalised == period


@settings(max_examples=300, deadline=None)
@given(rule_sets().flatmap(lambda rules: hands(rules.players).map(lambda deal: (rules, deal))))
def test_cycles_under_any_rules(pair):
    rules, deal = pair
    found = cycles.decide(deal, rules, 5000)
    expected = slowly(deal, rules, 5000)
    if isinstance(found, Cycle):
        assert numbers(found) == expected
        assert found.period_tricks % found.period_tricks_seat_normalised == 0
    else:
        assert expected is None


def test_many_random_deals_of_a_small_deck():
    deal = [shuffle.deal_seed(seed, Deck(8, 2, 2, 2, 2)) for seed in range(20_000)]
    columns, _ = _explore.classify(np.array([_explore.pack(*d) for d in deal]), 10**6)
    endless = np.flatnonzero(columns["verdict"] == 1)
    assert len(endless) > 0
    for i in endless:
        assert numbers(bmn.cycle(deal[i])) == slowly(deal[i])
    for i in range(0, 20_000, 97):
        if columns["verdict"][i] == 0:
            game = reference.play(deal[i])
            assert (game.tricks, game.card_plays) == (
                columns["tricks"][i],
                columns["card_plays"][i],
            )


@settings(max_examples=200, deadline=None)
@given(deals(63))
def test_packing_is_exact(deal):
    if sum(card > 0 for card in deal.first + deal.second) <= 31:
        assert _explore.texts(_explore.pack(*deal)[None]) == [str(deal)]
        assert _explore.sizes(_explore.pack(*deal)[None]).tolist() == [[*map(len, deal)]]


def test_the_largest_packed_deals():
    for deal in (Deal(bytes(63), b""), Deal(b"", bytes(63)), Deal(b"\4" * 31, bytes(32))):
        assert _explore.texts(_explore.pack(*deal)[None]) == [str(deal)]
        assert cycles.decide(deal, STANDARD, 1000) == reference.play(deal)
    for deal in (Deal(bytes(64), b""), Deal(b"\4" * 32, b"")):
        with pytest.raises(InputError, match="at most 63 cards and 31 penalty cards"):
            _explore.pack(*deal)
        assert cycles.decide(deal, STANDARD, 1000) == reference.play(deal)


def distinct_period(deal, cap=50_000):
    """Play with every plain card a card of its own, until a state comes back."""
    position = reference.Position(deal)
    number, penalties = 0, []
    for hand in position.hands:
        for place, card in enumerate(hand):
            # Penalty cards of one kind stay alike.
            hand[place] = number + 5 if card == 0 else card
            number += card == 0
    penalties = [0, 1, 2, 3, 4] + [0] * number
    position.penalties = penalties
    seen = {}
    while position.resolved < cap:
        state = (tuple(position.hands[0]), tuple(position.hands[1]), position.player)
        if state in seen:
            return seen[state], position.resolved - seen[state]
        seen[state] = position.resolved
        trick = position.resolved
        while position.resolved == trick:
            position.lay_card()
    return None


def test_distinct_plain_cards_take_75_laps_of_casellas_cycle():
    found = bmn.cycle(CASELLA, distinct_plain_cards=True)
    assert (found.laps, found.period_tricks, found.preperiod_tricks) == (75, 4650, 4)
    assert distinct_period(Deal.parse(CASELLA)) == (4, 4650)


@pytest.mark.parametrize("known", ENDLESS[::9], ids=lambda known: known["name"])
def test_distinct_plain_cards_elsewhere(known):
    found = bmn.cycle(deal_of(known), distinct_plain_cards=True)
    if found.period_tricks < 20_000:
        played = distinct_period(deal_of(known))
        assert played == (found.preperiod_tricks, found.period_tricks)
        assert found.period_tricks % found.period_tricks_seat_normalised == 0


def test_a_budget_is_respected():
    with pytest.raises(InputError, match="undecided after 50 tricks"):
        bmn.cycle(CASELLA, budget=50)
    with pytest.raises(InputError, match="not enough"):
        bmn.cycle(CASELLA, budget=0)
    record = deal_of(ENDING[8])
    assert cycles.decide(record, STANDARD, 1165).tricks == 1165
    assert cycles.decide(record, STANDARD, 1164) is None


@pytest.mark.slow
def test_two_million_tricks_a_second():
    record = _explore.pack(*deal_of(ENDING[8]))
    states = np.repeat(record[None], 2000, axis=0)
    start = time.thread_time()
    columns, _ = _explore.classify(states, 10**6)
    seconds = time.thread_time() - start
    assert columns["steps"].sum() / seconds > 2e6
