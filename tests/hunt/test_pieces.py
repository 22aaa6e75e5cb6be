"""Pieces and the cycles made of them, against plain play."""

import itertools
import random

import numpy as np
import pytest

import bmn
from bmn import reference
from bmn.cards import STANDARD, Deal, Deck, hand_text
from bmn.explore import _explore, _pieces, assemble, backward, catalogue, pieces
from bmn.explore.pieces import Tape, Trials
from bmn.known import deal_of, known_deals

CASELLA = ("--J", "--------K---------Q-Q-K---Q-KAQJ", "--------A-KAAJ")


def cards(text):
    return bytes("-JQKA".index(card) for card in text)


def read_once(word, tape):
    """What the reference makes of a word read once from the head; None if it is no piece."""
    position = reference.Position((word + bytes(tape.spare), tape.cards))
    read = 0
    while True:
        trick = position.resolved + 1
        while position.resolved < trick:
            if position.player == 0:
                read += 1
            if read > len(word) or position.lay_card() is None:
                return None
        if position.player == 0 and bytes(position.hands[1]) == tape.cards:
            if read < len(word):
                return None
            left = bytes(position.hands[0])
            return None if any(left[len(word) :]) else left[: len(word)]


def orbit_of(word, tape, passes=60):
    """All phases of a periodic piece by the reference; None for any other word."""
    orbit = [word]
    for _ in range(passes):
        word = read_once(word, tape)
        if word is None:
            return None
        if word == orbit[0]:
            return orbit
        orbit.append(word)
    return None


def test_the_published_cycle_is_made_of_three_pieces():
    tape = Tape()
    found = _pieces.test([cards(word) for word in CASELLA], tape.rules())
    assert found["passes"].tolist() == [1, 4, 2]
    made = assemble.assemble(tape, found, pieces.compositions(tape, found), 1000)
    assert (made.compositions, made.tried, made.failed, len(made.cycles)) == (1, 4, 0, 4)
    deals = assemble.endless_deals(made.cycles)
    known = {
        str(deal_of(entry))
        for entry in known_deals()
        if entry["name"].startswith("Casella") and not entry["terminates"]
    }
    assert len(known) > 20
    listed = dict(zip(texts(deals["deal"]), deals["loop"].tolist(), strict=True))
    assert known <= set(listed)
    (loop,) = {listed[deal] for deal in known}
    assert made.cycles["tricks"][loop] == 62
    assert list(listed.values()).count(loop) == 30


@pytest.mark.parametrize(
    "tape", [Tape(), Tape("Q--"), Tape("J-", 2), Tape("A----"), Tape("QJ-", 0)]
)
def test_words_are_tested_as_the_reference_reads_them(tape):
    rng = random.Random(1)
    words = {
        bytes(rng.choices(range(5), [6, 1, 1, 1, 1], k=rng.randint(1, 9))) for _ in range(3000)
    }
    words |= {bytes(word) for n in range(1, 6) for word in itertools.product((0, 1, 2), repeat=n)}
    expected = {min(orbit) for word in words if (orbit := orbit_of(word, tape))}
    found = set(_pieces.words(_pieces.test(sorted(words), tape.rules())))
    assert found == expected


def test_pieces_are_tested_with_their_counts():
    table = bmn.pieces(lag=4, trials=20_000)
    assert len(table) > 30
    for row in table.sample(30, random_state=1).itertuples():
        tape = Tape(row.head, row.spare)
        orbit = orbit_of(cards(row.piece), tape)
        assert [hand_text(word) for word in orbit] == row.orbit.split()
        assert row.piece == min(row.orbit.split(), key=lambda w: cards(w))
        assert row.passes == len(orbit)
        assert list(Deck.of(cards(row.piece))) == [row.plain, row.J, row.Q, row.K, row.A]


def test_a_sweep_finds_what_testing_every_word_finds():
    rules = _pieces.Rules(cards("J-"), 1, (9, 2, 1, 1, 1))
    everything, _ = _pieces.sweep(rules, 0, 0)
    everything = pieces.join([everything])
    assert len(everything) > 10
    for passes in (1, 2, 3):
        swept = pieces.join([_pieces.sweep(rules, passes, 10)[0]])
        # A sweep for two passes also finds what comes back after one.
        of_all = everything[passes % everything["passes"] == 0]
        assert np.array_equal(swept, of_all), passes


