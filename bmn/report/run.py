"""A finished run as the page sees it: the results folder, read once and verified."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bmn import lengths as lt
from bmn.chunks import Search, read_table
from bmn.errors import InputError
from bmn.explore import law
from bmn.provenance import file_sha256
from bmn.store import Columns
from bmn.summary import read as read_summary
from bmn.tree import Tree

OPTIONAL = {
    "capped.parquet": "the deals given up at the cap, and what became of them",
    "published/records.parquet": "every known deal, played by both implementations",
    "published/claims.parquet": "published claims, measured again",
    "published/statistics.parquet": "published statistics of random deals beside this run’s",
    "climb/comparison.parquet": "climbing against sampling, method by method",
    "long/leaderboard.parquet": "the longest deals from all sources, and what made them longer",
    "cycles/balanced_deals.parquet": "deals that never end, with their cycles",
    "cycles_full/balanced_deals.parquet": "the same, from the full catalogue",
    "census/decks.parquet": "every deal of small decks, counted",
    "census/atlas.parquet": "which decks have deals that never end",
    "sedaps/ledger.parquet": "the three-queue War: every claim, and whether it holds",
}
"""Result files that not every run has, and what is in them."""

OF_THE_SEARCH = {
    "capped.parquet",
    "published/records.parquet",
    "published/claims.parquet",
    "published/statistics.parquet",
}
"""Those of them that the workflow of the search makes before the page, as its inputs."""


@dataclass(frozen=True)
class Run:
    """The results of a run.

    Attributes
    ----------
    folder
        The results folder.
    summary
        ``summary.json``: totals, checks and, only if every check is green, the headline.
    search
        The seeds searched.
    """

    folder: Path
    summary: dict[str, Any]
    search: Search

    @classmethod
    def read(cls, folder: str | Path) -> Run:
        """Open a results folder; tables are read when they are first needed."""
        summary = read_summary(folder)
        return cls(Path(folder), summary, Search.described(summary["search"]))

    @property
    def playable(self) -> bool:
        """Whether the page's own implementation knows the rules of this search."""
        return self.search.rules.standard_play

    @property
    def green(self) -> bool:
        """Whether every check is green."""
        return self.summary["green"]

    @cached_property
    def lengths(self) -> Columns:
        """The merged length table."""
        return self.table("lengths")

    @cached_property
    def record(self) -> list[dict[str, Any]]:
        """The longest deals, longest first."""
        return rows(self.table("record"))

    @cached_property
    def law(self) -> law.Law | None:
        """The exponential tail of the lengths; None if too few games are long enough."""
        try:
            return law.fit(self.lengths)
        except InputError:
            return None

    @cached_property
    def checks(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of every check, by its name."""
        return {name: rows(self.table(f"checks/{name}")) for name in self.summary["checks"]}

    @property
    def chunk_size(self) -> int:
        """Seeds a chunk in the decomposition that gives the results."""
        return self.summary["chunk_sizes"][0]

    @cached_property
    def tree(self) -> Tree:
        """The chunks of that decomposition, and the groups over them if there are many."""
        return Tree(self.search, self.chunk_size, self.folder)

    @cached_property
    def chunks(self) -> list[Columns]:
        """The length tables of all chunks, in the order of seeds; of the first, if many."""
        return [table for _, table in self.tree.each(self.tree.first_chunks, "lengths")]

    @cached_property
    def parts(self) -> list[Columns]:
        """The length tables that make up the whole search: of all chunks, or of groups of them."""
        if not self.tree.height:
            return self.chunks
        return [table for _, table in self.tree.each(self.tree.top, "lengths")]

    def table(self, name: str) -> Columns:
        """Read a table of the run."""
        return read_table(self.search, self.folder / f"{name}.parquet")[0]

    def has(self, path: str) -> bool:
        """Return whether the run wrote a file that not every run has."""
        return (self.folder / path).exists()


def rows(table: Columns) -> list[dict[str, Any]]:
    """Turn columns into one dict a row, with plain Python values."""
    lists = {name: values.tolist() for name, values in table.items()}
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def best_so_far(lengths: Columns) -> list[tuple[int, int]]:
    """List the deals longer than every earlier one of a search.

    The table keeps the smallest seed of every length, and a deal that is longer than all before
    it is the first of its length, so nothing is missing.

    Returns
    -------
    list of (int, int)
        Seed and tricks, in the order of seeds; finished deals only.
    """
    done = lt.finished(lengths)
    order = np.argsort(done["first_seed"])
    best, found = 0, []
    for seed, tricks in zip(
        done["first_seed"][order].tolist(), done["tricks"][order].tolist(), strict=True
    ):
        if tricks > best:
            best = tricks
            found.append((seed, tricks))
    return found


def joint_counts(
    parts: list[Columns], tricks_bin: int, plays_bin: int
) -> dict[tuple[int, int], float]:
    """Estimate how many deals have both counts in each cell of a grid.

    The table of a chunk, or of a group of chunks, keeps the card plays of the first deal of every
    length. Which deal comes first says nothing of its card plays, so it stands for all deals of
    that length in that part of the search.

    Returns
    -------
    dict
        The lower corner (tricks, card plays) of a cell, and its estimated number of deals.
    """
    cells: dict[tuple[int, int], float] = {}
    for table in parts:
        done = lt.finished(table)
        corners = zip(
            (done["tricks"].astype(int) // tricks_bin * tricks_bin).tolist(),
            (done["first_seed_card_plays"].astype(int) // plays_bin * plays_bin).tolist(),
            done["deals"].tolist(),
            strict=True,
        )
        for tricks, plays, deals in corners:
            cells[tricks, plays] = cells.get((tricks, plays), 0) + deals
    return dict(sorted(cells.items()))


def prefix_tables(run: Run) -> list[dict[str, Any]]:
    """Merge the first 1, 4, 16, … chunks, and all the page knows, for comparison on the page.

    Returns
    -------
    list of dict
        ``chunks``, how many, and ``table``, the columns of their length table, with seeds
        counted from the first of the run and fingerprints in hex.
    """
    numbers = [n for k in range(16) if (n := 4**k) < len(run.chunks)] + [len(run.chunks)]
    prefixes = []
    merged: list[Columns] = []
    for n in numbers:
        # What was merged already stands for its chunks.
        done = merged[-1:] if merged else []
        start = numbers[len(merged) - 1] if merged else 0
        merged.append(lt.merge_lengths([*done, *run.chunks[start:n]]))
        prefixes.append({"chunks": n, "table": _for_page(merged[-1], run.search.first_seed)})
    return prefixes


def _for_page(table: Columns, first_seed: int) -> dict[str, list]:
    order = np.argsort(~table["finished"], kind="stable")
    names = ("finished", "tricks", "deals", "card_plays", "captures", "leader_wins")
    columns = {name: table[name][order].tolist() for name in names}
    columns["first"] = [seed - first_seed for seed in table["first_seed"][order].tolist()]
    columns["fingerprint"] = [f"{value:016x}" for value in table["fingerprint"][order].tolist()]
    return columns


def beside(folder: str | Path) -> list[list[str]]:
    """List what other workflows left in a folder, with digests, so that a page can follow it.

    What the search itself makes is not among it: that is missing when a first run is planned, and
    would have the page made twice.

    Returns
    -------
    list of [str, str]
        Path and SHA-256; the traces of climbs are among them.
    """
    folder = Path(folder)
    wanted = [folder / path for path in OPTIONAL if path not in OF_THE_SEARCH]
    found = [path for path in [*wanted, *folder.glob("climb/*/chain=*.parquet")] if path.exists()]
    return [[str(path), file_sha256(path)] for path in sorted(found)]
