"""Censuses of small decks: what becomes of every state, counted exactly and in two ways.

A census covers the size patterns of one kind, up to rotation of the seats where that is a
symmetry. Each pattern is counted by the comparison tree, whose leaves stand for many states each,
or by direct enumeration. Either way the states of a pattern must add up to their closed-form
number exactly; that equality is the proof that nothing was missed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import factorial
from typing import Literal, NamedTuple

from bmn.errors import InputError
from bmn.sedaps import tables
from bmn.sedaps.tables import Exact

Sizes = tuple[int, ...]
Method = Literal["tree", "enumeration"]


class Kind(NamedTuple):
    """What a census covers.

    Attributes
    ----------
    seats
        Queues, live or not.
    stop
        Play ends when fewer queues than this are live.
    packets
        Whether only states in packet form are covered.
    least
        The least number of cards in a queue.
    about
        The same in words.
    """

    seats: int
    stop: int
    packets: bool
    least: int
    about: str


KINDS = {
    "three": Kind(3, 2, False, 0, "every state of three queues, played to its end"),
    "two": Kind(2, 2, False, 1, "every state of two live queues, played to its end"),
    "raw": Kind(3, 3, False, 1, "every state of three live queues, until one empties"),
    "packet": Kind(3, 3, True, 1, "every three-live state in packet form, until a queue empties"),
    "synchronised": Kind(3, 3, True, 3, "every packet-form state whose sizes are multiples of 3"),
    "alternate": Kind(2, 2, False, 1, "every alternate deal to two players, played to its end"),
}
"""The censuses, by name."""

MAX_TREE = 24
"""The largest deck of a census by tree."""

MAX_ENUMERATED = 16
"""The largest deck of a census by enumeration."""


class CensusRow(NamedTuple):
    """States of one size pattern, and of all its rotations, with one outcome.

    Attributes
    ----------
    kind, method
        Which census, by tree or enumeration.
    cards
        The size of the deck.
    a, b, c
        The size pattern; c is 0 for two queues.
    rotations
        Patterns counted in the row: this one and its rotations.
    loop
        Whether play never ends.
    on_loop
        Whether the states themselves recur.
    live
        Live queues at the end, or on the loop.
    turns
        Turns to the end, or the period of the loop.
    rigid, alternates, alpha
        Filled for states on loops; see `bmn.sedaps.fates.Loop`.
    leaves
        Leaves of the tree, or states that were played.
    states
        Concrete states.
    """

    kind: str
    method: str
    cards: int
    a: int
    b: int
    c: int
    rotations: int
    loop: bool
    on_loop: bool
    live: int
    turns: int
    rigid: bool
    alternates: bool
    alpha: int
    leaves: int
    states: Exact

    @property
    def sizes(self) -> Sizes:
        """The size pattern."""
        return (self.a, self.b, self.c) if KINDS[self.kind].seats == 3 else (self.a, self.b)


class Completeness(NamedTuple):
    """Whether a census counted every state: the line that proves it complete."""

    kind: str
    method: str
    cards: int
    patterns: int
    nodes: int
    leaves: int
    counted: Exact
    closed_form: Exact
    complete: bool


def patterns(kind: str, cards: int) -> list[tuple[Sizes, int]]:
    """List the size patterns of a census and how many rotations each stands for.

    Seats are symmetric under rotation in three-queue play, so of each class of rotations the
    lexicographically largest is listed. Patterns of two queues are listed one by one.
    """
    seats, least = KINDS[kind].seats, KINDS[kind].least
    step = 3 if kind == "synchronised" else 1
    if kind == "alternate":
        return [((cards - cards // 2, cards // 2), 1)]
    if seats == 2:
        return [((a, cards - a), 1) for a in range(least, cards - least + 1)]
    found = []
    for a in range(least, cards + 1, step):
        for b in range(least, cards - a - least + 1, step):
            sizes = (a, b, cards - a - b)
            rotations = {sizes[i:] + sizes[:i] for i in range(3)}
            if sizes == max(rotations):
                found.append((sizes, len(rotations)))
    return found


def pattern_states(kind: str, sizes: Sizes) -> int:
    """Return the closed-form number of states of one size pattern.

    All arrangements of the deck, or in packet form one in three of them for every packet.
    """
    states = factorial(sum(sizes))
    if KINDS[kind].packets:
        states //= 3 ** sum(size // 3 for size in sizes)
    return states


def check(kind: str, cards: int, method: str) -> None:
    """Raise `InputError` if there is no such census."""
    most = MAX_TREE if method == "tree" else MAX_ENUMERATED
    least = max(1, KINDS[kind].seats * KINDS[kind].least)
    if not least <= cards <= most or (kind == "synchronised" and cards % 3):
        multiple = ", a multiple of 3" * (kind == "synchronised")
        raise InputError(
            f"a census {kind!r} of {cards} cards is not possible by {method}; "
            f"give {least} to {most} cards{multiple}"
        )


def count(
    kind: str, cards: int, method: Method, sizes: Iterable[tuple[Sizes, int]] | None = None
) -> tuple[list[CensusRow], int]:
    """Count what becomes of every state of some size patterns, by default of all.

    Parameters
    ----------
    kind
        A key of `KINDS`.
    cards
        The size of the deck, up to `MAX_TREE` or `MAX_ENUMERATED`.
    method
        ``"tree"`` or ``"enumeration"``.
    sizes
        A part of ``patterns(kind, cards)``.

    Returns
    -------
    rows : list of CensusRow
        Rotations are included in ``leaves`` and ``states``.
    nodes : int
        Turns in the trees that were grown, without rotations; 0 for enumeration.

    Raises
    ------
    InputError
        If the deck is too small or too large.
    """
    from bmn.sedaps import _war

    check(kind, cards, method)
    stop, packets = KINDS[kind].stop, KINDS[kind].packets
    rows, total = [], 0
    for pattern, rotations in patterns(kind, cards) if sizes is None else sizes:
        if method == "tree":
            found, nodes, _ = _war.tree(pattern, stop, packets)
            total += nodes
        else:
            found, _ = _war.enumerate_states(pattern, stop, packets)
        for loop, on_loop, live, turns, rigid, alternates, alpha, _, leaves, states in found:
            rows.append(
                CensusRow(
                    kind,
                    method,
                    cards,
                    *(*pattern, 0)[:3],
                    rotations,
                    loop,
                    on_loop,
                    live,
                    turns,
                    rigid,
                    alternates,
                    alpha,
                    leaves * rotations,
                    Exact(states * rotations),
                )
            )
    return rows, total


def part(kind: str, cards: int, index: int, parts: int) -> list[tuple[Sizes, int]]:
    """Return one of several parts of a census's patterns, of about equal work."""
    return patterns(kind, cards)[index::parts]


