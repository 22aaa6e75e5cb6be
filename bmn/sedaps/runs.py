"""Seeded games: their fates, their loops, and every state along them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from bmn.sedaps import rule, tables
from bmn.sedaps.deals import deal_seed, probe_states, sweep_seed
from bmn.sedaps.facts import Fact, fact, statement
from bmn.sedaps.fates import advance, common_divisor, describe_loop, fate
from bmn.sedaps.reference import fate as slow_fate
from bmn.sedaps.shape import has_shape

SEEDS = 2000
"""The seeds 1 to 2,000 of the remnant."""

LAST_TURN = 6000
"""The last turn of the published pairs of 2,000 games."""

DECKS = (6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 20, 21, 24, 27, 30, 33, 39, 45, 48, 51)
"""The decks of the sweep."""

SLOW = "rule in Python"

SWEPT = 300
"""Deals of each of them."""


class Run(NamedTuple):
    """A seeded game of three queues.

    Attributes
    ----------
    cards, seed
        The deal.
    elimination
        The turn after which the first queue is empty; -1 if that never happens.
    turns, period
        The turn of the end and 0; or the first turn of a loop, and its period.
    live, alternates, alpha, formula
        Of the loop, see `bmn.sedaps.fates.Loop`; at an end, its live queues.
    """

    cards: int
    seed: int
    elimination: int
    turns: int
    period: int
    live: int
    alternates: bool
    alpha: int
    formula: int


def run(cards: int, seed: int) -> Run:
    """Play one seeded game to its end or once around its loop."""
    deal = deal_seed(seed, cards)
    first = fate(deal, stop=3)
    elimination = first.turns if first.ends else -1
    turns, period = fate(deal)
    last = advance(deal, turns)[0]
    if not period:
        live = len(rule.live_seats(last))
        return Run(cards, seed, elimination, turns, 0, live, False, 0, 0)
    loop = describe_loop(last, period)
    return Run(
        cards,
        seed,
        elimination,
        turns,
        period,
        loop.live,
        loop.alternates,
        loop.alpha,
        loop.formula,
    )


def remnant() -> list[Run]:
    """Play the 2,000 games of the remnant."""
    return [run(51, seed) for seed in range(1, SEEDS + 1)]


def sweep() -> list[Run]:
    """Play the 300 deals of each deck of the deck sweep."""
    return [run(cards, sweep_seed(k, cards)) for cards in DECKS for k in range(1, SWEPT + 1)]


def facts(remnant: list[Run], sweep: list[Run]) -> list[Fact]:
    """Work out every claim on seeded games."""
    slow = {run.seed: slow_fate(deal_seed(run.seed)) for run in remnant}
    swept = {run: slow_fate(deal_seed(run.seed, run.cards)).period for run in sweep}
    return [
        fact(
            "remnant",
            _remnant([(run.turns, run.period) for run in remnant], remnant),
            "compiled",
            _remnant(list(slow.values()), remnant),
            "fates by the rule in Python",
        ),
        fact(
            "decksweep",
            _decksweep((run.cards, run.period) for run in sweep),
            "compiled",
            _decksweep((run.cards, period) for run, period in swept.items()),
            SLOW,
        ),
        _clock(remnant),
        *_shape(remnant),
        _predecessors(),
        _probes(),
        *_open(remnant),
    ]


def _remnant(fates: Iterable[tuple[int, int]], runs: list[Run]) -> dict:
    fates = list(fates)
    ends = sorted(turns for turns, period in fates if not period)
    periods = [period for _, period in fates if period]
    loops = [run for run in runs if run.period]
    matching = sum(run.formula == run.period for run in loops)
    return {
        "ends": len(ends),
        "loops": len(periods),
        "gcd": common_divisor(periods),
        "medianEnd": ends[len(ends) // 2],
        "lengths": {str(period): number for period, number in sorted(Counter(periods).items())},
        "allTwoLive": all(run.live == 2 for run in loops),
        "winnersAlternate": all(run.alternates for run in loops),
        "alphaFormula": f"matches all {matching}"
        if matching == len(loops)
        else f"matches {matching} of {len(loops)}",
    }


def _decksweep(periods: Iterable[tuple[int, int]]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for cards, period in periods:
        found.setdefault(cards, []).append(period)
    return [
        [cards, sum(period > 0 for period in all_), common_divisor(all_)]
        for cards, all_ in found.items()
    ]


def _clock(runs: list[Run]) -> Fact:
    def told(eliminations: list[int]) -> str:
        residues = ", ".join(map(str, sorted({turn % 3 for turn in eliminations})))
        return (
            f"e mod 3 is {residues} in all {len(eliminations)} games, "
            f"e from {min(eliminations)} to {max(eliminations)}"
        )

    found = [run.elimination for run in runs]
    slow = [slow_fate(deal_seed(run.seed, run.cards), stop=3).turns for run in runs]
    holds = all(turn % 3 == 2 and turn >= 17 for turn in found)
    return statement("clock.elimination", holds, told(found), "compiled", told(slow), SLOW)


def _shape(runs: list[Run]) -> list[Fact]:
    from bmn.sedaps import _war

    def compiled(seeds: int, last: int) -> tuple[int, int, int]:
        looked = [_war.along(rule.ranks(deal_seed(s)), 0, last) for s in range(1, seeds + 1)]
        states, passed, terminal, _ = map(sum, zip(*looked, strict=True))
        return states, passed, terminal

    def slow(seeds: int, last: int) -> tuple[int, int]:
        """Count the states that pass before the last turn, and at it."""
        passed = [0, 0]
        for seed in range(1, seeds + 1):
            now, turn = deal_seed(seed), 0
            while now is not None and turn <= last:
                passed[turn == last] += has_shape(now, turn)
                now, turn = rule.turn(now), turn + 1
        return passed[0], passed[1]

    states, passed, terminal = compiled(SEEDS, LAST_TURN)
    # Without the test: as many states as the games have up to that turn, but for their ends.
    lasting = sum(LAST_TURN + 1 if run.period else min(run.turns, LAST_TURN + 1) for run in runs)
    ended = sum(not run.period and run.turns <= LAST_TURN for run in runs)
    before, upto = compiled(300, 1499)[1], compiled(300, 1500)[1]
    slow_before, slow_last = slow(300, 1500)
    return [
        fact(
            "shape.pairs2000",
            {"pass": passed, "terminalFails": terminal},
            "shape test, compiled",
            {"pass": lasting, "terminalFails": ended},
            "all states with two or more live queues, from the fates",
        ),
        fact(
            "shape.pairs300",
            {"t<1500": before, "t<=1500": upto, "difference": upto - before},
            "shape test, compiled",
            {"t<1500": slow_before, "t<=1500": slow_before + slow_last, "difference": slow_last},
            "shape test in Python",
        ),
        statement(
            "theorem.shape",
            passed + terminal == states,
            f"{passed} of {passed + states - passed - terminal} states along {SEEDS} games pass, "
            f"and {states - passed - terminal} fail",
            "shape test, compiled",
        ),
    ]


def _predecessors() -> Fact:
    from bmn.sedaps import _war

    compiled = slow = 0
    for seed in range(1, 301):
        now = deal_seed(seed)
        compiled += _war.along(rule.ranks(now), 1, 200)[3]
        for _ in range(200):
            now = rule.turn(now)
            if now is None:
                break
            slow += len(rule.predecessors(now))
    return fact("preds.along300", compiled, "compiled", slow, SLOW)


def _probes() -> Fact:
    def middle_and_most(turns: list[int]) -> list[int]:
        ordered = sorted(turns)
        return [ordered[len(ordered) // 2], ordered[-1]]

    names = ("sync", "deal")
    probes = dict(zip(names, probe_states(), strict=True))
    compiled = {
        name: middle_and_most([fate(state, stop=3).turns for state in states])
        for name, states in probes.items()
    }
    slow = {
        name: middle_and_most([slow_fate(state, stop=3).turns for state in states])
        for name, states in probes.items()
    }
    return fact("probe51", compiled, "compiled", slow, SLOW)


def _open(runs: list[Run]) -> list[Fact]:
    """Say what the seeded games tell about the open questions."""
    loops = [run for run in runs if run.period]
    three = sum(run.live == 3 for run in loops)
    multiples = sum(run.period % 52 == 0 for run in loops)
    by = "seeded games"
    return [
        fact("open.fairThreeLive", f"{three} of {len(runs):,} seeded deals do", by),
        fact("open.period52", f"{multiples:,} of {len(loops):,} never-ending seeded deals", by),
        fact("open.share", f"{len(loops):,} of {len(runs):,} seeded deals", by),
    ]


def main(runs_path: str, facts_path: str) -> None:
    """Play all seeded games, and write a table of them and the facts."""
    fair, swept = remnant(), sweep()
    tables.write(runs_path, Run, fair + swept)
    tables.write(facts_path, Fact, facts(fair, swept))