def test_the_parts_of_a_sweep_are_the_whole():
    rules = Tape().rules()
    whole = pieces.join([_pieces.sweep(rules, 1, 4)[0]])
    parts = pieces.join(_pieces.sweep(rules, 1, 4, part, 5)[0] for part in range(5))
    assert np.array_equal(whole, parts)


def test_a_smaller_lag_finds_fewer():
    rules = Tape().rules()
    found = [set(_pieces.words(_pieces.sweep(rules, 1, lag)[0])) for lag in (2, 3, 4)]
    assert found[0] < found[1] < found[2]


def test_changes_are_reproducible_and_only_add():
    tape = Tape()
    start = pieces.join([_pieces.sweep(tape.rules(), 1, 3)[0]])
    once = pieces.change(tape, start, [Trials(5, 20_000, 0)])
    assert np.array_equal(once, pieces.change(tape, start, [Trials(5, 20_000, 0)]))
    assert not np.array_equal(once, pieces.change(tape, start, [Trials(6, 2_000, 0)]))
    assert set(_pieces.words(start)) < set(_pieces.words(once))
    assert all(orbit_of(word, tape) for word in _pieces.words(once)[::50])


@pytest.mark.parametrize("tape", [Tape(), Tape("Q--"), Tape("J-", 2)])
def test_pieces_do_not_influence_each_other(tape):
    """Any sequence of pieces, in any phases, is read piece by piece and comes back."""
    rng = random.Random(2)
    small = Tape(tape.head, tape.spare, Deck(21, 4, 4, 4, 4))
    pool = pieces.join(
        [_pieces.sweep(small.rules(), 1, 3)[0], _pieces.sweep(small.rules(), 2, 3)[0]]
    )
    orbits = [_pieces.phases(piece, small.rules()) for piece in pool]
    for _ in range(60):
        chosen = [rng.choice(orbits) for _ in range(rng.randint(1, 4))]
        at = [rng.randrange(len(orbit)) for orbit in chosen]
        words = [orbit[k] for orbit, k in zip(chosen, at, strict=True)]
        deal = Deal(b"".join(words) + bytes(tape.spare), tape.cards)
        found = reference.cycle(deal)
        assert found.preperiod_tricks == 0
        position = reference.Position(deal)
        for _ in range(3):
            for orbit, k in zip(chosen, at, strict=True):
                assert bytes(position.hands[0]).startswith(orbit[k])
                left, start = len(orbit[k]), position.card_plays
                while (
                    left
                    or position.pile
                    or position.player
                    or (bytes(position.hands[1]) != tape.cards)
                ):
                    left -= position.player == 0
                    position.lay_card()
                    assert left >= 0
                assert position.card_plays > start
            at = [(k + 1) % len(orbit) for orbit, k in zip(chosen, at, strict=True)]


def test_compositions_have_just_the_cards_of_the_deck():
    tape = Tape(deck=Deck(28, 4, 4, 4, 0))
    pool = pieces.join([_pieces.sweep(tape.rules(), 1, 5)[0]])
    pool = pieces.change(tape, pool, [Trials(0, 100_000, 0)])
    words = _pieces.words(pool)
    choices = list(pieces.compositions(tape, pool))
    assert choices
    assert len({tuple(sorted(taken)) for taken in choices}) == len(choices)
    for taken in choices:
        assert tuple(Deck.of(b"".join(words[index] for index in taken))) == tape.target
    counts = [Deck.of(word) for word in words]
    by_hand = sum(
        tuple(map(sum, zip(*(counts[i] for i in taken), strict=True))) == tape.target
        for size in (1, 2)
        for taken in itertools.combinations_with_replacement(range(len(pool)), size)
    )
    assert by_hand == sum(len(taken) <= 2 for taken in choices)


@pytest.fixture(scope="module")
def camicia():
    plan = catalogue.Plan(lag=5, trials=100_000, near=0, deck=Deck(28, 4, 4, 4, 0))
    tape = plan.tapes["J1.1"]
    pool = catalogue.find_pieces(plan, tape)
    return tape, pool, assemble.assemble(tape, pool, pieces.compositions(tape, pool), 10_000)


