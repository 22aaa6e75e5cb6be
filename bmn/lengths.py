"""The length table: the one value that flows from a chunk of seeds to the headline.

One row per (finished, tricks). Every column is a sum, or belongs to the smallest seed of the row,
so merging is a group-by: associative, commutative, and the same for any decomposition of the
same seeds. The plays table is its twin, with one row per (finished, card plays).

Both are held as `bmn.store.Columns`, sorted by their keys. Capped deals are the one row with
``finished`` false and ``tricks`` equal to the cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bmn import shuffle
from bmn.store import Columns

LENGTH_COLUMNS = (
    "finished",
    "tricks",
    "deals",
    "card_plays",
    "captures",
    "leader_wins",
    "violations",
    "fingerprint",
    "first_seed",
    "first_seed_card_plays",
)
"""Columns of the length table: a boolean, then unsigned 64-bit integers."""

PLAY_COLUMNS = ("finished", "card_plays", "deals", "first_seed")
"""Columns of the plays table: a boolean, then unsigned 64-bit integers."""


BATCH = 1 << 14
"""Rows that wait before they are merged: merging many tables takes no more memory than a few."""


class Merged:
    """A table that grows by tables of further deals, in memory that does not grow with them."""

    def __init__(self, columns: Sequence[str], key: str, follows_seed: str | None) -> None:
        self._columns, self._key, self._follows_seed = columns, key, follows_seed
        self._waiting: list[Columns] = []
        self._rows = 0

    def add(self, table: Columns) -> None:
        """Add the table of deals that are not in it yet."""
        self._waiting.append({name: table[name] for name in self._columns})
        self._rows += len(table[self._key])
        if self._rows > BATCH:
            self._rows = 0
            self._waiting = [_group(self._waiting, self._columns, self._key, self._follows_seed)]

    def table(self) -> Columns:
        """Return the sum of everything added; there must be something."""
        return _group(self._waiting, self._columns, self._key, self._follows_seed)


def merged_lengths() -> Merged:
    """Return the sum of no length tables yet."""
    return Merged(LENGTH_COLUMNS, "tricks", "first_seed_card_plays")


def merged_plays() -> Merged:
    """Return the sum of no plays tables yet."""
    return Merged(PLAY_COLUMNS, "card_plays", None)


def merge_lengths(tables: Iterable[Columns]) -> Columns:
    """Add up length tables of disjoint sets of deals, one after the other."""
    return _sum(merged_lengths(), tables)


def merge_plays(tables: Iterable[Columns]) -> Columns:
    """Add up plays tables of disjoint sets of deals, one after the other."""
    return _sum(merged_plays(), tables)


def fingerprint(lengths: Columns) -> int:
    """Return the order-independent fingerprint of all deals in a length table, mod 2**64."""
    return total(lengths, "fingerprint")


def shares(
    seeds: np.ndarray, tricks: np.ndarray, card_plays: np.ndarray, winner: np.ndarray
) -> np.ndarray:
    """Return every game's share of the fingerprint: `bmn.shuffle.fingerprint` for arrays."""
    result = tricks << np.uint64(32) | card_plays << np.uint64(1) | winner
    z = seeds * np.uint64(shuffle.GOLDEN) + result
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)


def total(table: Columns, column: str) -> int:
    """Return the sum of a column mod 2**64, as a Python integer."""
    return int(np.sum(table[column], dtype=np.uint64))


def finished(table: Columns) -> Columns:
    """Return the rows of finished deals."""
    return {name: values[table["finished"]] for name, values in table.items()}


def capped(table: Columns) -> int:
    """Return the number of capped deals."""
    return total({"deals": table["deals"][~table["finished"]]}, "deals")


def quantile(table: Columns, key: str, share: float) -> int:
    """Return the smallest value of `key` that at least this share of all deals do not exceed.

    Capped deals count as longer than any finished one.
    """
    order = np.lexsort((table[key], ~table["finished"]))
    below = np.cumsum(table["deals"][order])
    return int(table[key][order][np.searchsorted(below, share * float(below[-1]))])


def same(one: Columns, other: Columns) -> bool:
    """Return whether two tables are equal in every value."""
    return one.keys() == other.keys() and all(
        np.array_equal(values, other[name]) for name, values in one.items()
    )


def _sum(merged: Merged, tables: Iterable[Columns]) -> Columns:
    for table in tables:
        merged.add(table)
    return merged.table()


def _group(
    tables: Sequence[Columns], columns: Sequence[str], key: str, follows_seed: str | None
) -> Columns:
    """Group by (finished, key): sums, the smallest ``first_seed``, and what goes with it."""
    stacked = {name: np.concatenate([table[name] for table in tables]) for name in columns}
    # Sorting by the seed last puts the smallest seed of each group first.
    order = np.lexsort((stacked["first_seed"], stacked[key], stacked["finished"]))
    stacked = {name: values[order] for name, values in stacked.items()}
    new = np.ones(len(order), bool)
    new[1:] = (stacked[key][1:] != stacked[key][:-1]) | (
        stacked["finished"][1:] != stacked["finished"][:-1]
    )
    starts = np.flatnonzero(new)
    kept = {"finished", key, "first_seed", follows_seed}
    return {
        name: values[starts] if name in kept else np.add.reduceat(values, starts)
        for name, values in stacked.items()
    }
