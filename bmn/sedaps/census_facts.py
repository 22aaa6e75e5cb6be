"""The claims on censuses and their loops, from the tables of all censuses and searches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from bmn.sedaps import census, loops, rigid, tables
from bmn.sedaps.census import CensusRow, Sizes
from bmn.sedaps.facts import Fact, fact, statement
from bmn.sedaps.loops import LoopRow
from bmn.sedaps.periods import two_queue_period
from bmn.sedaps.rigid import ShapeRow

TREE, ENUMERATION, LOOPS_ONLY = "comparison tree", "enumeration", "loop-only tree"

Rows = list[CensusRow]


class Censuses:
    """All rows of all censuses, by kind, method and deck."""

    def __init__(self, rows: Iterable[CensusRow]) -> None:
        self._rows: defaultdict[tuple[str, str, int], Rows] = defaultdict(list)
        for row in rows:
            self._rows[row.kind, row.method, row.cards].append(row)

    def rows(self, kind: str, cards: int, method: str = "tree") -> Rows:
        """Return the rows of one census; none if it was not made."""
        return self._rows.get((kind, method, cards), [])

    def decks(self, kind: str, method: str = "tree") -> list[int]:
        """List the decks of the censuses of a kind."""
        return sorted(cards for k, m, cards in self._rows if (k, m) == (kind, method))

    def fact(
        self, claim: str, kind: str, decks: Iterable[int], value: Callable[[dict[int, Rows]], Any]
    ) -> Fact:
        """Work out a value from the trees and, where all decks were enumerated, from that too."""
        trees = {cards: self.rows(kind, cards) for cards in decks}
        others = {cards: self.rows(kind, cards, "enumeration") for cards in trees}
        if all(others.values()):
            return fact(claim, value(trees), TREE, value(others), ENUMERATION)
        return fact(claim, value(trees), TREE)

    def facts_of_one(self, claim: str, kind: str, cards: int, value: Callable[[Rows], Any]) -> Fact:
        """Work out a value from the census of one deck."""
        return self.fact(claim, kind, [cards], lambda by_deck: value(by_deck[cards]))


def texts(counts: dict[Any, int]) -> dict[str, int]:
    """Write the keys as text, as JSON has them."""
    return {str(key): value for key, value in counts.items()}


def published_facts(all_: Censuses) -> list[Fact]:
    """Work out every published claim on censuses."""
    one = all_.facts_of_one
    return [
        *(one(f"census3.n{n}", "three", n, _three) for n in range(3, 12)),
        *(one(f"census2.n{n}", "two", n, _full) for n in range(2, 13)),
        all_.fact("census2.alpha", "two", (5, 7, 9, 11), _alphas),
        all_.fact("A400411", "alternate", range(2, 13), _never_ending),
        *(one(f"packet.n{n}", "packet", n, _packet) for n in range(3, 14)),
        one("packet.n12.onloop", "packet", 12, _on_loop),
        one("packet.n12.shards", "packet", 12, _shards),
        one("packet.n12.cong", "packet", 12, lambda rows: _congruent(rows, "states", 1)),
        one("raw.n12.cong", "raw", 12, lambda rows: _congruent(rows, "states/3", 3)),
        all_.fact("raw.exits", "raw", range(5, 12), _exits),
        one("n12.loopEnteringFraction", "raw", 12, _entering_share),
        all_.fact("sync", "synchronised", (9, 12, 15), _synchronised),
        _all_rigid_12(all_),
    ]


def _states(rows: Iterable[CensusRow]) -> int:
    return sum(row.states for row in rows)


def _full(rows: Rows) -> dict:
    return {
        "states": _states(rows),
        "statesThatCycle": census.cycling(rows),
        "loops": sum(census.loops(rows).values()),
        "lengths": texts(census.loops(rows)),
    }


def _three(rows: Rows) -> dict:
    three_live = census.loops([row for row in rows if row.live == 3])
    return _full(rows) | {"threeLiveLoops": sum(three_live.values())}


def _alphas(by_deck: dict[int, Rows]) -> dict:
    found: dict[str, dict[str, int]] = {}
    for cards, rows in by_deck.items():
        states: Counter[tuple[int, int]] = Counter()
        for row in rows:
            if row.on_loop:
                states[row.turns, row.alpha] += row.states
        found[str(cards)] = {
            f"{period},{alpha}": number // period
            for (period, alpha), number in sorted(states.items())
        }
    return found


def _never_ending(by_deck: dict[int, Rows]) -> dict:
    return {str(cards): census.cycling(rows) for cards, rows in by_deck.items()}


def _packet(rows: Rows) -> dict:
    return {
        "states": _states(rows),
        "maxTurns": census.longest(rows),
        "loops": texts(census.loops(rows)),
    }


def _on_loop(rows: Rows) -> dict:
    return {
        "onLoop": _states(row for row in rows if row.on_loop),
        "entering": _states(row for row in rows if row.loop and not row.on_loop),
        "loops": sum(census.loops(rows).values()),
    }


def _shards(rows: Rows) -> dict:
    """Deal the size patterns, in lexicographic order, to four shards."""
    by_sizes: Counter[Sizes] = Counter()
    for row in rows:
        for sizes in {row.sizes[turned:] + row.sizes[:turned] for turned in range(3)}:
            by_sizes[sizes] += row.states // row.rotations
    shards = [sorted(by_sizes)[shard::4] for shard in range(4)]
    return {
        "patterns": [len(shard) for shard in shards],
        "states": [sum(by_sizes[sizes] for sizes in shard) for shard in shards],
    }


def _congruent(rows: Rows, name: str, divisor: int) -> dict:
    chosen = [row for row in rows if row.a % 3 == row.b % 3 == row.c % 3]
    return {
        name: _states(chosen) // divisor,
        "maxTurns": census.longest(chosen),
        "loops": sum(census.loops(chosen).values()),
    }


def _exits(by_deck: dict[int, Rows]) -> dict:
    found = {str(cards): census.longest(rows) for cards, rows in by_deck.items()}
    return found | {"states11": _states(by_deck[11])}


def _entering_share(rows: Rows) -> str:
    return f"{100 * census.cycling(rows) / _states(rows):.2f}% of the three-live space"


def _synchronised(by_deck: dict[int, Rows]) -> dict:
    """Count states whose largest card is in queue 0: in one of its packets, all being alike."""

    def pinned(rows: Rows) -> int:
        return _states(rows) // 3

    uneven = [row for row in by_deck[15] if sorted(row.sizes) == [3, 3, 9]]
    found = {str(cards): pinned(rows) for cards, rows in by_deck.items()}
    return found | {
        "maxTurns15": census.longest(by_deck[15]),
        # Sizes 3, 3, 9 in this order; the one packet of queue 0 is one of five.
        "339 pattern": _states(uneven) // 3 // 5,
    }


def _all_rigid_12(all_: Censuses) -> Fact:
    def told(rows: Rows) -> str:
        rigid_loops = census.loops([row for row in rows if row.rigid])
        return f"{sum(rigid_loops.values())} of {sum(census.loops(rows).values())} loops are rigid"

    found = all_.facts_of_one("n12.allRigid", "packet", 12, told)
    good = all(row.rigid for row in all_.rows("packet", 12) if row.on_loop)
    return found._replace(holds="yes" if good else "no")


def two_queue_facts(all_: Censuses) -> list[Fact]:
    """Check whether every two-queue loop of small decks alternates and matches the formula."""
    holds, fails, formula = [], {}, True
    for cards in all_.decks("two"):
        on_loops = [row for row in all_.rows("two", cards) if row.on_loop]
        if not on_loops:
            continue
        alternating = [row for row in on_loops if row.alternates]
        matching = [
            row
            for row in alternating
            if row.alpha % 2 == 0 and row.turns == two_queue_period(cards, row.alpha)
        ]
        formula = formula and matching == alternating
        if matching == on_loops:
            holds.append(cards)
            continue
        lengths = census.loops(on_loops)
        in_three = sum(census.loops(all_.rows("three", cards)).values())
        fails[f"false at {cards} cards"] = (
            f"of {sum(lengths.values())} loops ({in_three} in the census of three queues), of "
            f"length {', '.join(map(str, lengths))}, {sum(census.loops(matching).values())} do"
        )
    decks = ", ".join(map(str, holds))
    return [
        statement("text.twoQueueLoops", not fails, fails | {"true at": f"{decks} cards"}, TREE),
        statement(
            "theorem.twoQueue",
            formula,
            f"every alternating loop of {decks} cards has even alpha and the period of the formula",
            TREE,
        ),
    ]


def our_facts(
    all_: Censuses, searched: list[LoopRow], decks: dict[str, list[int]], shapes: list[ShapeRow]
) -> list[Fact]:
    """Work out what goes past the published tables.

    Parameters
    ----------
    all_
        The censuses.
    searched
        The loops that the loop-only searches found.
    decks
        The decks searched, under ``all`` and ``synchronised``.
    shapes
        The rigid shapes.
    """
    found = {
        cards: loops.count(row for row in searched if row.cards == cards) for cards in decks["all"]
    }
    lengths = {cards: texts(_by_period(loops_)) for cards, loops_ in found.items()}
    trees = {
        cards: texts(census.loops(all_.rows("packet", cards)))
        for cards in all_.decks("packet")
        if cards in found
    }
    rigid_loops = {
        cards: texts(rigid.count_loops([row for row in shapes if row.cards == cards]))
        for cards in found
    }
    synchronised = {
        str(cards): sum(row.leaves for row in searched if row.cards == cards and row.synchronised)
        for cards in decks["synchronised"]
    }
    untested = [
        {cards: counts[cards] for cards in (14, 16, 17) if counts[cards]}
        for counts in (lengths, trees)
    ]
    made = [
        *(
            all_.fact(claim, kind, [n for n in all_.decks(kind) if n > last], value)
            for claim, kind, last, value in (
                ("ours.packet", "packet", 13, _by_deck(_packet)),
                ("ours.raw", "raw", 11, _by_deck(_raw)),
                ("ours.synchronised", "synchronised", 15, _by_deck(_packet)),
                ("ours.threeQueues", "three", 11, _by_deck(_three)),
            )
            if any(n > last for n in all_.decks(kind))
        ),
        fact("ours.synchronisedLoops", synchronised, LOOPS_ONLY),
        fact(
            "ours.threeLiveLoops",
            {str(n): lengths[n] for n in found},
            LOOPS_ONLY,
            {str(n): trees.get(n, rigid_loops[n]) for n in found},
            "comparison tree; past its decks, rigid loops counted",
        ),
        statement(
            "ours.allRigid",
            all(rigid_ for loops_ in found.values() for _, rigid_ in loops_)
            and rigid_loops == lengths,
            f"all loops of three live queues, {min(found)} to {max(found)} cards, are rigid, "
            "and there are as many of each period as rigid loops",
            f"{LOOPS_ONLY} against rigid loops counted",
        ),
        statement(
            "text.untestedSizes",
            False,
            untested[0] or "no loops",
            LOOPS_ONLY,
            untested[1] or "no loops",
            TREE,
        ),
        all_.fact("ours.A400411", "alternate", (12, 13), _never_ending),
    ]
    return made + _open_facts(found, synchronised)


def _by_deck(value: Callable[[Rows], Any]) -> Callable[[dict[int, Rows]], dict[str, Any]]:
    return lambda by_deck: {str(cards): value(rows) for cards, rows in by_deck.items()}


def _raw(rows: Rows) -> dict:
    return _packet(rows) | {"entering": census.cycling(rows)}


def _by_period(counts: dict[tuple[int, bool], int]) -> dict[int, int]:
    total: Counter[int] = Counter()
    for (period, _), number in counts.items():
        total[period] += number
    return dict(total)


def _open_facts(
    found: dict[int, dict[tuple[int, bool], int]], synchronised: dict[str, int]
) -> list[Fact]:
    """Say how far the open questions have been looked into."""

    def decks(chosen: Iterable[int | str]) -> str:
        return ", ".join(map(str, chosen)) or "none"

    with_loops = [cards for cards, loops_ in found.items() if loops_]
    not_rigid = [cards for cards in with_loops if not all(rigid_ for _, rigid_ in found[cards])]
    synchronised_loops = [cards for cards, number in synchronised.items() if number]
    looked_at = f"{min(found)} to {max(found)} cards"
    return [
        fact(
            "open.threeLive",
            f"decks of {looked_at}: with loops {decks(with_loops)}; "
            f"with loops that are not rigid {decks(not_rigid)}",
            LOOPS_ONLY,
        ),
        fact(
            "open.sizes",
            f"decks of {looked_at} that are no multiple of 3, with loops: "
            f"{decks(cards for cards in with_loops if cards % 3)}",
            LOOPS_ONLY,
        ),
        fact(
            "open.synchronised",
            f"decks of {decks(synchronised)} cards, with such loops: {decks(synchronised_loops)}",
            LOOPS_ONLY,
        ),
    ]


def main(census_path: str, loops_path: str, shapes_path: str, facts_path: str) -> None:
    """Work out all facts on censuses and loops, and write them."""
    all_ = Censuses(tables.read(census_path, CensusRow)[0])
    searched, about = tables.read(loops_path, LoopRow)
    shapes, _ = tables.read(shapes_path, ShapeRow)
    made = published_facts(all_) + two_queue_facts(all_)
    tables.write(facts_path, Fact, made + our_facts(all_, searched, about["decks"], shapes))
