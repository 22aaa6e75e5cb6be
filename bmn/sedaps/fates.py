"""What becomes of a state: its end or its loop, found by the compiled half."""

from __future__ import annotations

from itertools import pairwise
from math import gcd
from typing import NamedTuple

from bmn.errors import InputError
from bmn.sedaps import rule
from bmn.sedaps.periods import two_queue_period
from bmn.sedaps.reference import Fate
from bmn.sedaps.rule import State

LIMIT = 10_000_000
"""Turns after which the search for an end or a repetition is given up."""


class Loop(NamedTuple):
    """A loop, described from its first state.

    Attributes
    ----------
    live
        Live queues, two or three.
    period
        Turns until the first state comes back.
    alternates
        Whether there are two live queues and they win in turn.
    rigid
        Whether there are three, and each turn has one packet head in front, which wins.
    alpha
        If it alternates, the size of the first live queue when it is about to win; else 0.
    formula
        If alpha is even and positive, the period by the two-queue formula; else 0.
    """

    live: int
    period: int
    alternates: bool
    rigid: bool
    alpha: int
    formula: int


def fate(state: State, stop: int = 2, limit: int = LIMIT) -> Fate:
    """Play until play ends or a state comes back.

    Parameters
    ----------
    state
        Two or three queues.
    stop
        A state with fewer live queues than this is an end; 2, or 3 for the first elimination.
    limit
        The most turns to play.

    Raises
    ------
    InputError
        If there is neither an end nor a repetition within `limit` turns.
    """
    from bmn.sedaps import _war

    found = _war.fate(rule.ranks(state), limit, stop)
    if found is None:
        raise InputError(
            f"play neither ends nor repeats a state within {limit} turns; raise --limit"
        )
    return Fate(*found)


def advance(state: State, turns: int) -> tuple[State, bytes]:
    """Play some turns, or fewer if play ends; return the state and the seats that won."""
    from bmn.sedaps import _war

    queues, winners = _war.advance(rule.ranks(state), turns)
    return rule.from_ranks(queues), winners


def describe_loop(state: State, period: int) -> Loop:
    """Describe the loop a state is on, by playing it once around."""
    live = rule.live_seats(state)
    sizes = list(rule.sizes(state))
    _, winners = advance(state, period)
    alternates = len(live) == 2 and all(a != b for a, b in pairwise(winners))
    alternates = alternates and winners[0] != winners[-1]
    rigid = len(live) == 3
    alpha = 0
    for won in winners:
        if won == live[0] and not alpha:
            alpha = sizes[won]
        heads = [seat for seat in live if sizes[seat] % 3 == 0]
        rigid = rigid and heads == [won]
        for seat in live:
            sizes[seat] -= 1
        sizes[won] += len(live)
    alpha = alpha if alternates else 0
    cards = sum(rule.sizes(state))
    formula = two_queue_period(cards, alpha) if alpha and cards % 2 and not alpha % 2 else 0
    return Loop(len(live), period, alternates, rigid, alpha, formula)


def common_divisor(periods: list[int]) -> int:
    """Return the greatest common divisor of the periods, 0 if there are none."""
    return gcd(*periods)
