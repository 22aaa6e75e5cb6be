"""Every loop of three live queues, by a search that looks for loops alone.

On such a loop the largest card of a queue never loses: a queue only gains cards smaller than the
one it wins with, so its largest card never grows, and on a loop it cannot shrink. So two of the
three never meet. After enough turns a queue is nothing but won packets, so every state of the
loop is in packet form, and at some turn the largest card of all is the first card of its queue.
The search starts from each such state, with that queue as queue 0, and cuts every branch on which
one of the three loses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from bmn.errors import InputError
from bmn.sedaps import tables
from bmn.sedaps.tables import Exact

MAX_CARDS = 30
"""The largest deck the search takes on."""


class LoopRow(NamedTuple):
    """Loops of one kind found from starts of one size pattern.

    Attributes
    ----------
    cards
        The size of the deck.
    a, b, c
        The size pattern of the start.
    synchronised
        Whether all sizes are multiples of 3.
    period
        The period in turns.
    rigid
        Whether each turn has one packet head in front, which wins.
    visits
        Starts on one loop: turns of its period that the largest card of all is in front.
    leaves
        Leaves of the search.
    states
        Concrete starts, the largest card being in queue 0.
    """

    cards: int
    a: int
    b: int
    c: int
    synchronised: bool
    period: int
    rigid: bool
    visits: int
    leaves: int
    states: Exact


def patterns(cards: int, synchronised: bool) -> list[tuple[int, int, int]]:
    """List the size patterns of the starts: three live queues, the first in whole packets."""
    step = 3 if synchronised else 1
    return [
        (a, b, cards - a - b)
        for a in range(3, cards, 3)
        for b in range(step, cards - a, step)
        if not synchronised or cards % 3 == 0
    ]


def starts(sizes: tuple[int, int, int]) -> list[tuple[int, int]]:
    """List where the largest cards of queues 1 and 2 can stand: free, or at a packet's head."""
    first, second = (
        [place for place in range(size) if place < size % 3 or (size - place) % 3 == 0]
        for size in sizes[1:]
    )
    return [(i, j) for i in first for j in second]


def check(cards: int) -> None:
    """Raise `InputError` if the deck is out of range."""
    if not 3 <= cards <= MAX_CARDS:
        raise InputError(f"{cards} cards are out of range; give 3 to {MAX_CARDS}")


def search(cards: int, sizes: Iterable[tuple[int, int, int]]) -> tuple[list[LoopRow], int]:
    """Find every loop of three live queues that has a start of one of the given sizes.

    Parameters
    ----------
    cards
        The size of the deck, 3 to `MAX_CARDS`.
    sizes
        Some of ``patterns(cards, ...)``.

    Returns
    -------
    rows : list of LoopRow
        The loops found.
    nodes : int
        Turns in the search.

    Raises
    ------
    InputError
        If the deck is too small or too large.
    """
    from bmn.sedaps import _war

    check(cards)
    rows, total = [], 0
    for pattern in sizes:
        found, nodes, _ = _war.tree(pattern, 3, True, maxima=starts(pattern))
        total += nodes
        synchronised = all(size % 3 == 0 for size in pattern)
        for _, _, _, period, rigid, _, _, visits, leaves, states in found:
            rows.append(
                LoopRow(cards, *pattern, synchronised, period, rigid, visits, leaves, Exact(states))
            )
    return rows, total


def count(rows: Iterable[LoopRow]) -> dict[tuple[int, bool], int]:
    """Return the number of loops by (period, rigid).

    A loop is met at each of its visits, and the largest card may be in any of three queues.
    """
    found: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    for row in rows:
        found[row.period, row.rigid] += Fraction(3 * row.states, row.visits)
    assert all(loops.denominator == 1 for loops in found.values())
    return {key: int(loops) for key, loops in sorted(found.items())}


def write_part(cards: int, synchronised: bool, index: int, parts: int, path: str) -> None:
    """Search one part of the starts of a deck and write the loops found."""
    rows, nodes = search(cards, patterns(cards, synchronised)[index::parts])
    which = "synchronised" if synchronised else "all"
    tables.write(path, LoopRow, rows, {"which": which, "cards": cards, "nodes": nodes})


def merge(paths: Iterable[str], path: str) -> None:
    """Put the parts of all searches into one table.

    Parameters
    ----------
    paths
        The parts. Where a deck is searched both ways its synchronised loops are found twice, and
        kept once.
    path
        The table; it says which decks were searched, and in how many turns.
    """
    found: set[LoopRow] = set()
    nodes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for part in paths:
        rows, about = tables.read(part, LoopRow)
        found.update(rows)
        nodes[about["which"]][about["cards"]] += about["nodes"]
    decks = {which: sorted(turns) for which, turns in nodes.items()}
    turns = {which: [nodes[which][cards] for cards in decks[which]] for which in decks}
    tables.write(path, LoopRow, sorted(found), {"decks": decks, "nodes": turns})
