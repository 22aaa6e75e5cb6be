"""Every deal of a deck, each once: ranks, chunks of ranks, and their tables.

The deals of a deck are numbered from 0 in lexicographic order of their cards, the hands laid end
to end: plain before J, Q, K and A. A rank takes the place of the seed in the length table, so
the tables of a census are merged and checked as those of a search are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bmn import lengths as lt
from bmn import store
from bmn.cards import Deal, Deck
from bmn.errors import InputError
from bmn.store import Columns

CYCLE_COLUMNS = ("preperiod_tricks", "period_tricks", "period_cards", "deals", "first_rank")
"""Columns of the cycle table: unsigned 64-bit integers, one row for each of the first three."""

BUDGET = 10**9
"""Tricks after which a deal would be left undecided. No deal of any census has come near."""

PREPARED = 1 << 15
"""Orders of tails that the kernel prepares."""

MAX_TAIL = 16
"""The longest tail the kernel prepares."""

BLOCK = 1 << 20
"""Deals a thread plays at a time."""


class Tables(NamedTuple):
    """What a census counts.

    Attributes
    ----------
    lengths
        The length table. ``first_seed`` is the smallest rank. Deals that never end are the rows
        with ``finished`` false, under the tricks and card plays at the first repeat.
    plays
        The plays table, in the same way.
    cycles
        `CYCLE_COLUMNS`: how many deals that never end share preperiod and period.
    """

    lengths: Columns
    plays: Columns
    cycles: Columns


@dataclass(frozen=True)
class Census:
    """A range of the deals of a deck.

    Attributes
    ----------
    deck
        At most 63 cards, 31 of them penalty cards, and 2**64 deals.
    first_rank, deals
        The ranks ``first_rank`` to ``first_rank + deals - 1``.
    """

    deck: Deck
    first_rank: int
    deals: int

    @classmethod
    def of(cls, deck: Deck) -> Census:
        """Return the census of all deals of a deck."""
        return cls(deck, 0, deck.deals)

    def __post_init__(self) -> None:
        penalties = self.deck.size - self.deck.plain
        if self.deck.size > 63 or penalties > 31 or self.deck.deals > 1 << 64:
            raise InputError(
                f"the deck has {self.deck.size} cards, {penalties} penalty cards and "
                f"{self.deck.deals:,} deals; a census takes at most 63, 31 and 2^64"
            )
        if self.first_rank < 0 or not 1 <= self.deals <= self.deck.deals - self.first_rank:
            raise InputError(
                f"the ranks {self.first_rank} to {self.first_rank + self.deals - 1} are not all "
                f"deals of this deck; its ranks are 0 to {self.deck.deals - 1}"
            )

    def part(self, first_rank: int, deals: int) -> Census:
        """Return the same census from another rank on, of at most so many deals."""
        return Census(self.deck, first_rank, min(deals, self.deck.deals - first_rank))

    def split(self, size: int) -> list[Census]:
        """Cut the range into chunks of `size` deals; the last one may be smaller."""
        if size < 1:
            raise InputError(f"chunks of {size} deals are empty; choose at least 1")
        stop = self.first_rank + self.deals
        return [
            Census(self.deck, first, min(size, stop - first))
            for first in range(self.first_rank, stop, size)
        ]

    @property
    def about(self) -> dict:
        """What a file of this census says of itself."""
        return {"deck": list(self.deck), "first_rank": self.first_rank, "deals": self.deals}


def unrank(deck: Deck, rank: int) -> Deal:
    """Return the deal of a rank: the first hand gets the odd card of an odd deck.

    Raises
    ------
    InputError
        If there is no such deal.
    """
    if not 0 <= rank < deck.deals:
        raise InputError(f"there is no deal {rank}; the {deck} has deals 0 to {deck.deals - 1}")
    left, cards = list(deck), bytearray()
    orders = deck.deals
    while any(left):
        total = sum(left)
        for value, count in enumerate(left):
            begin_so = orders * count // total
            if rank < begin_so:
                cards.append(value)
                left[value] -= 1
                orders = begin_so
                break
            rank -= begin_so
    first = _first_hand(deck)
    return Deal(bytes(cards[:first]), bytes(cards[first:]))


def rank_of(deal: Deal) -> int:
    """Return the rank of a deal among those of its deck.

    Raises
    ------
    InputError
        If its hands are not those of a dealt deck: equally large, or the first larger by one.
    """
    deck = deal.deck
    if len(deal.first) != _first_hand(deck):
        raise InputError(f"the deal {deal} has uneven hands, so it has no rank")
    left, rank, orders = list(deck), 0, deck.deals
    for card in deal.first + deal.second:
        total = sum(left)
        rank += sum(orders * count // total for count in left[:card])
        orders = orders * left[card] // total
        left[card] -= 1
    return rank


def every_deal(deck: Deck) -> np.ndarray:
    """Return all deals of a small deck as rows of card values, in the order of their ranks.

    Returns
    -------
    ndarray of uint8, shape (deals, cards)
    """

    @cache
    def orders(left: tuple[int, ...]) -> np.ndarray:
        if not any(left):
            return np.zeros((1, 0), np.uint8)
        parts = []
        for value, count in enumerate(left):
            if count:
                rest = orders((*left[:value], count - 1, *left[value + 1 :]))
                parts.append(np.insert(rest, 0, value, axis=1))
        return np.concatenate(parts)

    return orders(tuple(deck))


def play(census: Census) -> Tables:
    """Play a range of deals. Deals of many tricks are classified by cycle detection."""
    from bmn.explore import _explore

    deck = census.deck
    lengths, plays, ranks, states = _explore.census(
        *unrank(deck, census.first_rank), census.first_rank, census.deals, _tail(deck)
    )
    finished = np.ones(len(lengths), bool)
    decided = dict(zip(lt.LENGTH_COLUMNS, (finished, *lengths.T), strict=True))
    counted = dict(zip(lt.PLAY_COLUMNS, (np.ones(len(plays), bool), *plays.T), strict=True))
    columns, _ = _explore.classify(states, BUDGET)
    if np.any(columns["verdict"] == _explore.VERDICTS.index("undecided")):
        raise InputError(f"a deal of the {deck} is undecided after {BUDGET} tricks; give it up")
    rows = _rows(columns, ranks)
    return Tables(
        lt.merge_lengths([decided, rows]),
        lt.merge_plays([counted, {name: rows[name] for name in lt.PLAY_COLUMNS}]),
        merge_cycles([_cycle_rows(columns, ranks)]),
    )


def _rows(columns: Columns, ranks: np.ndarray) -> Columns:
    """Make a length table with a row for each classified deal."""
    ends = columns["verdict"] == 0
    one, tricks, cards = np.ones(len(ranks), np.uint64), columns["tricks"], columns["card_plays"]
    return {
        "finished": ends,
        "tricks": tricks,
        "deals": one,
        "card_plays": cards,
        "captures": (columns["ending"] == 1).astype(np.uint64),
        "leader_wins": (ends & (columns["winner"] == 0)).astype(np.uint64),
        "violations": np.zeros(len(ranks), np.uint64),
        "fingerprint": lt.shares(ranks, tricks, cards, columns["winner"]),
        "first_seed": ranks,
        "first_seed_card_plays": cards,
    }


def _cycle_rows(columns: Columns, ranks: np.ndarray) -> Columns:
    """Make a cycle table with a row for each deal that never ends."""
    endless = columns["verdict"] == 1
    table = {name: columns[name][endless] for name in CYCLE_COLUMNS[:3]}
    return table | {
        "deals": np.ones(np.count_nonzero(endless), np.uint64),
        "first_rank": ranks[endless],
    }


def merge_cycles(tables: Iterable[Columns]) -> Columns:
    """Add up cycle tables of disjoint sets of deals."""
    tables = list(tables)
    stacked = {name: np.concatenate([t[name] for t in tables]) for name in CYCLE_COLUMNS}
    order = np.lexsort([stacked[name] for name in reversed((*CYCLE_COLUMNS[:3], "first_rank"))])
    stacked = {name: values[order] for name, values in stacked.items()}
    new = np.ones(len(order), bool)
    new[1:] = np.any([np.diff(stacked[name]) != 0 for name in CYCLE_COLUMNS[:3]], axis=0)
    starts = np.flatnonzero(new)
    merged = {name: values[starts] for name, values in stacked.items()}
    if len(starts):
        merged["deals"] = np.add.reduceat(stacked["deals"], starts)
    return merged


def merge(parts: Iterable[Tables]) -> Tables:
    """Add up the tables of disjoint ranges of the same deck."""
    lengths, plays, cycles = zip(*parts, strict=True)
    return Tables(lt.merge_lengths(lengths), lt.merge_plays(plays), merge_cycles(cycles))


def play_parallel(
    census: Census, workers: int | None = None, done: Callable[[int], None] = lambda deals: None
) -> Tables:
    """Play a census in blocks on several threads (by default one a core) and merge them.

    `done` is called with the number of deals of every block that is done.
    """

    def play_block(block: Census) -> Tables:
        tables = play(block)
        done(block.deals)
        return tables

    blocks = iter(census.split(BLOCK))
    merged: list[Tables] = []
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        # In batches, so that the tables of a large census are not all held at once.
        while batch := list(islice(blocks, 256)):
            merged = [merge([*merged, *pool.map(play_block, batch)])]
    return merged[0]


def play_chunk(census: Census, paths: Iterable[str | Path]) -> None:
    """Play a chunk and write its three tables."""
    for path, table in zip(paths, play(census), strict=True):
        store.write(path, table, census.about)


def read_chunk(census: Census, paths: Iterable[str | Path]) -> Tables:
    """Read the three tables of a range and make sure that they are those.

    Raises
    ------
    InputError
        If a file is missing or damaged, or holds other deals.
    """
    tables = []
    for path in paths:
        table, about = store.read(path)
        if about != census.about:
            raise InputError(
                f"{path} holds {about} where {census.about} belongs; "
                "delete it and run the workflow again"
            )
        tables.append(table)
    read = Tables(*tables)
    endless = lt.total({"deals": read.lengths["deals"][~read.lengths["finished"]]}, "deals")
    counts = (lt.total(read.lengths, "deals"), lt.total(read.plays, "deals"))
    if counts != (census.deals, census.deals) or lt.total(read.cycles, "deals") != endless:
        raise InputError(
            f"the tables beside {path} do not count {census.deals} deals; "
            "delete them and run the workflow again"
        )
    return read


def merge_chunks(
    census: Census,
    size: int,
    chunk_paths: Iterable[Iterable[str | Path]],
    paths: Iterable[str | Path],
) -> None:
    """Merge the chunks of a census, each three tables, into three files.

    Parameters
    ----------
    census, size
        The census, and the deals a chunk.
    chunk_paths
        The lengths, the plays and the cycles of all chunks, each in the order of their ranks.
    paths
        Where the three merged tables go.
    """
    chunks = census.split(size)
    parts = (
        read_chunk(chunk, files)
        for chunk, files in zip(chunks, zip(*chunk_paths, strict=True), strict=True)
    )
    for path, table in zip(paths, merge(parts), strict=True):
        store.write(path, table, census.about)


def _first_hand(deck: Deck) -> int:
    return (deck.size + 1) // 2


def _tail(deck: Deck) -> int:
    """Return how long a tail may be for at most `PREPARED` orders of all tails together."""
    orders, tail = [1, *[0] * deck.size], 0
    for count in deck:
        orders = [
            sum(comb(n, k) * orders[n - k] for k in range(min(n, count) + 1))
            for n in range(deck.size + 1)
        ]
    for tail in range(min(deck.size // 2, MAX_TAIL), -1, -1):
        if orders[tail] <= PREPARED:
            break
    return tail
