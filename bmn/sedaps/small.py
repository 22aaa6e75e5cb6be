"""Every state of six cards: predecessors against the inverse of play, and prefix floors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import permutations

from bmn.sedaps import rule, tables
from bmn.sedaps.facts import Fact, fact, statement
from bmn.sedaps.loop_sets import loop_set
from bmn.sedaps.reference import prefix_floor as slow_prefix_floor
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

    kept = _prefix_kept(states, prefix_floor)
    kept_again = _prefix_kept(states, slow_prefix_floor)
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
            "sixcard.m2", kept, "prefix floors by cuts", kept_again, "prefix floors from the back"
        ),
        statement(
            "theorem.prefix",
            kept["broken"] == kept_again["broken"] == 0,
            f"{kept['playedPreserve']} six-card states with floors of at most 2 keep them, "
            f"{kept['broken']} do not",
            "every such state played one turn",
        ),
        _loops(),
    ]


def _prefix_kept(states: list[State], floor: Callable[[tuple[int, ...]], int]) -> dict:
    """Count the states with prefix floors of at most 2, and those that have them a turn later."""
    low = {state for state in states if all(floor(queue) <= 2 for queue in state)}
    after = [then for then in map(rule.turn, low) if then is not None]
    kept = sum(state in low for state in after)
    return {"pass": len(low), "playedPreserve": kept, "broken": len(after) - kept}


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
