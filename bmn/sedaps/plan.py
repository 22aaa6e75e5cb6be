"""Which censuses and searches a run makes, and the parts they are cut into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Census(NamedTuple):
    """One census: its kind and method (see `bmn.sedaps.census`), the deck, and its parts."""

    kind: str
    method: str
    cards: int
    parts: int = 1


class LoopSearch(NamedTuple):
    """One search for loops alone: of which states, the deck, and its parts."""

    which: str
    cards: int
    parts: int = 1

    @property
    def synchronised(self) -> bool:
        """Whether only synchronised starts are searched."""
        return self.which == "synchronised"


def _each(kind: str, method: str, first: int, last: int, step: int = 1) -> Iterator[Census]:
    return (Census(kind, method, cards) for cards in range(first, last + 1, step))


CENSUSES = (
    *_each("three", "tree", 3, 11),
    *_each("two", "tree", 2, 11),
    Census("two", "tree", 12, parts=4),
    *_each("raw", "tree", 3, 14),
    Census("raw", "tree", 15, parts=4),
    *_each("packet", "tree", 3, 17),
    Census("packet", "tree", 18, parts=12),
    *_each("synchronised", "tree", 9, 18, 3),
    *_each("alternate", "tree", 2, 13),
    *_each("three", "enumeration", 3, 9),
    Census("three", "enumeration", 10, parts=4),
    Census("three", "enumeration", 11, parts=13),
    *_each("two", "enumeration", 2, 10),
    Census("two", "enumeration", 11, parts=5),
    *_each("raw", "enumeration", 3, 10),
    Census("raw", "enumeration", 11, parts=5),
    *_each("packet", "enumeration", 3, 11),
    Census("packet", "enumeration", 12, parts=6),
    Census("packet", "enumeration", 13, parts=13),
    *_each("synchronised", "enumeration", 9, 12, 3),
    *_each("alternate", "enumeration", 2, 12),
)
"""The censuses of ``snakemake sedaps``."""

MORE_CENSUSES = (
    Census("three", "tree", 12, parts=12),
    Census("raw", "tree", 16, parts=8),
    Census("packet", "tree", 19, parts=20),
    Census("packet", "tree", 20, parts=20),
    Census("synchronised", "tree", 21, parts=5),
    Census("two", "enumeration", 12, parts=11),
    Census("raw", "enumeration", 12, parts=19),
    Census("synchronised", "enumeration", 15, parts=2),
    Census("alternate", "enumeration", 13),
)
"""What ``snakemake sedaps_full`` adds."""

LOOP_SEARCHES = (
    *(LoopSearch("all", cards) for cards in range(3, 18)),
    LoopSearch("all", 18, parts=4),
    LoopSearch("all", 19),
    LoopSearch("all", 20),
    *(LoopSearch("synchronised", cards) for cards in range(9, 28, 3)),
    LoopSearch("synchronised", 30, parts=4),
)
"""The loop-only searches of ``snakemake sedaps``."""

MORE_LOOP_SEARCHES = (
    LoopSearch("all", 21, parts=24),
    LoopSearch("all", 22, parts=8),
    LoopSearch("all", 23, parts=16),
)
"""What ``snakemake sedaps_full`` adds."""


def censuses(full: bool) -> tuple[Census, ...]:
    """Return the censuses of a run."""
    return CENSUSES + MORE_CENSUSES * full


def loop_searches(full: bool) -> tuple[LoopSearch, ...]:
    """Return the loop-only searches of a run."""
    return LOOP_SEARCHES + MORE_LOOP_SEARCHES * full


RIGID_DECKS = range(12, 52, 3)
"""The decks whose rigid loops are counted."""
