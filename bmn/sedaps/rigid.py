"""Rigid loops of three queues, counted without looking for them.

On a rigid loop each turn has one packet head in front, and it wins. The sizes then fix who meets
whom for the whole period, and heads never meet heads: a state of the shape is on a rigid loop if
and only if every head is larger than all the cards it meets. So the rigid states of a shape are
the linear extensions of one partial order.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import lcm
from typing import NamedTuple

import numpy as np

from bmn.errors import InputError
from bmn.sedaps.fates import fate
from bmn.sedaps.periods import RigidShape, cycle_lengths, rigid_shapes
from bmn.sedaps.tables import Exact

MAX_CARDS = 32
"""The largest deck whose rigid states can be counted as linear extensions."""

PLAY_ALL, PLAY_TURNS = 30, 30_000
"""Shapes of decks up to this size, or with periods up to so many turns, are played."""


class ShapeRow(NamedTuple):
    """A rigid shape and its period, found three ways.

    Attributes
    ----------
    cards
        The size of the deck.
    a, b, c
        Whole packets of the queues A (about to win), B and C.
    clockwise
        Whether the queues win in the order A B C.
    formula
        The period by the formula.
    sigma
        Three times the order of the permutation of the places after three turns.
    played
        The period found by play; 0 where the shape was not played, -1 where the state did not
        come back.
    states
        States of the shape, in this phase, that are on rigid loops.
    """

    cards: int
    a: int
    b: int
    c: int
    clockwise: bool
    formula: int
    sigma: int
    played: int
    states: Exact


class HeadsRow(NamedTuple):
    """States on rigid loops of 12 cards by their packet heads, counted two ways."""

    heads: str
    period: int
    enumerated: int
    by_order: int

    @property
    def loops(self) -> int:
        """The number of loops."""
        return self.enumerated // self.period


def order(shape: RigidShape) -> list[int]:
    """Return the cards each place's card must beat on the shape's loops, as bit masks."""
    places = iter(range(shape.cards))
    queues = [[next(places) for _ in range(size)] for size in shape.sizes]
    start = [list(queue) for queue in queues]
    beaten = [0] * shape.cards
    while True:
        won = next(seat for seat in range(3) if len(queues[seat]) % 3 == 0)
        head, *others = (queues[(won + step) % 3].pop(0) for step in range(3))
        queues[won] += [head, *others]
        for other in others:
            beaten[head] |= 1 << other
        if queues == start:
            return beaten


def count_states(shape: RigidShape) -> int:
    """Count the states of a shape, in its phase, that are on rigid loops.

    The order has two levels, heads above others, so its linear extensions can be built from the
    top: f(H) is the number of ways to go on when the heads H are placed. Placing one more frees
    the cards whose last missing head it is, and a freed card can stand anywhere among the rest.
    """
    a, b, c = shape.packets
    # The three phases of a loop have the packets in rotation, and equally many states.
    return _count_states(max((a, b, c), (b, c, a), (c, a, b)), shape.clockwise)


@cache
def _count_states(packets: tuple[int, int, int], clockwise: bool) -> int:
    beaten = order(RigidShape(packets, clockwise))
    cards = len(beaten)
    heads = [place for place in range(cards) if beaten[place]]
    freed = np.zeros(1 << len(heads), np.int64)
    for place in range(cards):
        if not beaten[place]:
            freed[sum(1 << i for i, head in enumerate(heads) if beaten[head] >> place & 1)] += 1
    sets = np.arange(len(freed))
    size = np.zeros_like(sets)
    for i in range(len(heads)):
        has = sets >> i & 1 == 1
        freed[has] += freed[sets[has] ^ 1 << i]
        size += has
    left = cards - size - freed
    # falling[s, g] = (s - 1) (s - 2) ... (s - g)
    falling = np.ones((cards + 1, cards + 1), object)
    for g in range(1, cards + 1):
        for s in range(cards + 1):
            falling[s, g] = falling[s, g - 1] * max(s - g, 0)
    ways = np.zeros(len(freed), object)
    ways[-1] = 1
    for placed in reversed(range(len(heads))):
        layer = sets[size == placed]
        for i in range(len(heads)):
            before = layer[layer >> i & 1 == 0]
            after = before | 1 << i
            ways[before] += falling[left[before], freed[after] - freed[before]] * ways[after]
    return int(ways[0])


def count_extensions(shape: RigidShape) -> int:
    """Count the same states as `count_states`, by the counter of linear extensions.

    Raises
    ------
    InputError
        If the deck has more than `MAX_CARDS` cards.
    """
    from bmn.sedaps import _war

    if shape.cards > MAX_CARDS:
        raise InputError(f"{shape.cards} cards are too many to count; at most {MAX_CARDS}")
    return _war.extensions(order(shape))


def count_loops(rows: list[ShapeRow]) -> dict[int, int]:
    """Return the number of rigid loops of each period, from the rows of one deck."""
    states: Counter[int] = Counter()
    for row in rows:
        states[row.formula] += 3 * row.states  # each of the three queues may be about to win
    return {period: number // period for period, number in sorted(states.items())}


def heads_of_twelve() -> tuple[list[HeadsRow], int]:
    """Classify the states on rigid loops of 12 cards by the set of their packet heads.

    Every state of the six patterns with sizes 3, 4 and 5 whose largest card is a packet head is
    enumerated and followed (up to rotation of the seats); and, independently, the linear
    extensions of each shape's order are counted by which cards the heads are.

    Returns
    -------
    rows : list of HeadsRow
        By heads and period.
    states : int
        States followed, rotations included.
    """
    from bmn.sedaps import _war

    enumerated: Counter[tuple[str, int]] = Counter()
    followed = 0
    for sizes in ((3, 4, 5), (3, 5, 4)):
        states, found = _war.enumerate_rigid(sizes)
        followed += 3 * states
        for heads, period, number in found:
            enumerated[_names(heads), period] += 3 * number
    counted: Counter[tuple[str, int]] = Counter()
    for shape in rigid_shapes(12):
        for heads, number in _extensions_by_heads(order(shape)).items():
            counted[_names(heads), shape.period] += 3 * number
    keys = sorted(enumerated | counted, key=lambda key: ([*map(int, key[0].split(","))], key[1]))
    return [HeadsRow(*key, enumerated[key], counted[key]) for key in keys], followed


def _names(heads: int) -> str:
    return ",".join(str(rank) for rank in range(heads.bit_length()) if heads >> rank & 1)


def _extensions_by_heads(beaten: list[int]) -> Counter[int]:
    """Count linear extensions by the ranks of the cards that beat others, from the top down."""
    cards = len(beaten)
    heads = [place for place in range(cards) if beaten[place]]
    # Cards placed so far -> ranks the heads got -> ways.
    layer: dict[int, Counter[int]] = {0: Counter({0: 1})}
    for rank in reversed(range(cards)):
        following: dict[int, Counter[int]] = {}
        for placed, ways in layer.items():
            for place in range(cards):
                above = sum(1 << head for head in heads if beaten[head] >> place & 1)
                if placed >> place & 1 or above & ~placed:
                    continue
                into = following.setdefault(placed | 1 << place, Counter())
                for ranks, number in ways.items():
                    into[ranks | bool(beaten[place]) << rank] += number
        layer = following
    return layer[(1 << cards) - 1]


def shape_rows(cards: int) -> list[ShapeRow]:
    """Find the period of every rigid shape of a deck by formula, permutation and play.

    Parameters
    ----------
    cards
        A multiple of 3, at least 12. A shape is played if the deck has at most `PLAY_ALL` cards
        or its period is at most `PLAY_TURNS`.
    """
    rows = []
    for shape in rigid_shapes(cards):
        played = 0
        if cards <= PLAY_ALL or shape.period <= PLAY_TURNS:
            found = fate(shape.state)
            played = found.period if found.turns == 0 else -1
        sigma = 3 * lcm(*cycle_lengths(shape.sigma))
        states = Exact(count_states(shape))
        rows.append(
            ShapeRow(cards, *shape.packets, shape.clockwise, shape.period, sigma, played, states)
        )
    return rows
