"""Published deals, endpoints and witnesses, replayed by the rule in Python and compiled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from bmn.sedaps import backward, fates, reference, rule, shape, tables
from bmn.sedaps.deals import PYTHON_SEED, deal_python
from bmn.sedaps.facts import Fact, certificates, fact, state, statement, turn_85
from bmn.sedaps.reference import Fate
from bmn.sedaps.rule import State

TESTED = 100
"""Turns at which pasts 01 and 11 are put to the shape test."""


class Player(NamedTuple):
    """One implementation of the game."""

    name: str
    play: Callable[[State, int], State]
    pasts: Callable[[State], list[State]]
    fate: Callable[[State], Fate]
    has_shape: Callable[[State, int], bool]
    prefix_floor: Callable[[tuple[int, ...]], int]

    def states(self, start: State, turns: int) -> list[State]:
        """Return the states of so many turns, the first included."""
        return [self.play(start, turn) for turn in range(turns + 1)]


def _play_by_rule(now: State, turns: int) -> State:
    for _ in range(turns):
        after = rule.turn(now)
        if after is None:
            break
        now = after
    return now


def _compiled_pasts(now: State) -> list[State]:
    from bmn.sedaps import _war

    return [rule.from_ranks(queues) for queues in _war.predecessors(rule.ranks(now))]


RULE = Player(
    "rule in Python",
    _play_by_rule,
    rule.predecessors,
    reference.fate,
    shape.has_shape,
    reference.prefix_floor,
)
COMPILED = Player(
    "compiled",
    lambda now, turns: fates.advance(now, turns)[0],
    _compiled_pasts,
    fates.fate,
    backward.has_shape,
    shape.prefix_floor,
)


def twice(claim: str, value: Callable[[Player], Any]) -> Fact:
    """Work out a value by both implementations."""
    return fact(claim, value(RULE), RULE.name, value(COMPILED), COMPILED.name)


def statement_twice(claim: str, found: Callable[[Player], tuple[bool, Any]]) -> Fact:
    """Work out whether a claim in words holds, and what is found, by both implementations."""
    (holds, one), (holds_again, other) = found(RULE), found(COMPILED)
    return statement(claim, holds and holds_again, one, RULE.name, other, COMPILED.name)


def facts() -> list[Fact]:
    """Replay everything."""
    return [*_turn_85(), *_past_10(), *_four_for_four(), *_witnesses()]


def _turn_85() -> list[Fact]:
    given = certificates()["turn85"]
    deal, turns = deal_python(PYTHON_SEED), given["turns"]
    indices = given["predecessor_index_of_each_turn"]

    def present(player: Player) -> State:
        return player.play(deal, turns)

    def digest_of_states(player: Player) -> str:
        text = json.dumps(player.states(deal, turns), separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def found_indices(player: Player) -> tuple[bool, str]:
        states = player.states(deal, turns)
        found = [player.pasts(after).index(before) for before, after in pairwise(states)]
        same = sum(a == b for a, b in zip(found, indices, strict=True))
        return found == indices, f"{same} of {len(indices)} indices as published"

    def first_with_four(player: Player) -> int:
        states = player.states(deal, turns)
        return next(turn for turn, now in enumerate(states) if len(player.pasts(now)) == 4)

    return [
        twice(
            "turn85.replay",
            lambda player: {
                "seed": PYTHON_SEED if deal == turn_85()[0] else None,
                "turns": turns,
                "endSizes": rule.sizes(present(player)),
            },
        ),
        twice("turn85.statesSha256", digest_of_states),
        twice("turn85.sha256", lambda player: rule.digest(present(player))),
        twice(
            "turn85.pastSizes",
            lambda player: {
                f"{index:02b}": rule.sizes(past)
                for index, past in enumerate(player.pasts(present(player)))
            },
        ),
        twice(
            "turn85.prefixFloors",
            lambda player: [
                [player.prefix_floor(queue) for queue in past]
                for past in player.pasts(present(player))
            ],
        ),
        statement_twice("turn85.predecessorIndices", found_indices),
        twice("turn85.firstFourPredEndpoint", first_with_four),
    ]


def _past_10() -> list[Fact]:
    given = certificates()["past10"]["certificates"]
    present = turn_85()[1]
    deals = {one["elapsedTurn"]: state(one["deal"]) for one in given}

    def excluded(player: Player) -> tuple[bool, str]:
        _, past01, _, past11 = player.pasts(present)
        failed = [
            not player.has_shape(past, turn) for past in (past01, past11) for turn in range(TESTED)
        ]
        return all(failed), f"the test fails {sum(failed)} times of {len(failed)}"

    return [
        twice("past10.sha256", lambda player: rule.digest(player.pasts(present)[2])),
        twice(
            "past10.turns",
            lambda player: [
                turn
                for turn, deal in deals.items()
                if player.play(deal, turn) == player.pasts(present)[2]
            ],
        ),
        twice(
            "past10.presentTurns",
            lambda player: [
                turn + 1 for turn, deal in deals.items() if player.play(deal, turn + 1) == present
            ],
        ),
        fact("past10.dealSha256", [rule.digest(deal) for deal in deals.values()], RULE.name),
        statement_twice("past01.past11.excluded", excluded),
    ]


def _four_for_four() -> list[Fact]:
    given = certificates()["four_for_four"]

    def replay(player: Player) -> dict:
        turns, deals = [], 0
        for one in given:
            end, turn = state(one["endpoint"]), one["turn"]
            reached = 0
            for past, (label, queues) in zip(player.pasts(end), one["deals"].items(), strict=True):
                deal = state(queues)
                reached += (
                    rule.digest(deal) == one["deal_sha256"][label]
                    and rule.digest(end) == one["endpoint_sha256"]
                    and player.play(deal, turn - 1) == past
                    and player.play(past, 1) == end
                )
            deals += reached
            turns += [turn] if reached == 4 else []
        return {"turns": turns, "deals": deals}

    def all_fates(player: Player) -> dict:
        deals = {one["turn"]: state(one["deals"]["00"]) for one in given} | {85: turn_85()[0]}
        return {str(turn): _fate_as_published(player.fate(deal)) for turn, deal in deals.items()}

    return [twice("four.replay", replay), twice("four.fates", all_fates)]


def _fate_as_published(found: Fate) -> list:
    return ["end", found.turns] if found.ends else ["cycle", found.turns, found.period]


def _witnesses() -> list[Fact]:
    given = certificates()["rigid_witnesses"]
    nine, sixty = state(given["n12_period9"]), state(given["n12_period60"])
    witness = four_past_witness()

    def four_pasts(player: Player) -> dict:
        pasts = player.pasts(witness)
        ordered = pasts == sorted(pasts) and list(rule.branches(witness).values()) == pasts
        return {
            "sizes": rule.sizes(witness),
            "preds": len(pasts),
            "order": "lexicographic = BRANCHES 00,01,10,11" if ordered else "another",
            "prefixFloorH0": player.prefix_floor(witness[0]),
            "cuts": shape.prefix_cuts(witness[0]),
        }

    def period_9(player: Player) -> tuple[bool, str]:
        found, winners = player.fate(nine), _winners(nine, 3)
        sizes = [rule.sizes(now) for now in player.states(nine, 2)]
        holds = found == (0, 9) and winners == "ABC" and sizes == [(3, 4, 5), (5, 3, 4), (4, 5, 3)]
        return holds, f"returns after {found.period}; winners {winners}; sizes {sizes}"

    def period_60(player: Player) -> tuple[bool, str]:
        found, winners = player.fate(sixty), _winners(sixty, 3)
        return (
            found == (0, 60) and winners == "ACB",
            f"returns after {found.period}; winners {winners}",
        )

    return [
        twice("witness.v02", four_pasts),
        statement_twice("n12.witness9", period_9),
        statement_twice("n12.witness60", period_60),
        twice("witness15", lambda player: _rigid_period(player, given["n15"])),
        twice("witness51", lambda player: _rigid_period(player, given["n51"])),
    ]


def _rigid_period(player: Player, given: dict[str, Any]) -> int:
    """Return the period of a witness written in ranks; 0 if others win than published."""
    cards = rule.deck(given["n"])
    start = state([[cards[rank] for rank in queue] for queue in given["state"]])
    winners = "".join("ABC"[seat] for seat in given["winnersFirst9"])
    found = player.fate(start)
    return found.period if found.turns == 0 and _winners(start, 9) == winners else 0


def _winners(start: State, turns: int) -> str:
    """Return who wins each of the first turns, as letters."""
    return "".join("ABC"[rule.winner(now)] for now in RULE.states(start, turns - 1))


def four_past_witness() -> State:
    """Build a 51-card state of sizes 48, 3 and 0 with four pasts and a high prefix floor.

    The last four cards of queue 0 descend, so a two, a three or two twos end it; before them it
    ascends, so no packet leads further. Queue 1 descends too.
    """
    cards = rule.deck(51)
    return ((*cards[3:-4], *reversed(cards[-4:])), tuple(reversed(cards[:3])), ())


def main(facts_path: str) -> None:
    """Write the facts."""
    tables.write(facts_path, Fact, facts())
