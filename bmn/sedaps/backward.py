"""Searching backward: which fair deals lead to a state at a given turn, and how many."""

from __future__ import annotations

from typing import NamedTuple

from bmn.errors import InputError
from bmn.sedaps import rule
from bmn.sedaps.reference import Search
from bmn.sedaps.rule import State

CAP = 250_000
"""States the published search expands before it gives up."""

NO_CAP = 2**63
"""A cap no search reaches."""

MAX_CARDS = 63
"""The largest deck whose deals can be searched for."""

MAX_TURN = 10_000
"""The highest turn a search can begin at."""


class Histories(NamedTuple):
    """How many fair deals lead to a state at one turn.

    Attributes
    ----------
    deals
        All of them.
    branches
        Those that come through each predecessor, by branch label.
    searched
        States with the right shape in the whole search, the state itself included.
    boundary
        States below which the deals were counted by the formula.
    """

    deals: int
    branches: dict[str, int]
    searched: int
    boundary: int


def has_shape(state: State, turn: int) -> bool:
    """Return whether a state passes the shape test at a turn; see `bmn.sedaps.shape.has_shape`."""
    from bmn.sedaps import _war

    return _war.shape(rule.ranks(check(state, turn)), turn)


def search_back(state: State, turn: int, cap: int = CAP, formula_turn: int = 0) -> Search:
    """Search backward, depth first, for the fair deals that lead to a state at a turn.

    States without the shape of their turn have no fair deal behind them and are left. Play is
    deterministic, so the states met form a tree and none is met twice at one turn.

    Parameters
    ----------
    state
        Three queues; the number of cards is a multiple of 3.
    turn
        Turns since the deal.
    cap
        Give up after expanding more states than this.
    formula_turn
        The highest turn at which the deals behind a three-live state are counted instead of
        walked to: if its queues hold a, b and c packets there are (a + b + c)! / (a! b! c!),
        since the packets may have been won in any order. Less than the cards a queue is dealt;
        0 to walk to every deal.

    Raises
    ------
    InputError
        If the state does not come from fair deals of three queues, or a turn is out of range.
    """
    from bmn.sedaps import _war

    dealt = sum(rule.sizes(state)) // 3
    if not 0 <= formula_turn < max(dealt, 1):
        raise InputError(
            f"the formula cannot begin at turn {formula_turn}; give 0 to {dealt - 1}, "
            "less than the cards a queue is dealt"
        )
    return Search(*_war.search_back(rule.ranks(check(state, turn)), turn, cap, formula_turn))


def histories(state: State, turn: int, formula_turn: int | None = None) -> Histories:
    """Count the fair deals that lead to a state at a turn, by branch.

    Parameters
    ----------
    state, turn
        As in `search_back`.
    formula_turn
        As in `search_back`; by default the highest possible.

    Raises
    ------
    InputError
        As `search_back`.
    """
    if turn == 0 or not has_shape(state, turn):
        found = search_back(state, turn)
        return Histories(found.deals, {}, found.expanded, 0)
    if formula_turn is None:
        formula_turn = sum(rule.sizes(state)) // 3 - 1
    parts = {
        label: search_back(before, turn - 1, NO_CAP, formula_turn)
        for label, before in rule.branches(state).items()
    }
    return Histories(
        sum(part.deals for part in parts.values()),
        {label: part.deals for label, part in parts.items()},
        1 + sum(part.expanded for part in parts.values()),
        sum(part.boundary for part in parts.values()),
    )


def closure(state: State, turns: int, cap: int = CAP) -> tuple[list[Search], int | None]:
    """Search backward from every turn below `turns`, and find where the scan becomes periodic.

    From the turn of the deal's last free card on, the shape test depends on the turn mod 3 only.
    So if the search from turn s never meets a turn so low that this fails, the search from s + 3
    is the same with all turns 3 higher. Once that holds of three successive turns, it holds for
    ever, and no later turn has a deal.

    Returns
    -------
    scan : list of Search
        The search from each turn.
    start : int or None
        The first of the earliest three successive turns whose searches stay clear of the deal.
    """
    scan = [search_back(state, turn, cap) for turn in range(turns)]
    dealt = sum(rule.sizes(state)) // 3
    # Failing states lie one turn below the lowest that passes; that turn must be periodic too.
    clear = [
        not found.capped and turn >= dealt and (found.lowest is None or found.lowest > dealt)
        for turn, found in enumerate(scan)
    ]
    for start in range(turns - 2):
        if all(clear[start : start + 3]):
            return scan, start
    return scan, None


def check(state: State, turn: int) -> State:
    """Return the state, or raise `InputError` if it cannot come from fair deals of three queues."""
    cards = sum(rule.sizes(state))
    if len(state) != 3 or cards % 3 or cards > MAX_CARDS:
        raise InputError(
            f"the state has {len(state)} queues and {cards} cards, but fair deals are of three "
            f"equal queues; give three queues with a multiple of 3 cards, at most {MAX_CARDS}"
        )
    if not 0 <= turn <= MAX_TURN:
        raise InputError(f"the turn {turn} is out of range; turns are 0 to {MAX_TURN}")
    return state
