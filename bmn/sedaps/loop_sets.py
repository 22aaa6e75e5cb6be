"""The loops of small decks as sets of states: tree against enumeration, loop for loop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bmn.sedaps.census import KINDS, Method, check, patterns
from bmn.sedaps.rule import State, turn


def canonical_loop(state: State) -> State:
    """Return the smallest state of the loop that a state is on, to tell loops apart."""
    smallest, now = state, turn(state)
    while now is not None and now != state:
        smallest = min(smallest, now)
        now = turn(now)
    return smallest


def linear_extensions(above: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every ranking of the cards that an order allows.

    Parameters
    ----------
    above
        The cards above each card, as bit masks.

    Yields
    ------
    tuple of int
        The rank of each card, 0 for the smallest.
    """
    cards = len(above)
    rank = [0] * cards

    def place(left: int, next_rank: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield tuple(rank)
        for card in range(cards):
            if left >> card & 1 and not above[card] & left:
                rank[card] = next_rank
                yield from place(left & ~(1 << card), next_rank - 1)

    return place((1 << cards) - 1, cards - 1)


def loop_set(kind: str, cards: int, method: Method) -> set[State]:
    """Return all loops of a small deck as a set, each by its smallest state.

    The tree's leaves are spelt out state by state, so this is for decks of up to nine or ten
    cards.
    """
    from bmn.sedaps import _war

    check(kind, cards, method)
    stop, packets = KINDS[kind].stop, KINDS[kind].packets
    seats = KINDS[kind].seats
    found = set()
    for sizes, rotations in patterns(kind, cards):
        if method == "tree":
            cuts = [sum(sizes[:seat]) for seat in range(seats + 1)]
            states = [
                tuple(ranks[a:b] for a, b in pairwise(cuts))
                for _, above in _war.tree(sizes, stop, packets, keep_loops=True)[2]
                for ranks in linear_extensions(above)
            ]
        else:
            kept = _war.enumerate_states(sizes, stop, packets, keep_loops=True)[1]
            states = [tuple(map(tuple, state[:seats])) for state in kept]
        for turned in range(rotations):
            found |= {canonical_loop(state[turned:] + state[:turned]) for state in states}
    return found
