"""The rule of the three-queue War: turns, predecessors, notation, deals, shapes."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from sedaps_states import states

from bmn.errors import InputError
from bmn.sedaps import _war, deals, facts, rule, shape
from bmn.sedaps.small import every_state, inverse


def test_a_turn_by_hand():
    # 10 wins; the pot goes 10, then the next seat's card, then the one after.
    assert rule.turn(((6, 0, 1), (10, 2, 7), (4, 8))) == ((0, 1), (2, 7, 10, 4, 6), (8,))


def test_a_turn_leaves_an_empty_seat_out():
    assert rule.turn(((), (1, 0), (2,))) == ((), (0,), (2, 1))
    assert rule.turn(((1,), (), (0, 2))) == ((1, 0), (), (2,))


def test_play_is_over_with_one_live_queue():
    assert rule.turn(((), (1, 0, 2), ())) is None
    assert rule.winner(((), (1, 0, 2), ())) is None


@settings(deadline=None)
@given(states())
def test_a_turn_keeps_the_cards(state):
    after = rule.turn(state)
    if after is not None:
        assert sorted(sum(after, ())) == sorted(sum(state, ()))


@pytest.mark.parametrize(("cards", "seats"), [(5, 3), (6, 3), (5, 2), (6, 2)])
def test_predecessors_are_the_inverse_of_play(cards, seats):
    everything = list(every_state(cards, seats))
    before = inverse(everything)
    assert all(rule.predecessors(state) == before[state] for state in everything)


@settings(deadline=None)
@given(states())
def test_compiled_predecessors_are_those_of_the_rule(state):
    found = [rule.from_ranks(queues) for queues in _war.predecessors(rule.ranks(state))]
    assert found == rule.predecessors(state)


def test_branches_are_labelled_in_lexicographic_order():
    pasts = rule.branches(facts.turn_85()[1])
    assert list(pasts) == ["00", "01", "10", "11"]
    assert list(pasts.values()) == sorted(pasts.values())


@settings(deadline=None)
@given(states())
def test_notation_and_ranks_there_and_back(state):
    assert rule.parse(rule.key(state)) == state
    assert rule.from_ranks(rule.ranks(state)) == state


def test_digest_of_a_key():
    state = facts.turn_85()[1]
    assert rule.key(((1, 2), (), (0,))) == "1,2||0"
    assert rule.digest(state).startswith("4f62f708db37b64f")


def test_decks():
    assert rule.deck(6) == (0, 1, 2, 3, 4, 5)
    assert len(rule.deck(51)) == 51 and 7 not in rule.deck(51) and 51 in rule.deck(51)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0,1|1|2", "card 1 (place 2 of queue 0) is there 2 times"),
        ("0,1|9|2", "card 9 (place 1 of queue 1) is not in the deck of 4 cards"),
        ("||", "all queues of the state are empty"),
        ("0,1,2", "the state has 1 queue;"),
        ("0|1|2|3", "the state has 4 queues"),
        ("0,x|1|2", "is not numbers"),
        ("0,-1|1|2", "card -1"),
        (",".join(map(str, range(257))) + "||", "a deck of 257 cards is not possible"),
        (",".join(map(str, range(51))) + "||", "its cards are 0 to 51 without 7"),
    ],
)
def test_bad_states_are_one_sentence(text, sentence):
    with pytest.raises(InputError) as told:
        rule.parse(text)
    assert sentence in str(told.value) and "\n" not in str(told.value)


def test_seeded_deals():
    deal = deals.deal_seed(5)
    assert rule.sizes(deal) == (17, 17, 17)
    assert rule.check(deal) == deal
    assert deals.deal_seed(5) == deal != deals.deal_seed(6)
    # The generator is widely used; these are the first numbers everyone gets from seed 1.
    numbers = deals.mulberry32(1)
    assert [next(numbers) for _ in range(3)] == [2693262067, 11749833, 2265367787]


def test_the_published_deal_is_pythons():
    assert deals.deal_python(deals.PYTHON_SEED) == facts.turn_85()[0]


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range(seed):
    with pytest.raises(InputError, match="seeds are 0 to 4294967295"):
        deals.deal_seed(seed)


def test_synchronised_probe_states_are_what_they_say():
    synchronised, dealt = deals.probe_states()
    assert len(synchronised) == len(dealt) == deals.PROBES
    for state in synchronised[:200]:
        assert shape.in_packet_form(state)
        assert all(size % 3 == 0 for size in rule.sizes(rule.check(state)))


def test_splits_by_hand():
    assert shape.splits((0, 1, 5, 2, 3, 4, 0))  # two free, a three, a two
    assert not shape.splits((9, 8, 7, 1, 2, 3, 4))
    assert shape.splits(())


def test_splits_against_every_way_to_split():
    def slow(queue):
        if len(queue) <= 2:
            return True
        return any(
            shape.led(queue, free, 3) if not twos else _ends(queue, free, twos)
            for free in range(3)
            for twos in range(len(queue) // 2 + 1)
        )

    def _ends(queue, free, twos):
        cut = len(queue) - 2 * twos
        return cut >= free and shape.led(queue[:cut], free) and shape.led(queue[cut:], 0, 2)

    for size in range(8):
        for queue in permutations(range(size)):
            assert shape.splits(queue) == slow(queue)


@settings(deadline=None)
@given(states(most_cards=21))
def test_compiled_shape_test(state):
    for turn in range(sum(rule.sizes(state)) // 3 + 4):
        assert _war.shape(rule.ranks(state), turn) == shape.has_shape(state, turn)


def test_every_state_of_a_fair_game_has_its_shape():
    for seed in range(1, 30):
        state, turn = deals.deal_seed(seed), 0
        while state is not None and turn < 300:
            assert shape.has_shape(state, turn) == (len(rule.live_seats(state)) > 1)
            state, turn = rule.turn(state), turn + 1


def test_a_wrong_turn_has_another_shape():
    state = deals.deal_seed(1)
    assert shape.has_shape(state, 0)
    assert not shape.has_shape(state, 1) and not shape.has_shape(state, 17)


def test_prefix_cuts():
    assert shape.prefix_cuts((0, 5, 1, 2)) == [1, 4]
    assert shape.prefix_cuts((3, 2, 1, 0)) == [0, 1, 2, 4]
    assert shape.prefix_floor((0, 1, 2)) == 3
