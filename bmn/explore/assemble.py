"""Cycles put together from pieces, and all balanced deals that run into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from bmn.explore.pieces import Tape, Trials

LONGEST_LAP = 4096
"""Tricks of the longest lap that is looked for beside known cycles."""

AT_A_TIME = 4096
"""Cycles played backwards between two reports of progress."""


class Assembled(NamedTuple):
    """What an assembly gave.

    Attributes
    ----------
    cycles
        Distinct cycles, ``_pieces.LOOP``, in the order of their keys; ``origin`` is the number
        of the composition, in the order of `bmn.explore.pieces.compositions`.
    compositions
        How many choices of pieces were put together.
    tried, failed
        Assemblies played, and those of them that did not come back.
    """

    cycles: np.ndarray
    compositions: int
    tried: int
    failed: int


def assemble(
    tape: Tape, pool: np.ndarray, compositions: Iterable[tuple[int, ...]], limit: int
) -> Assembled:
    """Put pieces together in all orders and phases, and play every assembly until it returns.

    Parameters
    ----------
    tape
        Head, spare cards and deck.
    pool
        The pieces.
    compositions
        Choices of pieces, as indices into the pool.
    limit
        The most assemblies of one choice.
    """
    from bmn.explore import _pieces

    assembly, rules = _pieces.Assembly(), tape.rules()
    phases: dict[int, list[bytes]] = {}
    number = -1
    for number, taken in enumerate(compositions):
        # The piece with the most phases first: its phase can be held fast.
        order = sorted(taken, key=lambda index: (-int(pool[index]["passes"]), index))
        for index in order:
            if index not in phases:
                phases[index] = _pieces.phases(pool[index], rules)
        distinct = {index: place for place, index in enumerate(dict.fromkeys(order))}
        equal = [distinct[index] for index in order]
        assembly.add([phases[index] for index in order], equal, rules, number, limit)
    return Assembled(in_order(assembly.cycles()), number + 1, assembly.tried, assembly.failed)


def in_order(cycles: np.ndarray) -> np.ndarray:
    """Sort cycles by their keys, each once."""
    order = np.lexsort(cycles["key"].T[::-1])
    cycles = cycles[order]
    new = np.ones(len(cycles), bool)
    new[1:] = np.any(cycles["key"][1:] != cycles["key"][:-1], axis=1)
    return cycles[new]


def neighbours(cycles: np.ndarray, trials: Trials, changes: int) -> np.ndarray:
    """Look for cycles that differ from known ones by a few cards that have changed places.

    Parameters
    ----------
    cycles
        Known cycles.
    trials
        What is tried; only cycles whose smaller hand has ``reach`` cards at some time are kept.
    changes
        The most cards that are moved or exchanged at a time.

    Returns
    -------
    ndarray of _pieces.LOOP
        The known and the new cycles.
    """
    from bmn.explore import _pieces

    assembly = _pieces.Assembly()
    assembly.extend(cycles)
    assembly.neighbours(trials.seed, 0, trials.trials, changes, trials.reach, LONGEST_LAP)
    return in_order(assembly.cycles())


def endless_deals(
    cycles: np.ndarray, done: Callable[[int], None] = lambda cycles: None
) -> np.ndarray:
    """Return all balanced deals that run into cycles, in the order of the cycles and the deals.

    Parameters
    ----------
    cycles
        The cycles, ``_pieces.LOOP``.
    done
        Called with how many more cycles were played backwards.

    Returns
    -------
    ndarray of _pieces.ENDLESS
        ``deal``, ``loop`` (the index of the cycle), ``preperiod`` in tricks.
    """
    from bmn.explore import _pieces

    parts = [_pieces.endless_deals(cycles[:0])]
    for first in range(0, len(cycles), AT_A_TIME):
        taken = cycles[first : first + AT_A_TIME]
        parts.append(_pieces.endless_deals(taken))
        parts[-1]["loop"] += first
        done(len(taken))
    deals = np.concatenate(parts)
    return deals[np.lexsort((*deals["deal"].T[::-1], deals["loop"]))]