def write_part(kind: str, cards: int, method: Method, index: int, parts: int, path: str) -> None:
    """Count one part of a census and write its rows."""
    rows, nodes = count(kind, cards, method, part(kind, cards, index, parts))
    tables.write(path, CensusRow, rows, {"nodes": nodes})


def merge(paths: Iterable[str], rows_path: str, completeness_path: str) -> None:
    """Put the parts of all censuses into one table, and check that each is complete."""
    by_census: defaultdict[tuple[str, str, int], list[CensusRow]] = defaultdict(list)
    nodes: Counter[tuple[str, str, int]] = Counter()
    for path in paths:
        rows, about = tables.read(path, CensusRow)
        for row in rows:
            by_census[row[:3]].append(row)
        nodes[rows[0][:3]] += about["nodes"]
    kinds = list(KINDS)
    keys = sorted(by_census, key=lambda key: (kinds.index(key[0]), key[1], key[2]))
    merged = {key: sorted(by_census[key]) for key in keys}
    tables.write(rows_path, CensusRow, (row for rows in merged.values() for row in rows))
    checked = [completeness(rows, nodes[key]) for key, rows in merged.items()]
    tables.write(completeness_path, Completeness, checked)


def completeness(rows: list[CensusRow], nodes: int) -> Completeness:
    """Compare the states counted with their closed-form number, pattern by pattern.

    Parameters
    ----------
    rows
        All rows of one census.
    nodes
        Turns in its trees.
    """
    kind, method, cards = rows[0].kind, rows[0].method, rows[0].cards
    counted: Counter[Sizes] = Counter()
    for row in rows:
        counted[row.sizes] += row.states
    expected = Counter(
        {sizes: pattern_states(kind, sizes) * turned for sizes, turned in patterns(kind, cards)}
    )
    return Completeness(
        kind,
        method,
        cards,
        len(expected),
        nodes,
        sum(row.leaves for row in rows),
        Exact(sum(counted.values())),
        Exact(sum(expected.values())),
        counted == expected,
    )


def loops(rows: Iterable[CensusRow]) -> dict[int, int]:
    """Return the number of loops of each length."""
    on_loops: Counter[int] = Counter()
    for row in rows:
        if row.on_loop:
            on_loops[row.turns] += row.states
    return {period: states // period for period, states in sorted(on_loops.items())}


def cycling(rows: Iterable[CensusRow]) -> int:
    """Return the number of states whose play never ends."""
    return sum(row.states for row in rows if row.loop)


def longest(rows: Iterable[CensusRow]) -> int:
    """Return the most turns that any state of ending play takes."""
    return max((row.turns for row in rows if not row.loop), default=0)


def same_outcomes(one: Iterable[CensusRow], other: Iterable[CensusRow]) -> bool:
    """Return whether two censuses agree in every pattern and outcome, whatever their method."""
    return _outcomes(one) == _outcomes(other)


def _outcomes(rows: Iterable[CensusRow]) -> Counter[tuple]:
    found: Counter[tuple] = Counter()
    for row in rows:
        found[row[2:-2]] += row.states
    return found
