"""Every state of six cards: predecessors against the inverse of play, and prefix floors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations

from bmn.sedaps import rule, tables
from bmn.sedaps.facts import Fact, fact, statement
from bmn.sedaps.loop_sets import loop_set
from bmn.sedaps.rule import State
from bmn.sedaps.shape import prefix_floor

CARDS = 6

LOOP_DECKS = range(3, 10)
"""The decks whose loops are compared one by one."""


def every_state(cards: int, seats: int = 3) -> Iterator[State]:
    """Yield every state of a deck: each arrangement, cut into queues in every way."""
    for pack in permutations(rule.deck(cards)):
        for first in range(cards + 1):
            for second in range(first, cards + 1) if seats == 3 else [cards]:
                cuts = (pack[:first], pack[first:second], pack[second:])
                yield cuts[:seats]


def inverse(states: list[State]) -> dict[State, list[State]]:
    """Play every state one turn and list, for each state, those that lead to it, sorted."""
    before: defaultdict[State, list[State]] = defaultdict(list)
    for state in states:
        after = rule.turn(state)
        if after is not None:
            before[after].append(state)
    return {state: sorted(before[state]) for state in states}


def facts() -> list[Fact]:
    """Compare the predecessors of all six-card states with the inverse of play."""
    from bmn.sedaps import _war

    states = list(every_state(CARDS))
    leads_to = inverse(states)
    by_rule = Counter(len(rule.predecessors(state)) for state in states)
    by_play = Counter(len(before) for before in leads_to.values())
    ours = sum(rule.predecessors(state) == leads_to[state] for state in states)
    compiled = sum(
        [rule.from_ranks(queues) for queues in _war.predecessors(rule.ranks(state))]
        == leads_to[state]
        for state in states
    )

    low = {state for state in states if all(prefix_floor(queue) <= 2 for queue in state)}
    after = [rule.turn(state) for state in low]
    kept = sum(state in low for state in after if state is not None)
    played = sum(state is not None for state in after)
    return [
        fact(
            "sixcard",
            _histogram(states, by_rule),
            "predecessors of every state",
            _histogram(states, by_play),
            "every state played one turn",
        ),
        statement(
            "theorem.predecessors",
            ours == compiled == len(states),
            f"the same lists for {ours} of {len(states)} six-card states",
            "rule in Python against play",
            f"the same lists for {compiled} of {len(states)} six-card states",
            "compiled against play",
        ),
        fact(
            "sixcard.m2",
            {"pass": len(low), "playedPreserve": kept, "broken": played - kept},
            "prefix floors at most 2, every such state played one turn",
        ),
        statement(
            "theorem.prefix",
            kept == played,
            f"{kept} of {played} six-card states with floors at most 2 keep them so",
            "every such state played one turn",
        ),
        _loops(),
    ]


def _loops() -> Fact:
    trees = [loop_set("three", cards, "tree") for cards in LOOP_DECKS]
    enumerated = [loop_set("three", cards, "enumeration") for cards in LOOP_DECKS]
    same = sum(tree & found == tree | found for tree, found in zip(trees, enumerated, strict=True))
    return statement(
        "ours.loopSets",
        same == len(LOOP_DECKS),
        f"{sum(map(len, trees)):,} loops, 3 to 9 cards, the same sets for {same} of "
        f"{len(LOOP_DECKS)} decks",
        "linear extensions of the tree's loops, spelt out, against enumeration",
    )


def _histogram(states: list[State], counts: Counter[int]) -> dict:
    return {
        "states": len(states),
        "played": sum(rule.winner(state) is not None for state in states),
        "hist": {str(number): states for number, states in sorted(counts.items())},
    }


def main(facts_path: str) -> None:
    """Write the facts."""
    tables.write(facts_path, Fact, facts())