def test_every_assembly_is_a_cycle_and_all_are_counted(camicia):
    tape, pool, made = camicia
    assert made.failed == 0
    keys = set()
    tried = 0
    for taken in pieces.compositions(tape, pool):
        orbits = [_pieces.phases(pool[index], tape.rules()) for index in taken]
        for order in set(itertools.permutations(range(len(taken)))):
            for words in itertools.product(*(orbits[k] for k in order)):
                deal = Deal(b"".join(words) + bytes(tape.spare), tape.cards)
                tried += 1
                keys.add(backward.cycle_key(deal))
    assert tried > made.tried
    # The same cycles, though their keys are the smallest states in another order.
    own = {backward.cycle_key(text) for text in texts(made.cycles["key"])}
    assert own == keys
    assert len(made.cycles) == len(keys)


def test_cycles_have_the_periods_the_reference_finds(camicia):
    _, _, made = camicia
    for cycle in made.cycles[::7]:
        (text,) = texts(cycle["key"][None])
        found = reference.cycle(Deal.parse(text))
        seats = 1 + int(cycle["turned"])
        assert found.preperiod_tricks == 0
        assert found.period_tricks == cycle["tricks"] * seats
        assert found.period_cards == cycle["card_plays"] * seats
        assert cycle["reach"] == max(
            min(map(len, s.split("/"))) for s in backward.basin(text, depth=0)["state"]
        )


def test_balanced_deals_are_those_of_complete_backward_play(camicia):
    _, _, made = camicia
    deals = assemble.endless_deals(made.cycles)
    assert len(deals)
    with_deals = np.unique(deals["loop"])
    for loop in [*with_deals, *range(0, len(made.cycles), 9)]:
        (text,) = texts(made.cycles["key"][loop][None])
        tree = backward.basin(text)
        tree = tree[tree["balanced"]]
        mine = deals[deals["loop"] == loop]
        expected = dict(zip(tree["state"], tree["level"], strict=True))
        assert dict(zip(texts(mine["deal"]), mine["preperiod"].tolist(), strict=True)) == expected


def test_every_known_cycle_of_the_40_card_deck_with_33_tricks_is_made_of_pieces(camicia):
    _, _, made = camicia
    deals = set(texts(assemble.endless_deals(made.cycles)["deal"]))
    known = [
        entry
        for entry in known_deals()
        if not entry["terminates"] and deal_of(entry).deck == Deck(28, 4, 4, 4, 0)
    ]
    of_pieces = {str(deal_of(e)) for e in known if e["period_tricks"] == 33}
    assert len(of_pieces) > 10
    assert of_pieces <= deals
    assert len(deals) == 18


def test_cycles_beside_others_are_cycles(camicia):
    _, _, made = camicia
    few = made.cycles[:3]
    more = assemble.neighbours(few, Trials(1, 100_000, 0), 3)
    assert len(more) > len(few)
    assert np.array_equal(more, assemble.neighbours(few, Trials(1, 100_000, 0), 3))
    for text in texts(more["key"][::3]):
        assert reference.cycle(Deal.parse(text)).preperiod_tricks == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"head": "X"}, "is not a hand"),
        ({"head": ""}, "is not a hand"),
        ({"head": "JJJJJ-"}, "cannot be taken"),
        ({"spare": -1}, "cannot be taken"),
        ({"deck": (60, 4, 4, 4, 4)}, "at most 55"),
    ],
)
def test_pieces_that_cannot_be_looked_for(arguments, why):
    with pytest.raises(bmn.InputError, match=why):
        bmn.pieces(**arguments)


def test_a_damaged_table_of_pieces_is_noticed():
    tape = Tape()
    table = pieces.table(tape, _pieces.test([cards(word) for word in CASELLA], tape.rules()))
    assert len(pieces.from_table(tape, table)) == 3
    table["piece"][1] = table["piece"][1][:-1]
    with pytest.raises(bmn.InputError, match="1 of 3 words"):
        pieces.from_table(tape, table)


def texts(states):
    return _explore.texts(np.ascontiguousarray(states))


def test_the_standard_deck_is_the_default():
    assert Tape().target == (34, 3, 4, 4, 4)
    assert sum(Tape().target) + 3 == STANDARD.size
