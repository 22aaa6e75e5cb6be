"""The game backwards: predecessors, the basin of a cycle, the ancestors of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bmn import reference, rules
from bmn.cards import Deal
from bmn.errors import InputError
from bmn.explore.cycles import DEFAULT_BUDGET, Cycle, decide

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_LIMIT = 10_000_000
"""The most states a tree may have."""

ANY_DEPTH = 2**32 - 1
"""No bound on the distance from the root of a tree."""


def predecessors(state: str | Deal) -> list[str]:
    """Return every state that comes to this one in one trick.

    Parameters
    ----------
    state
        Two hands, ``LEADER/OTHER``, top card first.

    Returns
    -------
    list of str
        Written in the same way, in the order of the length of the pile that was won. A state
        has none unless the last penalty card of the leader's hand is followed by exactly as
        many plain cards as it demands.

    Examples
    --------
    >>> predecessors("--J-/K-")
    ['J--/-K-', '-J-/-K-', '--/-JK-']
    """
    deal = Deal.parse(state) if isinstance(state, str) else Deal(*state)
    if not _fits(deal):
        return [str(before) for before in reference.predecessors(deal)]
    from bmn.explore import _explore

    return _explore.texts(_explore.predecessors(_explore.pack(*deal)))


def basin(
    deal: str | Deal, *, depth: int | None = None, limit: int = DEFAULT_LIMIT
) -> pd.DataFrame:
    """Return the cycle a deal runs into, and every state that runs into the same cycle.

    Parameters
    ----------
    deal
        A deal whose game never ends.
    depth
        The greatest distance from the cycle, in tricks; by default any.
    limit
        The most states there may be.

    Returns
    -------
    pandas.DataFrame
        A row for each state: ``level`` (uint32), its distance from the cycle in tricks, 0 for
        the states of the cycle, which come first and in their order; ``state``
        (``LEADER/OTHER``); ``balanced`` (bool), whether it is a deal: both hands equally large,
        or the leader's larger by one. States are told apart by the hands and not by the seats.

    Raises
    ------
    InputError
        If the game ends or is undecided, the deal is too large, or there are more than `limit`
        states.

    Examples
    --------
    >>> table = basin("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
    >>> len(table), int(table["balanced"].sum())
    (2670, 30)
    """
    from bmn.explore import _explore

    deal = Deal.parse(deal) if isinstance(deal, str) else Deal(*deal)
    packed = _explore.pack(*deal)
    found = decide(deal, rules.STANDARD, DEFAULT_BUDGET)
    if not isinstance(found, Cycle):
        how = "is undecided" if found is None else f"ends after {found.tricks} tricks"
        raise InputError(
            f"the game of {deal} {how}, so it has no basin; see what comes to it with predecessors"
        )
    _, entrances = _explore.classify(packed[None], DEFAULT_BUDGET)
    period = found.period_tricks_seat_normalised
    return _frame(*_explore.basin(entrances[0], period, _checked_depth(depth), limit))


def ancestors(
    deal: str | Deal, depth: int | None = None, *, limit: int = DEFAULT_LIMIT
) -> pd.DataFrame:
    """Return every state that comes to this one.

    Parameters
    ----------
    deal
        Any deal; if its game never ends, a state that comes to it on many ways round a cycle
        is listed once, at its smallest distance.
    depth
        The greatest distance in tricks; by default any.
    limit
        The most states there may be.

    Returns
    -------
    pandas.DataFrame
        As for `basin`, with ``level`` the distance from the deal itself, which is the first row.

    Raises
    ------
    InputError
        If the deal is too large, or there are more than `limit` states.
    """
    from bmn.explore import _explore

    deal = Deal.parse(deal) if isinstance(deal, str) else Deal(*deal)
    return _frame(*_explore.ancestors(_explore.pack(*deal), _checked_depth(depth), limit))


def balanced(sizes: np.ndarray) -> np.ndarray:
    """Whether states with these numbers of cards, shape (n, 2), can be dealt: bool, shape (n,)."""
    return np.isin(sizes[:, 0] - sizes[:, 1], (0, 1))


def cycle_key(deal: str | Deal) -> str:
    """Return the smallest state of the cycle a deal runs into: the same for all its deals.

    Raises
    ------
    InputError
        As for `basin`.
    """
    table = basin(deal, depth=0)
    return min(table["state"])


def _frame(states: np.ndarray, levels: np.ndarray) -> pd.DataFrame:
    import pandas as pd

    from bmn.explore import _explore

    return pd.DataFrame(
        {
            "level": levels,
            "state": _explore.texts(states),
            "balanced": balanced(_explore.sizes(states)),
        }
    )


def _checked_depth(depth: int | None) -> int:
    if depth is None:
        return ANY_DEPTH
    if not 0 <= depth < ANY_DEPTH:
        raise InputError(f"the depth {depth} is out of range; choose 0 to {ANY_DEPTH - 1} tricks")
    return depth


def _fits(deal: Deal) -> bool:
    from bmn.explore import _explore

    return (
        deal.deck.size <= _explore.MAX_CARDS
        and deal.deck.size - deal.deck.plain <= _explore.MAX_PENALTIES
    )
