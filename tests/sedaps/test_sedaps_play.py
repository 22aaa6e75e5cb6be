"""Fates, loops and the search backward, compiled against the slow implementation."""

import pytest
from hypothesis import given, settings
from sedaps_states import states

from bmn import store
from bmn.errors import InputError
from bmn.sedaps import backward, deals, facts, fates, reference, rule
from bmn.sedaps.facts import DATA, presents, turn_85


@settings(deadline=None)
@given(states(most_cards=14))
def test_fates(state):
    assert fates.fate(state) == reference.fate(state)
    assert fates.fate(state, stop=3) == reference.fate(state, stop=3)


@settings(deadline=None)
@given(states(most_cards=14, seats=2))
def test_fates_of_two_queues(state):
    assert fates.fate(state) == reference.fate(state)


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 8])
def test_fates_of_seeded_deals(seed):
    deal = deals.deal_seed(seed)
    assert fates.fate(deal) == reference.fate(deal)


@settings(deadline=None)
@given(states(most_cards=14))
def test_advance_is_turn_after_turn(state):
    winners = []
    now = state
    for _ in range(10):
        won, after = rule.winner(now), rule.turn(now)
        if after is None:
            break
        winners.append(won)
        now = after
    assert fates.advance(state, 10) == (now, bytes(winners))


def test_play_longer_than_a_tape():
    # Tapes hold 4,096 cards, so queues have moved back many times by then.
    deal = deals.deal_seed(1)
    found = fates.fate(deal)
    assert found == (935, 4004)
    state = fates.advance(deal, 935 + 3 * 4004)[0]
    assert state == fates.advance(deal, 935)[0]


def test_a_limit_is_told():
    with pytest.raises(InputError, match="within 100 turns"):
        fates.fate(deals.deal_seed(1), limit=100)


def test_a_loop_described():
    deal = deals.deal_seed(1)
    loop = fates.describe_loop(fates.advance(deal, 935)[0], 4004)
    assert loop == fates.Loop(2, 4004, True, False, 22, 4004)


def test_a_rigid_loop_described():
    nine = facts.state(facts.certificates()["rigid_witnesses"]["n12_period9"])
    assert fates.describe_loop(nine, 9) == fates.Loop(3, 9, False, True, 0, 0)


def test_the_published_scan():
    past = rule.branches(turn_85()[1])["10"]
    scan, start = backward.closure(past, 100)
    for row, found in zip(store.read_json(DATA / "explore_table.json")["rows"], scan, strict=True):
        assert row[1:] == [found.expanded, found.lowest, found.deals > 0, found.capped]
    assert start == 34


@pytest.mark.parametrize("turn", [16, 17, 24, 33, 36])
def test_search_back_against_the_slow_one(turn):
    past = rule.branches(turn_85()[1])["10"]
    for cap, formula_turn in ((2_000, 0), (1_000_000, 16)):
        assert backward.search_back(past, turn, cap, formula_turn) == reference.search_back(
            past, turn, cap, formula_turn
        )


@settings(deadline=None)
@given(states(cards=9))
def test_deals_found_are_the_deals_that_lead_here(state):
    """Every deal of nine cards three by three is tried, forwards."""
    for turn in range(4):
        found = backward.search_back(state, turn)
        if len(rule.live_seats(state)) > 1:
            assert found.deals == _forward()[turn].get(state, 0)


_FORWARD = []


def _forward():
    if not _FORWARD:
        from collections import Counter
        from itertools import permutations

        now = Counter({(pack[:3], pack[3:6], pack[6:]): 1 for pack in permutations(range(9))})
        for _ in range(4):
            _FORWARD.append(now)
            after = Counter()
            for state, number in now.items():
                then = rule.turn(state)
                if then is not None:
                    after[then] += number
            now = after
    return _FORWARD


@pytest.mark.parametrize("turn", [32, 35, 41])
def test_histories_by_formula_from_any_turn_on(turn):
    present = presents()[turn]
    usual = backward.histories(present, turn)
    lower = backward.histories(present, turn, 10)
    assert (usual.deals, usual.branches) == (lower.deals, lower.branches)
    assert sum(usual.branches.values()) == usual.deals
    assert lower.boundary > usual.boundary


def test_histories_deal_by_deal():
    past = rule.branches(turn_85()[1])["10"]
    walked, counted = backward.histories(past, 24, 0), backward.histories(past, 24)
    assert walked.deals == counted.deals == 24310
    assert counted.boundary and not walked.boundary


def test_the_history_of_a_deal_is_itself():
    assert backward.histories(deals.deal_seed(1), 0).deals == 1
    assert backward.histories(deals.deal_seed(1), 5).deals == 0


@pytest.mark.parametrize(
    ("state", "turn", "sentence"),
    [
        (((0, 1), (2, 3)), 1, "2 queues and 4 cards"),
        (((0, 1), (2,), (3,)), 1, "3 queues and 4 cards"),
        (deals.deal_seed(1, 66), 1, "at most 63"),
        (deals.deal_seed(1), -1, "the turn -1 is out of range"),
        (deals.deal_seed(1), 10_001, "turns are 0 to 10000"),
    ],
)
def test_what_cannot_be_searched(state, turn, sentence):
    with pytest.raises(InputError, match=sentence):
        backward.search_back(state, turn)


def test_the_formula_is_for_turns_before_the_deck_is_dealt_through():
    with pytest.raises(InputError, match="give 0 to 16"):
        backward.search_back(deals.deal_seed(1), 20, formula_turn=17)


def test_search_back_from_a_loop_is_as_deep_as_the_turn():
    """A state on a loop has pasts for ever; the deepest search must not exhaust the stack."""
    deal = deals.deal_seed(1)
    state = fates.advance(deal, 9_999)[0]
    found = backward.search_back(state, 9_999, 50_000)
    assert found.expanded > 9_000
