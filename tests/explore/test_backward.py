"""Backward play: complete by brute force, and the trees other people have counted."""

import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import deals

import bmn
from bmn import reference
from bmn.cards import Deal, Deck
from bmn.errors import InputError
from bmn.explore import _explore, backward
from bmn.known import deal_of, known_deals

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
CAMICIA = {
    str(deal_of(known))
    for known in known_deals()
    if known["n_cards"] == 40 and not known["terminates"]
}


def next_state(deal):
    """Return the state one trick on, leader first, or None if the game ends."""
    after = reference._after_one_trick(deal)
    return None if after is None else str(after)


def every_state(deck):
    """Yield all states of a deck: every order of the cards, cut anywhere."""
    for cards in sorted(set(permutations(deck.cards))):
        for cut in range(deck.size + 1):
            yield Deal(bytes(cards[:cut]), bytes(cards[cut:]))


@pytest.mark.parametrize(
    "deck",
    [
        Deck(5, 2, 0, 0, 0),
        Deck(4, 1, 1, 0, 0),
        Deck(6, 0, 0, 1, 0),
        Deck(6, 0, 1, 0, 1),
        Deck(3, 1, 1, 1, 0),
        Deck(2, 2, 2, 0, 0),
        Deck(0, 1, 1, 1, 1),
        Deck(5, 0, 0, 0, 0),
    ],
)
def test_complete_by_brute_force(deck):
    comes_from = {}
    for state in every_state(deck):
        after = next_state(state)
        if after is not None:
            comes_from.setdefault(after, set()).add(str(state))
    for state in every_state(deck):
        found = bmn.predecessors(state)
        assert len(found) == len(set(found))
        assert set(found) == comes_from.get(str(state), set())


@settings(max_examples=400, deadline=None)
@given(deals(24))
def test_kernel_and_reference_agree(deal):
    assert sorted(bmn.predecessors(deal)) == sorted(map(str, reference.predecessors(deal)))


@settings(max_examples=300, deadline=None)
@given(deals(40))
def test_a_state_is_among_the_predecessors_of_its_successor(deal):
    after = next_state(deal)
    if after is not None:
        assert str(deal) in bmn.predecessors(after)


def test_deals_too_large_to_pack():
    deal = Deal(bytes(60) + b"\1\0", bytes(10))
    found = bmn.predecessors(deal)
    assert len(found) == 61
    assert all(next_state(Deal.parse(before)) == str(deal) for before in found)


def test_casellas_basin():
    table = bmn.basin(CASELLA)
    levels = table["level"].value_counts().sort_index().tolist()
    assert levels == [62, 378, 1142, 544, 388, 100, 56]
    deals = table["state"][table["balanced"]]
    assert len(deals) == 30
    known = {
        str(deal_of(k)) for k in known_deals() if k["n_cards"] == 52 and "Casella" in k["name"]
    }
    assert known <= set(deals)
    by_state = dict(zip(table["state"], table["level"], strict=True))
    for state, level in by_state.items():
        assert by_state[next_state(Deal.parse(state))] == max(level - 1, 0)
    for deal in deals:
        found = bmn.cycle(deal)
        assert (found.preperiod_tricks, found.period_tricks) == (by_state[deal], 62)


def test_the_basin_is_the_same_from_every_deal_in_it():
    table = bmn.basin(CASELLA)
    key = backward.cycle_key(CASELLA)
    for deal in table["state"][table["balanced"]].tolist()[::7]:
        assert set(bmn.basin(deal)["state"]) == set(table["state"])
        assert backward.cycle_key(deal) == key


def test_the_162_deals_of_camicia():
    basins = {}
    for deal in CAMICIA:
        if not any(deal in deals for deals in basins.values()):
            table = bmn.basin(deal)
            key = min(table["state"][table["level"] == 0])
            basins[key] = set(table["state"][table["balanced"]])
    deals = set().union(*basins.values())
    assert len(basins) == 9
    assert len(deals) == sum(map(len, basins.values())) == 162
    assert deals >= CAMICIA
    periods = sorted(bmn.cycle(key).period_tricks_seat_normalised for key in basins)
    assert periods == [10, 18, 33, 33, 33, 33, 33, 33, 42]
    for deal in deals:
        assert reference.cycle(Deal.parse(deal)) is not None


def test_all_infinite_deals_of_a_small_deck_are_in_basins():
    """Forward and backward play find the same deals."""
    deck = Deck(8, 2, 2, 2, 0)
    from bmn.explore import census

    rows = census.every_deal(deck)
    states = np.array([_explore.pack(r[:7].tobytes(), r[7:].tobytes()) for r in rows])
    columns, _ = _explore.classify(states, 10**6)
    forward = set(_explore.texts(states[columns["verdict"] == 1]))
    backwards, seen = set(), set()
    for deal in forward:
        if deal not in seen:
            table = bmn.basin(deal)
            seen |= set(table["state"])
            backwards |= set(table["state"][table["balanced"]])
    assert forward == backwards
    assert len(forward) == 90


@pytest.mark.parametrize("seed", range(6))
def test_ancestors_reach_the_deal_in_as_many_tricks(seed):
    deal = Deal.parse(bmn.deal(seed))
    for _ in range(5):
        after = next_state(deal)
        if after is None:
            break
        deal = Deal.parse(after)
    table = bmn.ancestors(deal, 4)
    assert table["state"][0] == str(deal)
    assert table["state"].is_unique
    for state, level in zip(table["state"], table["level"], strict=True):
        for _ in range(level):
            state = next_state(Deal.parse(state))
        assert state == str(deal)
    below = table[table["level"] == 3]
    expected = {before for state in below["state"] for before in bmn.predecessors(state)}
    assert set(table["state"][table["level"] == 4]) == expected


def test_ancestors_of_a_state_on_a_cycle_are_listed_once():
    table = bmn.ancestors("--J-/J-")
    assert table["state"].is_unique
    assert set(table["state"]) == set(bmn.basin("--J-/J-")["state"])


def test_no_basin_and_no_room():
    with pytest.raises(InputError, match="ends after 19 tricks, so it has no basin"):
        bmn.basin("-----J/Q-Q-J-")
    with pytest.raises(InputError, match="more than 1000 states"):
        bmn.basin(CASELLA, limit=1000)
    with pytest.raises(InputError, match="the depth -1 is out of range"):
        bmn.ancestors(CASELLA, -1)
    assert len(bmn.basin(CASELLA, depth=1)) == 62 + 378


@pytest.mark.slow
def test_casellas_basin_takes_two_milliseconds_at_most():
    entrance = _explore.classify(_explore.pack(*Deal.parse(CASELLA))[None], 10**6)[1][0]
    times = []
    for _ in range(50):
        start = time.perf_counter()
        _explore.basin(entrance, 62, backward.ANY_DEPTH, 10**6)
        times.append(time.perf_counter() - start)
    assert sorted(times)[25] < 2e-3
