"""The slow, obvious second implementation: the same questions answered from the rule alone."""

from __future__ import annotations

from math import factorial, prod
from typing import NamedTuple

from bmn.sedaps.rule import State, live_seats, predecessors, turn
from bmn.sedaps.shape import has_shape, led


class Fate(NamedTuple):
    """What becomes of a state.

    Attributes
    ----------
    turns
        The turn of the end, or the first turn of the state that is repeated.
    period
        Turns of the cycle; 0 if play ends.
    """

    turns: int
    period: int

    @property
    def ends(self) -> bool:
        """Whether play ends."""
        return self.period == 0


class Search(NamedTuple):
    """What a search backward for deals found.

    Attributes
    ----------
    expanded
        States with the right shape, not counting the deals.
    lowest
        The lowest turn of any state with the right shape, or None if there is none.
    deals
        Deals that lead to the state.
    boundary
        States below which the deals were counted by the formula.
    capped
        Whether the search gave up.
    """

    expanded: int
    lowest: int | None
    deals: int
    boundary: int
    capped: bool


def fate(state: State, stop: int = 2) -> Fate:
    """Play until fewer than `stop` queues live or a state comes back."""
    seen: dict[State, int] = {}
    played = 0
    while len(state) - state.count(()) >= stop:
        if state in seen:
            return Fate(seen[state], played - seen[state])
        seen[state] = played
        after = turn(state)
        assert after is not None
        state = after
        played += 1
    return Fate(played, 0)


def search_back(state: State, at: int, cap: int, formula_turn: int) -> Search:
    """Search backward, depth first, for the fair deals that lead to a state at a turn.

    See `bmn.sedaps.backward.search_back`.
    """
    dealt = sum(map(len, state)) // 3
    expanded = deals = boundary = 0
    lowest = None
    waiting = [(state, at)]
    while waiting:
        state, at = waiting.pop()
        if not has_shape(state, at):
            continue
        lowest = at if lowest is None else min(lowest, at)
        if at == 0:
            deals += 1
            continue
        expanded += 1
        if expanded > cap:
            return Search(expanded, lowest, deals, boundary, True)
        if at <= formula_turn and len(live_seats(state)) == 3:
            packets = [(len(queue) - (dealt - at)) // 3 for queue in state]
            deals += factorial(at) // prod(map(factorial, packets))
            boundary += 1
            continue
        waiting += [(before, at - 1) for before in reversed(predecessors(state))]
    return Search(expanded, lowest, deals, boundary, False)


def prefix_floor(queue: tuple[int, ...]) -> int:
    """Find the prefix floor by trying every split into threes and twos, from the back."""
    ends, floor = {len(queue)}, len(queue)
    while ends:
        floor = min(floor, *ends)
        ends = {
            end - size
            for end in ends
            for size in (2, 3)
            if end >= size and led(queue[end - size : end], 0, size)
        }
    return floor
