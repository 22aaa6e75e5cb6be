"""What a finished run of a search has written, as far as its summary tells which search it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bmn import checks, store
from bmn.chunks import Search
from bmn.config import MAX_CHUNKS
from bmn.errors import InputError, whole
from bmn.tree import COLUMNS, GROUP_FOLDERS, Tree

ALWAYS = {
    *(f"{table}.parquet" for table in ("lengths", "plays", "record", "capped")),
    *(f"checks/{check}.parquet" for check in checks.ABOUT),
    *(f"published/{table}.parquet" for table in ("records", "claims", "cycles", "statistics")),
    "summary.json",
    "headline.txt",
    "report.html",
    "report.sha256",
    "figures.sha256",
}
"""What every search writes, beside its chunks and pictures."""

DRAWN = {"report.sha256": "report.html", "figures.sha256": "figures/"}
"""Lists of what is drawn, and how the paths on them begin."""

GROUP_TABLES = GROUP_FOLDERS.keys() - {"timing"}
"""What is written of a group, but for what was measured."""

TELLING = {"summary.json", "headline.txt", "report.html"}
"""What is written by no other run than that of a search."""

MOST_KEPT = 1000
"""The most deals that a search keeps as its longest, by ``config/schema.yaml``."""

STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading a file can stumble over that is not as it was written."""


class Plan(NamedTuple):
    """What was searched: the seeds, the chunk sizes, and how many deals are kept."""

    search: Search
    sizes: list[int]
    longest: int

    @property
    def identity(self) -> dict[str, Any]:
        """What decides every result, as `bmn.config.Config.identity`."""
        return self.search.about | {"longest": self.longest}


def plan(folder: str | Path) -> Plan:
    """Return what the summary in a folder says was searched.

    Raises
    ------
    InputError
        If it says nothing that the workflow could have been asked for.
    """
    path = Path(folder, "summary.json")
    told = store.read_json(path)
    try:
        search, sizes = Search.described(told["search"]), told["chunk_sizes"]
        for cards in search.deck:
            whole(cards, "a number of cards")
        longest = whole(told["search"]["longest"], "the number of longest deals")
        planned = Plan(search, sizes, longest)
        if told["search"] != planned.identity or not isinstance(told["name"], str):
            raise InputError("its name or its search is not as a run writes it")
        if not 1 <= longest <= MOST_KEPT:
            raise InputError(f"{longest} longest deals are kept by no search")
        if not isinstance(sizes, list) or len(set(sizes)) < max(2, len(sizes)):
            raise InputError(f"{sizes!r:.50} are not two or more chunk sizes")
        for size in sizes:
            search.check_divides(whole(size, "a chunk size"))
        if sum(search.seeds // size for size in sizes) > MAX_CHUNKS:
            raise InputError(f"there would be more than {MAX_CHUNKS} chunks")
    except STUMBLES as error:
        why = f" ({error})" if isinstance(error, InputError) else ""
        raise InputError(
            f"{path} does not say what was searched{why}; delete it and run the workflow again"
        ) from None
    return planned


def due(planned: Plan) -> set[str]:
    """Return everything a finished run has but pictures, relative to its folder."""
    paths = set(ALWAYS)
    for size in planned.sizes:
        tree = Tree(planned.search, size)
        paths.update(tree.chunk_files)
        paths |= {tree.name(group, kind) for group in tree.groups for kind in GROUP_TABLES}
    for size in planned.sizes[1:]:
        paths |= {f"decompositions/size={size}/{name}.parquet" for name in COLUMNS}
    return paths


def drawn(folder: str | Path, sums: str) -> dict[str, str]:
    """Return the SHA-256 of each file on a list of what is drawn, one of `DRAWN`.

    Raises
    ------
    InputError
        If it is no such list.
    """
    path = Path(folder, sums)
    try:
        told = {name: sha256 for sha256, name in store.read_sums(path)}
    except ValueError:
        told = None
    if told is None or not all(name.startswith(DRAWN[sums]) for name in told):
        raise InputError(
            f"{path} is no list of what was drawn; delete it and run the workflow again"
        )
    return told
