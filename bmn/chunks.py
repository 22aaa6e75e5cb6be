"""The plan of a search: seeds cut into chunks, and a chunk played into its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bmn import lengths as lt
from bmn import store
from bmn.cards import STANDARD, Deck
from bmn.errors import InputError, whole
from bmn.game import DEFAULT_CAP
from bmn.rules import STANDARD as STANDARD_RULES
from bmn.rules import Rules, rules_of
from bmn.store import Columns

SEEDS = 1 << 64
"""The number of seeds there are."""

ABOUT = ("first_seed", "seeds", "cap", "deck", "rules")
"""What a file may say of the search it belongs to."""

BLOCKS = (1 << 17, 1 << 22)
"""Seeds that one of several threads plays at a time, at least and at most: enough that merging the
blocks costs nothing beside them, and a fraction of a second, so that progress shows."""

SHARE = 32
"""Blocks for each thread, so that all of them end together."""


@dataclass(frozen=True)
class Search:
    """A range of seeds and how its deals are played.

    Attributes
    ----------
    first_seed, seeds
        The seeds ``first_seed`` to ``first_seed + seeds - 1``.
    cap
        Tricks after which an undecided game is given up.
    deck
        Shuffled and dealt by each seed.
    rules
        How it is dealt and played; their deck is this one.
    """

    first_seed: int
    seeds: int
    cap: int = DEFAULT_CAP
    deck: Deck = STANDARD
    rules: Rules = STANDARD_RULES

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", replace(self.rules, deck=self.deck))
        for name, what in (
            ("first_seed", "the first seed"),
            ("seeds", "the number of seeds"),
            ("cap", "the cap"),
        ):
            object.__setattr__(self, name, whole(getattr(self, name), what))
        if self.seeds < 1:
            raise InputError(f"a search of {self.seeds} seeds is empty; ask for at least one")
        if not 0 <= self.first_seed < SEEDS or self.first_seed + self.seeds > SEEDS:
            raise InputError(
                f"the seeds {self.first_seed} to {self.first_seed + self.seeds - 1} do not fit in "
                f"64 bits; seeds are 0 to {SEEDS - 1}"
            )

    @classmethod
    def described(cls, about: Mapping[str, Any]) -> Search:
        """Return the search whose file says this of itself."""
        deck, rules = Deck(*about["deck"]), rules_of(about.get("rules", {}))
        return cls(about["first_seed"], about["seeds"], about["cap"], deck, rules)

    def check_divides(self, *sizes: int) -> None:
        """Raise `InputError` if one of the chunk sizes does not divide the number of seeds."""
        for size in sizes:
            if size < 1 or self.seeds % size:
                step = math.lcm(*(max(size, 1) for size in sizes))
                fitting = max((2 * self.seeds + step) // (2 * step), 1) * step
                raise InputError(
                    f"chunks of {size} seeds do not divide a search of {self.seeds} seeds; choose "
                    f"a divisor, with chunk_sizes, or another number of seeds, as {fitting}"
                )

    def split(self, size: int) -> list[Search]:
        """Cut the search into chunks of `size` seeds, in the order of their seeds.

        Raises
        ------
        InputError
            If `size` does not divide the number of seeds.
        """
        self.check_divides(size)
        return [
            self.part(first, size)
            for first in range(self.first_seed, self.first_seed + self.seeds, size)
        ]

    def part(self, first_seed: int, seeds: int) -> Search:
        """Return the same search over other seeds."""
        return replace(self, first_seed=first_seed, seeds=seeds)

    @property
    def how(self) -> dict[str, Any]:
        """How every seed is dealt and played."""
        how = {"cap": self.cap, "deck": list(self.deck)}
        return how if self.rules.standard_play else how | {"rules": self.rules.differences}

    @property
    def about(self) -> dict[str, Any]:
        """What a file of this search says of itself."""
        return {"first_seed": self.first_seed, "seeds": self.seeds} | self.how


def play_chunk(
    search: Search,
    lengths_path: str | Path,
    plays_path: str | Path,
    timing_path: str | Path,
    threads: int = 1,
) -> None:
    """Play all deals of a chunk and write its length table, its plays table and its timing.

    The tables carry the chunk's first seed and number of seeds as columns, so that a folder of
    chunks reads as one table. They are the same for any number of threads.
    """
    start = time.time()
    # One thread has nothing to share out, so it plays the chunk in one go.
    played = _play(search, threads, block=search.seeds if threads == 1 else None)
    stop = time.time()
    for path, table in ((lengths_path, played.lengths), (plays_path, played.plays)):
        rows = len(table["finished"])
        chunk = {
            "chunk_first_seed": np.full(rows, search.first_seed, np.uint64),
            "chunk_seeds": np.full(rows, search.seeds, np.uint64),
        }
        store.write(path, chunk | table, search.about)
    timing = {
        "start": start,
        "stop": stop,
        "threads": threads,
        "cpu_seconds": played.cpu_seconds,
        "seeds": search.seeds,
        "card_plays": lt.total(played.lengths, "card_plays"),
        "kernel": played.kernel,
    }
    store.write_json(timing_path, timing)


def play_tables(search: Search, kernel: str | None = None) -> tuple[Any, str]:
    """Play all deals of a search on one core.

    Parameters
    ----------
    search
        The seeds and how they are played.
    kernel
        A kernel of the engine; by default the fastest. Other rules than the standard ones have
        a kernel of their own.

    Returns
    -------
    tables
        With attributes ``lengths``, ``plays`` and ``capped`` (the capped seeds).
    kernel : str
        The kernel that played.
    """
    if search.rules.standard_play:
        from bmn import _engine

        name = _engine.resolve_kernel(kernel)
        return _engine.search(search.first_seed, search.seeds, search.cap, name, search.deck), name
    # Named and not imported: no result under the standard rules depends on this module.
    return import_module("bmn.explore.general").search(search), "general"


def play_parallel(
    search: Search,
    *,
    workers: int,
    kernel: str | None = None,
    done: Callable[[int], None] = lambda seeds: None,
) -> tuple[Columns, Columns]:
    """Play a search in blocks on several threads and merge what they give.

    Parameters
    ----------
    search
        The seeds and how they are played.
    workers
        Threads; the engine holds no lock.
    kernel
        A kernel of the engine; by default the fastest.
    done
        Called with the number of seeds of every block that is done.

    Returns
    -------
    lengths, plays : dict of ndarray
        The merged tables.
    """
    played = _play(search, workers, kernel, done)
    return played.lengths, played.plays


class _Played(NamedTuple):
    lengths: Columns
    plays: Columns
    kernel: str
    cpu_seconds: float


def _play(
    search: Search,
    workers: int,
    kernel: str | None = None,
    done: Callable[[int], None] = lambda seeds: None,
    block: int | None = None,
) -> _Played:
    """Play a search in blocks; every thread adds up its own, and at the end they are merged."""
    least, most = BLOCKS
    block = block or min(max(search.seeds // (SHARE * workers), least), most)
    end = search.first_seed + search.seeds
    # A thread takes the next one when it is free: `next` is one step of the interpreter.
    firsts = iter(range(search.first_seed, end, block))
    stopped = False

    def work() -> tuple[lt.Merged, lt.Merged, str, float]:
        lengths, plays, played_by = lt.merged_lengths(), lt.merged_plays(), ""
        start = time.thread_time()
        for first in firsts:
            if stopped:
                break
            seeds = min(block, end - first)
            tables, played_by = play_tables(search.part(first, seeds), kernel)
            lengths.add(tables.lengths)
            plays.add(tables.plays)
            done(seeds)
        return lengths, plays, played_by, time.thread_time() - start

    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work) for _ in range(workers)]
        try:
            shares = [future.result() for future in as_completed(futures)]
        except BaseException:
            stopped = True
            raise
    # A thread that came too late for a block has played nothing.
    shares = [share for share in shares if share[2]]
    return _Played(
        lt.merge_lengths(lengths.table() for lengths, _, _, _ in shares),
        lt.merge_plays(plays.table() for _, plays, _, _ in shares),
        shares[0][2],
        sum(seconds for _, _, _, seconds in shares),
    )


def read_table(search: Search, path: str | Path) -> tuple[Columns, dict[str, Any]]:
    """Read a table and make sure that it is of that search, if of any.

    Raises
    ------
    InputError
        If the file is missing or damaged, or holds other seeds, another cap or another deck.
    """
    table, about = store.read(path)
    told = {key: about[key] for key in ABOUT if key in about}
    # What was found elsewhere for the same deck says less, such as a catalogue of cycles.
    belongs = search.about if "seeds" in told else {key: search.about.get(key) for key in told}
    if told != belongs:
        raise _misplaced(search, path, about)
    return table, about


def read_chunk(
    search: Search, path: str | Path, columns: Sequence[str] = lt.LENGTH_COLUMNS
) -> Columns:
    """Read a chunk's table and make sure that it is that chunk's.

    Parameters
    ----------
    search
        The seeds of the chunk.
    path
        Its file.
    columns
        What it must have.

    Raises
    ------
    InputError
        If the file is missing or damaged, or holds other seeds, another cap, another deck or
        another table.
    """
    table, about = store.read(path)
    if about != search.about:
        raise _misplaced(search, path, about)
    if missing := [name for name in columns if name not in table]:
        raise InputError(
            f"{path} has no column {missing[0]}, so another table is in its place; delete it and "
            "run the workflow again"
        )
    if lt.total(table, "deals") != search.seeds:
        raise InputError(
            f"{path} counts {lt.total(table, 'deals')} deals for {search.seeds} seeds; "
            "delete it and run the workflow again"
        )
    return table


def _misplaced(search: Search, path: str | Path, about: dict) -> InputError:
    return InputError(
        f"{path} holds {_describe(about)} where {_describe(search.about)} belongs; "
        "delete it and run the workflow again"
    )


def _describe(about: dict) -> str:
    return (
        f"{about.get('seeds')} seeds from {about.get('first_seed')} "
        f"(cap {about.get('cap')}, deck {about.get('deck')})"
    )
