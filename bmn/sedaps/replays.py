"""Published deals, endpoints and witnesses, played again and compared, by the rule and in C."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise

from bmn.sedaps import rule, tables
from bmn.sedaps.deals import PYTHON_SEED, deal_python
from bmn.sedaps.facts import (
    Fact,
    certificates,
    fact,
    presents,
    state,
    statement,
    turn_85,
)
from bmn.sedaps.fates import advance, fate
from bmn.sedaps.reference import fate as slow_fate
from bmn.sedaps.rule import State
from bmn.sedaps.shape import has_shape, led, prefix_cuts, prefix_floor

RULE, ENGINE = "rule in Python", "compiled"
TESTED = 100
"""Turns at which pasts 01 and 11 are put to the shape test."""


def facts() -> list[Fact]:
    """Replay everything."""
    return [*_turn_85(), *_past_10(), *_four_for_four(), *_witnesses()]


def _play(start: State, turns: int) -> list[State]:
    """Return the states of so many turns, the first included, by the rule."""
    states = [start]
    for _ in range(turns):
        after = rule.turn(states[-1])
        assert after is not None
        states.append(after)
    return states


def _turn_85() -> list[Fact]:
    given = certificates()["turn85"]
    deal, _ = turn_85()
    turns = given["turns"]
    states = _play(deal_python(PYTHON_SEED), turns)
    quick = advance(deal, turns)[0]
    pasts = rule.branches(states[-1])
    compact = json.dumps(states, separators=(",", ":")).encode()
    step_by_step = [advance(deal, turn)[0] for turn in range(turns + 1)]
    again = json.dumps(step_by_step, separators=(",", ":")).encode()
    back = [rule.predecessors(after).index(before) for before, after in pairwise(states)]
    four = next(turn for turn, now in enumerate(states) if len(rule.predecessors(now)) == 4)
    return [
        fact(
            "turn85.replay",
            {"seed": PYTHON_SEED, "turns": turns, "endSizes": rule.sizes(states[-1])},
            "deal shuffled from the seed, " + RULE,
            {"seed": given["seed"], "turns": turns, "endSizes": rule.sizes(quick)},
            "published deal, " + ENGINE,
        ),
        fact("turn85.statesSha256", _sha(compact), RULE, _sha(again), ENGINE),
        fact("turn85.sha256", rule.digest(states[-1]), RULE, rule.digest(quick), ENGINE),
        fact(
            "turn85.pastSizes",
            {label: rule.sizes(past) for label, past in pasts.items()},
            RULE,
            {f"{i:02b}": rule.sizes(past) for i, past in enumerate(_compiled_pasts(quick))},
            ENGINE,
        ),
        fact(
            "turn85.prefixFloors",
            [[prefix_floor(queue) for queue in past] for past in pasts.values()],
            "shortest free prefix",
            [[_slow_floor(queue) for queue in past] for past in pasts.values()],
            "every split tried",
        ),
        statement(
            "turn85.predecessorIndices",
            back == given["predecessor_index_of_each_turn"],
            f"{len(back)} indices, all as published"
            if back == given["predecessor_index_of_each_turn"]
            else back,
            RULE,
        ),
        fact(
            "turn85.firstFourPredEndpoint",
            four,
            RULE,
            next(i for i, now in enumerate(step_by_step) if len(_compiled_pasts(now)) == 4),
            ENGINE,
        ),
    ]


def _past_10() -> list[Fact]:
    given = certificates()["past10"]["certificates"]
    present = turn_85()[1]
    pasts = rule.branches(present)
    past = pasts["10"]
    deals = [state(one["deal"]) for one in given]
    reached = [_play(deal, one["elapsedTurn"])[-1] for deal, one in zip(deals, given, strict=True)]
    then = [rule.turn(now) for now in reached]
    excluded = [pasts["01"], pasts["11"]]
    failed = [not has_shape(one, turn) for one in excluded for turn in range(TESTED)]
    turns = [one["elapsedTurn"] for one in given]
    return [
        fact(
            "past10.sha256",
            rule.digest(past),
            RULE,
            rule.digest(_compiled_pasts(present)[2]),
            ENGINE,
        ),
        fact(
            "past10.turns",
            [turn for turn, now in zip(turns, reached, strict=True) if now == past],
            "published deals, " + RULE,
            [
                turn
                for turn, deal in zip(turns, deals, strict=True)
                if advance(deal, turn)[0] == past
            ],
            "published deals, " + ENGINE,
        ),
        fact(
            "past10.presentTurns",
            [turn + 1 for turn, now in zip(turns, then, strict=True) if now == present],
            "published deals, " + RULE,
            [
                turn + 1
                for turn, deal in zip(turns, deals, strict=True)
                if advance(deal, turn + 1)[0] == present
            ],
            "published deals, " + ENGINE,
        ),
        fact("past10.dealSha256", [rule.digest(deal) for deal in deals], RULE),
        statement(
            "past01.past11.excluded",
            all(failed),
            f"the test fails {sum(failed)} times of {len(failed)}",
            f"shape test at turns 0 to {TESTED - 1}, in Python",
        ),
    ]


def _four_for_four() -> list[Fact]:
    replayed, again, turns = 0, 0, []
    for given in certificates()["four_for_four"]:
        end, turn = state(given["endpoint"]), given["turn"]
        pasts = rule.branches(end)
        good = rule.digest(end) == given["endpoint_sha256"]
        for label, queues in given["deals"].items():
            deal = state(queues)
            digest = rule.digest(deal) == given["deal_sha256"][label]
            *_, past, last = _play(deal, turn)
            replayed += good and digest and past == pasts[label] and last == end
            again += advance(deal, turn - 1)[0] == pasts[label] and advance(deal, turn)[0] == end
        if replayed == 4 * (len(turns) + 1):
            turns.append(turn)
    fates = {}
    slow = {}
    for given in certificates()["four_for_four"]:
        deal = state(given["deals"]["00"])
        fates[str(given["turn"])] = _fate_text(fate(deal))
        slow[str(given["turn"])] = _fate_text(slow_fate(deal))
    fates["85"] = _fate_text(fate(turn_85()[0]))
    slow["85"] = _fate_text(slow_fate(turn_85()[0]))
    assert set(fates) == {str(turn) for turn in presents()}
    return [
        fact(
            "four.replay",
            {"turns": turns, "deals": replayed},
            RULE,
            {"turns": turns, "deals": again},
            ENGINE,
        ),
        fact("four.fates", fates, ENGINE, slow, RULE),
    ]


def _witnesses() -> list[Fact]:
    given = certificates()["rigid_witnesses"]
    witness = four_past_witness()
    pasts = rule.predecessors(witness)
    nine, sixty = state(given["n12_period9"]), state(given["n12_period60"])
    order9, sizes9 = _around(nine)
    order60, _ = _around(sixty)
    made = [
        fact(
            "witness.v02",
            {
                "sizes": rule.sizes(witness),
                "preds": len(pasts),
                "order": "lexicographic = BRANCHES 00,01,10,11"
                if list(rule.branches(witness)) == ["00", "01", "10", "11"]
                and pasts == sorted(pasts)
                else "not lexicographic",
                "prefixFloorH0": prefix_floor(witness[0]),
                "cuts": prefix_cuts(witness[0]),
            },
            f"a state of ours, {rule.digest(witness)[:16]}…",
        ),
        statement(
            "n12.witness9",
            fate(nine) == (0, 9) and order9 == "ABC" and sizes9 == "345 534 453",
            f"returns after {fate(nine).period}; winners {order9}; sizes {sizes9}",
            ENGINE,
            f"returns after {slow_fate(nine).period}; winners {order9}; sizes {sizes9}",
            RULE,
        ),
        statement(
            "n12.witness60",
            fate(sixty) == (0, 60) and order60 == "ACB",
            f"returns after {fate(sixty).period}; winners {order60}",
            ENGINE,
            f"returns after {slow_fate(sixty).period}; winners {order60}",
            RULE,
        ),
    ]
    for claim, name in (("witness15", "n15"), ("witness51", "n51")):
        ranks = given[name]["state"]
        cards = rule.deck(given[name]["n"])
        start = state([[cards[rank] for rank in queue] for queue in ranks])
        winners = advance(start, 9)[1]
        assert list(winners) == given[name]["winnersFirst9"]
        made.append(fact(claim, fate(start).period, ENGINE, slow_fate(start).period, RULE))
    return made


def four_past_witness() -> State:
    """Build a 51-card state of sizes 48, 3 and 0 with four pasts and a high prefix floor.

    The last four cards of queue 0 descend, so a two, a three or two twos end it; before them it
    ascends, so no packet leads further. Queue 1 descends too.
    """
    cards = rule.deck(51)
    return ((*cards[3:-4], *reversed(cards[-4:])), tuple(reversed(cards[:3])), ())


def _compiled_pasts(now: State) -> list[State]:
    from bmn.sedaps import _war

    return [rule.from_ranks(queues) for queues in _war.predecessors(rule.ranks(now))]


def _slow_floor(queue: tuple[int, ...]) -> int:
    """Find the prefix floor by trying every split into threes and twos, from the back."""
    ends, floor = {len(queue)}, len(queue)
    while ends:
        floor = min(floor, *ends)
        ends = {
            end - size
            for end in ends
            for size in (2, 3)
            if end >= size and led(queue[end - size : end], 0, size)
        }
    return floor


def _around(start: State) -> tuple[str, str]:
    """Return who wins the first three turns and the sizes before each, as short texts."""
    states = _play(start, 3)
    winners = "".join("ABC"[rule.winner(now)] for now in states[:3])
    return winners, " ".join("".join(map(str, rule.sizes(now))) for now in states[:3])


def _fate_text(found: tuple[int, int]) -> list:
    turns, period = found
    return ["cycle", turns, period] if period else ["end", turns]


def _sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def main(facts_path: str) -> None:
    """Write the facts."""
    tables.write(facts_path, Fact, facts())
