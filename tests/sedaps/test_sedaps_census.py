"""Censuses: tree against enumeration against play in Python, and nothing left out."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bmn.errors import InputError
from bmn.sedaps import _war, census, loops, reference
from bmn.sedaps.loop_sets import linear_extensions, loop_set
from bmn.sedaps.shape import in_packet_form
from bmn.sedaps.small import every_state

SMALL = [
    *(("three", cards) for cards in range(3, 9)),
    *(("two", cards) for cards in range(2, 10)),
    *(("raw", cards) for cards in range(3, 10)),
    *(("packet", cards) for cards in range(3, 11)),
    ("synchronised", 9),
    *(("alternate", cards) for cards in range(2, 11)),
]


@pytest.mark.parametrize(("kind", "cards"), SMALL)
def test_tree_against_enumeration(kind, cards):
    """The same number of states for every size pattern, outcome and number of turns."""
    trees, nodes = census.count(kind, cards, "tree")
    enumerated, _ = census.count(kind, cards, "enumeration")
    assert census.same_outcomes(trees, enumerated)
    assert census.completeness(trees, nodes).complete
    assert census.completeness(enumerated, 0).complete


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "cards"), [("three", 9), ("two", 10), ("raw", 10), ("packet", 12)]
)
def test_tree_against_enumeration_of_larger_decks(kind, cards):
    test_tree_against_enumeration(kind, cards)


@pytest.mark.parametrize("kind", ["three", "two", "raw", "packet"])
@pytest.mark.parametrize("cards", [3, 4, 5, 6])
def test_tree_against_play_in_python(kind, cards):
    seats, stop, packets, least, _ = census.KINDS[kind]
    slow = Counter()
    for state in every_state(cards, seats):
        if min(map(len, state)) < least or (packets and not in_packet_form(state)):
            continue
        turns, period = reference.fate(state, stop)
        slow[bool(period), bool(period) and turns == 0, period or turns] += 1
    found = Counter()
    for row in census.count(kind, cards, "tree")[0]:
        found[row.loop, row.on_loop, row.turns] += row.states
    assert found == slow


@pytest.mark.parametrize("packets", [False, True])
def test_rotation_of_the_seats_is_a_symmetry(packets):
    for sizes in [(4, 2, 1), (3, 3, 2), (1, 2, 5), (6, 1, 1)]:
        for stop in (2, 3):
            rows = [
                _war.tree(sizes[turned:] + sizes[:turned], stop, packets)[0] for turned in range(3)
            ]
            plain = [sorted((row[:4], row[-1]) for row in one if not row[1]) for one in rows]
            assert plain[0] == plain[1] == plain[2]


@pytest.mark.parametrize("kind", ["three", "raw", "packet"])
def test_patterns_and_their_rotations_are_all_patterns(kind):
    least = census.KINDS[kind].least
    for cards in range(3, 13):
        everything = {
            (a, b, cards - a - b)
            for a in range(least, cards + 1)
            for b in range(least, cards - a + 1)
            if cards - a - b >= least
        }
        listed = Counter()
        for sizes, rotations in census.patterns(kind, cards):
            turned = {sizes[i:] + sizes[:i] for i in range(3)}
            assert len(turned) == rotations
            listed.update(turned)
        assert listed == Counter(everything)


def test_closed_form_number_of_states():
    for cards in range(3, 8):
        number = sum(1 for state in every_state(cards) if all(state) and in_packet_form(state))
        assert number == sum(
            census.pattern_states("packet", sizes) * rotations
            for sizes, rotations in census.patterns("packet", cards)
        )


def test_a_missing_leaf_is_noticed():
    rows, nodes = census.count("packet", 9, "tree")
    assert census.completeness(rows, nodes).complete
    assert not census.completeness(rows[1:], nodes).complete
    # Moving states from one pattern to another keeps the sum, but not the patterns.
    first, other = rows[0], next(row for row in rows if row.sizes != rows[0].sizes)
    moved = [
        *(row for row in rows if row not in (first, other)),
        first._replace(states=first.states - 1),
        other._replace(states=other.states + 1),
    ]
    assert sum(row.states for row in moved) == sum(row.states for row in rows)
    assert not census.completeness(moved, nodes).complete


def test_parts_are_the_whole():
    whole = census.patterns("packet", 14)
    parts = [census.part("packet", 14, index, 5) for index in range(5)]
    assert sorted(pattern for part in parts for pattern in part) == sorted(whole)


def test_parts_merge_to_the_census(tmp_path):
    for index in range(3):
        census.write_part("packet", 10, "tree", index, 3, tmp_path / f"{index}.parquet")
    paths = [tmp_path / f"{index}.parquet" for index in range(3)]
    census.merge(paths, tmp_path / "census.parquet", tmp_path / "completeness.parquet")
    from bmn.sedaps import tables

    rows, _ = tables.read(tmp_path / "census.parquet", census.CensusRow)
    (line,), _ = tables.read(tmp_path / "completeness.parquet", census.Completeness)
    whole, nodes = census.count("packet", 10, "tree")
    assert sorted(rows) == sorted(whole)
    assert line == census.completeness(whole, nodes)
    assert line.complete


@pytest.mark.parametrize("cards", [3, 4, 5, 6, 7])
def test_loops_as_sets(cards):
    trees = loop_set("three", cards, "tree")
    assert trees == loop_set("three", cards, "enumeration")
    assert len(trees) == {5: 12, 7: 312}.get(cards, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "loops"), [(8, 0), (9, 2016)])
def test_loops_as_sets_of_larger_decks(cards, loops):
    trees = loop_set("three", cards, "tree")
    assert trees == loop_set("three", cards, "enumeration")
    assert len(trees) == loops


@settings(deadline=None)
@given(st.data())
def test_linear_extensions_are_counted(data):
    """On random orders, against all permutations and against listing them."""
    cards = data.draw(st.integers(1, 6))
    below = [0] * cards
    for larger in range(cards):
        for smaller in range(larger):
            if data.draw(st.booleans()):
                below[larger] |= 1 << smaller
    slow = sum(
        all(
            ranks[larger] > ranks[smaller]
            for larger in range(cards)
            for smaller in range(cards)
            if below[larger] >> smaller & 1
        )
        for ranks in permutations(range(cards))
    )
    assert _war.extensions(below) == slow
    above = [
        sum(1 << larger for larger in range(cards) if below[larger] >> smaller & 1)
        for smaller in range(cards)
    ]
    assert len(list(linear_extensions(_closed(above)))) == slow


def _closed(above):
    closed = list(above)
    for _ in closed:
        for card, mask in enumerate(closed):
            for other in range(len(closed)):
                if mask >> other & 1:
                    closed[card] |= closed[other]
    return closed


def test_linear_extensions_past_64_bits():
    from math import factorial

    assert _war.extensions([0] * 30) == factorial(30)
    # Ten packets: each head is the largest of three.
    below = [0b11 << 3 * (card // 3) if card % 3 == 2 else 0 for card in range(30)]
    assert _war.extensions(below) == factorial(30) // 3**10


def test_linear_extensions_of_a_wide_order():
    """More sets of maximal cards than the first memory has room for."""
    from math import factorial

    below = [0] * 32
    for i in range(16):
        below[16 + i] = 1 << i
    assert _war.extensions(below) == factorial(32) // 2**16


@pytest.mark.parametrize("cards", range(3, 17))
def test_loops_alone_against_the_tree(cards):
    alone = loops.count(loops.search(cards, loops.patterns(cards, False))[0])
    trees = census.loops(census.count("packet", cards, "tree")[0])
    assert {period: number for (period, _), number in alone.items()} == trees
    assert all(rigid for _, rigid in alone)


@pytest.mark.slow
def test_eighteen_cards_by_tree_and_by_loops_alone():
    rows, nodes = census.count("packet", 18, "tree")
    assert census.completeness(rows, nodes).complete
    alone = loops.count(loops.search(18, loops.patterns(18, False))[0])
    assert {period: number for (period, _), number in alone.items()} == census.loops(rows)


def test_synchronised_starts_are_among_all():
    everything, _ = loops.search(15, loops.patterns(15, False))
    synchronised, _ = loops.search(15, loops.patterns(15, True))
    assert {row for row in everything if row.synchronised} == set(synchronised) == set()
    assert set(loops.patterns(15, True)) < set(loops.patterns(15, False))
    assert loops.patterns(14, True) == []


@pytest.mark.parametrize(
    ("kind", "cards", "method", "sentence"),
    [
        ("packet", 25, "tree", "give 3 to 24 cards"),
        ("three", 17, "enumeration", "give 1 to 16 cards"),
        ("two", 1, "tree", "give 2 to 24 cards"),
        ("synchronised", 13, "tree", "a multiple of 3"),
    ],
)
def test_impossible_censuses(kind, cards, method, sentence):
    with pytest.raises(InputError, match=sentence):
        census.count(kind, cards, method)


def test_impossible_loop_search():
    with pytest.raises(InputError, match="give 3 to 30"):
        loops.search(31, [])
