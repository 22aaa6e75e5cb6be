"""Differential fuzzing: every kernel, the general kernel and the reference on the same games.

    python -m fuzz.differential --seed 1 --rounds 1000

A round makes one random case of the kind whose turn it is, from the seed and its own number
alone, so any round can be played again: ``--first 123 --rounds 1``. The compiled kernels play
every deal of the case, the reference some of them. A difference is told in one line with the
round that shows it, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from bmn import _engine, reference
from bmn import lengths as lt
from bmn.cards import Deck, hands_text
from bmn.chunks import Search
from bmn.explore import _general, general
from bmn.game import ENDINGS, Game
from bmn.known import deal_of, known_deals
from bmn.rules import STANDARD, Rules
from bmn.shuffle import MASK, fingerprint

CARDS = 100_000
"""About how many cards the deals of one round hold together."""

PIVOT = "plain"
"""The kernel all others, and the reference, are compared with."""

CAPS = (1, 2, 3, 15, 16, 17, 40, 63, 64, 65, 300, 2000)
"""Caps that are often tried, beside random ones."""

Counts = dict[str, int]


class Difference(Exception):  # noqa: N818 - it is what is looked for
    """Two implementations disagree; the text says on what."""


def play_seeds(random: Generator) -> Counts:
    """Search a range of seeds with any deck, whole and in two parts."""
    deck, cap = _deck(random), _cap(random)
    seeds = int(random.integers(1, 1 + max(1, min(4000, CARDS // deck.size))))
    first = int(random.integers(0, 1 << 64, dtype=np.uint64))
    if random.random() < 0.3:
        first = int(random.choice([0, (1 << 32) - seeds // 2, (1 << 63) - seeds // 2, 1 << 40]))
    first = min(first, (1 << 64) - seeds)
    if random.random() < 0.1:
        first = (1 << 64) - seeds
    plan = Search(first, seeds, cap, deck)
    what = f"seeds {first} to {first + seeds - 1}, deck {tuple(deck)}, cap {cap}"
    wanted = _engine.search(first, seeds, cap, PIVOT, deck)
    if wanted.lengths["violations"].any():
        raise Difference(f"{what}: {PIVOT} counts violations")
    for name in (*_engine.kernels(), "general"):
        found = general.search(plan) if name == "general" else _search(plan, name)
        _compare_tables(found, wanted, f"{what}: {name}")
    if seeds > 1:
        cut = int(random.integers(1, seeds))
        name = str(random.choice(_engine.kernels()))
        parts = [
            _search(plan.part(first, cut), name),
            _search(plan.part(first + cut, seeds - cut), name),
        ]
        for table, merge in (("lengths", lt.merge_lengths), ("plays", lt.merge_plays)):
            merged = merge([getattr(part, table) for part in parts])
            if not lt.same(merged, getattr(wanted, table)):
                raise Difference(f"{what}: {name} in two parts, cut at {cut}: {table}")
    few = plan.part(first, min(seeds, _slow(deck.size)))
    _compare_search(few, _search(few, PIVOT), f"{what}: the reference")
    return {"kernels": seeds * (len(_engine.kernels()) + 1), "reference": few.seeds}


def play_stated(random: Generator) -> Counts:
    """Play stated deals of any size, split and share of penalty cards."""
    size = int(random.integers(1, 131))
    return _stated(random, _rows(random, size), int(random.integers(0, size + 1)), _cap(random))


def play_edges(random: Generator) -> Counts:
    """Play stated deals that just fit, or just do not fit, the words of a kernel."""
    size = int(random.choice([1, 2, 3, 4, 51, 52, 53, 60, 61, 62, 63, 64, 65, 66, 127, 128, 129]))
    split = int(random.choice([0, 1, size // 2, (size + 1) // 2, max(size - 1, 0), size]))
    return _stated(random, _rows(random, size), min(split, size), _cap(random))


def play_large(random: Generator) -> Counts:
    """Play a few deals of many cards."""
    size = int(random.integers(131, 5000))
    return _stated(random, _rows(random, size), int(random.integers(0, size + 1)), _cap(random))


def play_known(random: Generator) -> Counts:
    """Play published deals with a few cards changed: long games, and games that never end."""
    deal = deal_of(KNOWN[int(random.integers(len(KNOWN)))])
    cards = np.frombuffer(deal.first + deal.second, np.uint8)
    rows = np.repeat(cards[None], max(1, CARDS // 20 // len(cards)), axis=0)
    index = np.arange(len(rows))
    for _ in range(int(random.integers(0, 4))):
        one, other = random.integers(0, len(cards), (2, len(rows)))
        rows[index, one], rows[index, other] = rows[index, other], rows[index, one]
    shift = int(random.choice([0, 0, 0, 1, -1]))
    split = min(max(len(deal.first) + shift, 0), len(cards))
    return _stated(random, rows, split, int(random.choice([300, 1000, 3000])))


def play_rules(random: Generator) -> Counts:
    """Play seeds and stated deals under any rule set, by the general kernel and the reference."""
    rules, cap = _rules(random), int(random.choice([1, 2, 5, 40, 300]))
    first = int(random.integers(0, (1 << 64) - 100, dtype=np.uint64))
    plan = Search(first, 60, cap, rules.deck, rules)
    what = (
        f"seeds {first} to {first + 59}, deck {tuple(rules.deck)}, {rules.differences}, cap {cap}"
    )
    _compare_search(plan, general.search(plan), what)
    sizes = random.integers(0, 12, rules.players)
    sizes[0] += not sizes.any()
    rows = _rows(random, int(sizes.sum()))[:60]
    found = _general.play_many(rows, sizes.tolist(), rules, cap)
    _compare_reference(rows, sizes.tolist(), rules, cap, found)
    return {"kernels": 60 + len(rows), "reference": 60 + len(rows)}


KINDS: dict[str, Callable[[Generator], Counts]] = {
    "seeds": play_seeds,
    "stated": play_stated,
    "edges": play_edges,
    "large": play_large,
    "known": play_known,
    "rules": play_rules,
}
"""The kinds of cases, which take turns."""

KNOWN = known_deals()


def run(seed: int, first: int, rounds: int) -> Iterator[tuple[str, Counts, str | None]]:
    """Play rounds; yield the kind of each, its counts of games, and the difference if any."""
    names = list(KINDS)
    for number in range(first, first + rounds):
        kind = names[number % len(names)]
        try:
            yield kind, KINDS[kind](np.random.default_rng([seed, number])), None
        except Difference as difference:
            yield kind, {}, f"seed {seed}, round {number} ({kind}): {difference}"


def _stated(random: Generator, rows: np.ndarray, split: int, cap: int) -> Counts:
    """Compare all implementations on stated deals, a row each."""
    size = rows.shape[1]
    wanted = _engine.play_many(rows, cap, PIVOT, split=split)
    if wanted["violation"].any():
        row = int(np.flatnonzero(wanted["violation"])[0])
        raise Difference(f"{_deal(rows[row], [split, size - split])}, cap {cap}: a violation")
    for name in (*_engine.kernels(), "general"):
        if name == "general":
            found = _general.play_many(rows, [split, size - split], STANDARD, cap)
        else:
            found = _engine.play_many(rows, cap, name, split=split)
        wrong = np.zeros(len(rows), bool)
        for column, values in wanted.items():
            wrong |= found[column] != values
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            games = [tuple(int(g[column][row]) for column in wanted) for g in (found, wanted)]
            raise Difference(
                f"{_deal(rows[row], [split, size - split])}, cap {cap}: {name} {games}"
            )
    few = np.sort(random.choice(len(rows), min(len(rows), _slow(size)), replace=False))
    some = {column: values[few] for column, values in wanted.items()}
    _compare_reference(rows[few], [split, size - split], STANDARD, cap, some)
    return {"kernels": len(rows) * (len(_engine.kernels()) + 1), "reference": len(few)}


def _compare_reference(
    rows: np.ndarray, sizes: Sequence[int], rules: Rules, cap: int, found: dict[str, np.ndarray]
) -> None:
    for number, row in enumerate(rows):
        tricks, card_plays, winner, ending, violation = (int(v[number]) for v in found.values())
        game = Game(
            tricks, card_plays, None if winner == _general.DRAW else winner, ENDINGS[ending]
        )
        wanted = reference.play(_hands(row, sizes), cap=cap, rules=rules)
        if violation or game != wanted:
            raise Difference(
                f"{_deal(row, sizes)}, {rules.differences}, cap {cap}: {game}, "
                f"violation {violation}, not {wanted}"
            )


def _compare_search(plan: Search, found: Any, what: str) -> None:
    """Compare the tables of a search with the games of the reference, seed by seed."""
    total, captures, wins, capped = 0, 0, 0, []
    for seed in range(plan.first_seed, plan.first_seed + plan.seeds):
        game = reference.play(plan.rules.deal(seed), cap=plan.cap, rules=plan.rules)
        won = game.finished and game.winner == plan.rules.leader
        bit = int(game.finished and not won)
        total += fingerprint(seed, game.tricks, game.card_plays, bit)
        captures += game.ending == "capture"
        wins += won
        capped += [] if game.finished else [seed]
    told = [lt.fingerprint(found.lengths), found.capped.tolist()]
    told += [lt.total(found.lengths, name) for name in ("captures", "leader_wins", "violations")]
    wanted = [total & MASK, capped, captures, wins, 0]
    if told != wanted:
        raise Difference(f"{what}: {told}, not {wanted}")


def _compare_tables(found: Any, wanted: Any, what: str) -> None:
    for table in ("lengths", "plays"):
        if not lt.same(getattr(found, table), getattr(wanted, table)):
            raise Difference(f"{what}: another {table} table than {PIVOT}")
    if not np.array_equal(found.capped, wanted.capped):
        raise Difference(f"{what}: other capped seeds than {PIVOT}")


def _search(plan: Search, kernel: str) -> Any:
    return _engine.search(plan.first_seed, plan.seeds, plan.cap, kernel, plan.deck)


def _slow(size: int) -> int:
    """How many deals of so many cards the reference plays."""
    return max(1, min(100, 5000 // size))


def _cap(random: Generator) -> int:
    return int(random.choice(CAPS) if random.random() < 0.7 else random.integers(1, 3000))


def _deck(random: Generator) -> Deck:
    kind = random.random()
    if kind < 0.3:
        return STANDARD.deck
    most, plain = (2, 12) if kind < 0.6 else (5, 50) if kind < 0.95 else (30, 400)
    penalties = random.integers(0, most + 1, 4).tolist()
    return Deck(int(random.integers(not any(penalties), plain + 1)), *penalties)


def _rows(random: Generator, size: int) -> np.ndarray:
    """Make stated deals, a row each: every row with its own share of penalty cards."""
    shape = (max(1, min(4000, CARDS // size)), size)
    share = random.choice([0.0, 0.02, 0.1, 0.3, 0.5, 1.0], (shape[0], 1))
    return (random.integers(1, 5, shape) * (random.random(shape) < share)).astype(np.uint8)


def _rules(random: Generator) -> Rules:
    deck = _deck(random)
    while deck.size > 100:
        deck = _deck(random)
    players = int(random.choice([2, 2, 2, 3, 4, 7, 16]))
    rules = Rules(
        deck=deck,
        players=players,
        dealing=str(random.choice(["alternate", "blocks"])),
        top=str(random.choice(["first", "last"])),
        leader=int(random.integers(players)),
        pile=str(random.choice(["as played", "reversed"])),
        next_leader=str(random.choice(["taker", "payer"])),
        ends=str(random.choice(["cannot play", "empty hand"])) if players == 2 else "cannot play",
        stop_tricks=int(random.integers(1, 100)) if random.random() < 0.3 else None,
        stop_on_repeat=bool(random.random() < 0.3),
    )
    if random.random() < 0.5:
        rules = replace(rules, penalties=(0, *random.integers(0, 7, 4).tolist()))
    return rules


def _hands(row: np.ndarray, sizes: Sequence[int]) -> tuple[bytes, ...]:
    cuts = np.cumsum(sizes)[:-1]
    return tuple(hand.tobytes() for hand in np.split(row, cuts))


def _deal(row: np.ndarray, sizes: Sequence[int]) -> str:
    return hands_text(_hands(row, sizes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run rounds and print what was compared, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first round")
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--every", type=int, default=10_000, help="rounds between two reports")
    asked = parser.parse_args(arguments)
    counts = {kind: {"rounds": 0, "kernels": 0, "reference": 0} for kind in KINDS}
    differences = []
    for number, (kind, games, difference) in enumerate(
        run(asked.seed, asked.first, asked.rounds), 1
    ):
        for name, more in {"rounds": 1, **games}.items():
            counts[kind][name] += more
        if difference:
            differences.append(difference)
            print(difference, file=sys.stderr, flush=True)
        if number % asked.every == 0 or number == asked.rounds:
            about = {"seed": asked.seed, "first": asked.first, "rounds": number}
            about |= {"kernels": _engine.kernels(), "cpu_seconds": round(time.process_time(), 1)}
            print(
                json.dumps(about | {"kinds": counts, "differences": len(differences)}), flush=True
            )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
