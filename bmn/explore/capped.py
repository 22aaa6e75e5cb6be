"""The capped seeds of a search: found again, and said to end late, to cycle, or to be undecided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from bmn import lengths as lt
from bmn import store
from bmn.cards import hands_text
from bmn.chunks import Search, play_tables
from bmn.explore.cycles import decide
from bmn.game import Game
from bmn.rules import Rules
from bmn.store import Columns
from bmn.tree import Node, Tree

COLUMNS = (
    "seed",
    "deal",
    "verdict",
    "tricks",
    "card_plays",
    "preperiod_tricks",
    "period_tricks",
    "period_cards",
    "period_tricks_seat_normalised",
)
"""Columns of `classify`."""


def write_capped(tree: Tree, budget: int, path: str | Path) -> None:
    """Classify all capped seeds of a search and write the table.

    Parameters
    ----------
    tree
        The chunks of the search. Those with capped deals are played again, since a table keeps
        only the smallest seed of a row.
    budget
        Tricks after which a game is left undecided.
    path
        Where the table of `classify` goes.
    """
    search = tree.search
    seeds = _capped_seeds(tree, tree.top)
    store.write(path, classify(search, seeds, budget), search.about | {"budget": budget})


def _capped_seeds(tree: Tree, nodes: list[Node]) -> Iterator[int]:
    """Yield the capped seeds below some nodes, looking only where there are any."""
    for node, rows in tree.each(nodes, "lengths"):
        if not lt.capped(rows):
            continue
        if node.level:
            yield from _capped_seeds(tree, tree.below(node))
        else:
            tables, _ = play_tables(tree.part(node))
            yield from tables.capped.tolist()


def classify(search: Search, seeds: Iterable[int], budget: int) -> Columns:
    """Say of each capped seed of a search whether its game ends after all, or cycles.

    Parameters
    ----------
    search
        Deck and rules.
    seeds
        The capped seeds.
    budget
        Tricks after which a game is left undecided.

    Returns
    -------
    dict of ndarray
        A row for each seed: ``seed`` (uint64), ``deal`` (text), ``verdict`` (text, one of
        `VERDICTS`), ``tricks`` and ``card_plays`` (uint64; of a game that ends its length, of a
        cycle those at the first repeat; the budget and 0 if undecided), ``preperiod_tricks``,
        ``period_tricks``, ``period_cards`` and ``period_tricks_seat_normalised`` (uint64; 0
        where there is no cycle).
    """
    rows = [_row(search.rules, int(seed), budget) for seed in seeds]
    columns = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
    return {
        name: np.array(values, object if name in ("deal", "verdict") else np.uint64)
        for name, values in zip(COLUMNS, columns, strict=True)
    }


def _row(rules: Rules, seed: int, budget: int) -> tuple:
    hands = rules.deal(seed)
    about = (seed, hands_text(hands))
    found = decide(hands, rules, budget)
    if isinstance(found, Game):
        return (*about, "ends", found.tricks, found.card_plays, 0, 0, 0, 0)
    if found is None:
        return (*about, "undecided", budget, 0, 0, 0, 0, 0)
    return (
        *about,
        "cycle",
        found.tricks_at_first_repeat,
        found.cards_at_first_repeat,
        found.preperiod_tricks,
        found.period_tricks,
        found.period_cards,
        found.period_tricks_seat_normalised,
    )
