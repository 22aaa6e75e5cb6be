"""Which decks have balanced deals that never end, as far as cycles of pieces tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bmn import store
from bmn.cards import Deck
from bmn.explore import assemble, catalogue, pieces
from bmn.explore.catalogue import Plan
from bmn.explore.columns import columns

PLAIN = range(18, 38, 2)
"""Plain cards of the decks that are looked at."""

PENALTIES = {
    f"{each}-{each}-{each}-{aces}": (each, each, each, aces)
    for each in (2, 3, 4)
    for aces in (each, 0)
}
"""Their penalty cards J, Q, K and A, by name."""

COLUMNS = {
    "plain": np.uint8,
    "J": np.uint8,
    "Q": np.uint8,
    "K": np.uint8,
    "A": np.uint8,
    "pieces": np.uint32,
    "compositions": np.uint32,
    "assemblies": np.uint64,
    "failed": np.uint64,
    "cycles": np.uint32,
    "cycles_with_deals": np.uint32,
    "balanced_deals": np.uint32,
    "shortest": object,
}
"""Columns of the table of decks; ``shortest`` is a deal with the shortest period, or empty."""

ASSEMBLIES = 2_000
"""The most assemblies of one choice of pieces."""


def write_decks(penalties: str, lag: int, trials: int, path: str | Path) -> None:
    """Look for cycles of pieces in every deck with the same penalty cards."""
    rows = [deck_row(Deck(plain, *PENALTIES[penalties]), lag, trials) for plain in PLAIN]
    store.write(path, columns(rows, COLUMNS), {"lag": lag, "trials": trials})


def deck_row(deck: Deck, lag: int, trials: int) -> tuple:
    """Return a deck's row: all tapes of the catalogue together."""
    plan = Plan(lag, trials, 0, limit=ASSEMBLIES, deck=deck)
    counts = np.zeros(4, np.int64)
    found = []
    for tape in plan.tapes.values():
        pool = catalogue.find_pieces(plan, tape)
        made = assemble.assemble(tape, pool, pieces.compositions(tape, pool), plan.limit)
        counts += (len(pool), made.compositions, made.tried, made.failed)
        found.append(made.cycles)
    cycles = assemble.in_order(np.concatenate(found))
    deals = assemble.endless_deals(cycles)
    shortest = ""
    if len(deals):
        first = deals[cycles["tricks"][deals["loop"]].argmin()]
        (shortest,) = catalogue.texts(first["deal"][None])
    with_deals = len(np.unique(deals["loop"]))
    return (*deck, *counts, len(cycles), with_deals, len(deals), shortest)


def merge_decks(paths: list[str], path: str | Path) -> None:
    """Join the tables of all penalty cards."""
    parts = [store.read(part)[0] for part in paths]
    store.write(path, {n: np.concatenate([p[n] for p in parts]) for n in COLUMNS})
