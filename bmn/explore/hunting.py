"""The tables of climbing and of long games, as the workflow builds them file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from math import sqrt
from pathlib import Path

import numpy as np

from bmn import api, store
from bmn.cards import Deck
from bmn.errors import InputError
from bmn.explore import climb, law, long
from bmn.explore.climb import Climb
from bmn.explore.columns import columns
from bmn.explore.long import TwoSided
from bmn.known import deal_of, known_deals
from bmn.shuffle import deal_seed
from bmn.store import Columns

METHODS: dict[str, Callable[[int, int, Deck], Columns]] = {
    "sampling": climb.sample,
    "climb, first 26 dealt": lambda chain, deals, deck: _climb(chain, deals, deck, False, False),
    "climb, anywhere": lambda chain, deals, deck: _climb(chain, deals, deck, True, False),
    "climb, anywhere, plateau": lambda chain, deals, deck: _climb(chain, deals, deck, True, True),
    "annealing": climb.anneal,
    "late acceptance": climb.late_acceptance,
}
"""What is compared: each takes its number, how many deals it may examine, and the deck."""

PATIENCE = {False: 700, True: 2700}
"""A climb starts again after so many deals in vain: about twice as many as there are exchanges,
325 among the first 26 cards and 1,326 anywhere."""

BEYOND = 2.0
"""A difference of so many standard errors is called one."""

LEADERS = {
    "source": object,
    "name": object,
    "deal": object,
    "tricks": np.uint64,
    "card_plays": np.uint64,
    "tricks_mann": np.uint64,
    "cards_mann": np.uint64,
    "gain": np.int64,
    "reference_agrees": np.bool_,
}
"""Columns of the leaderboard."""

TRUNKS = {
    "states": object,
    "sample": np.int64,
    "with_predecessor": np.int64,
    "most_on_trunk": np.int64,
    "search_agrees": np.int64,
    "mean_predecessors": np.float64,
    "mean_bush": np.float64,
    "most_bush_levels": np.int64,
    "mean_back_tricks": np.float64,
}
"""Columns of the table of trunks."""


def _climb(chain: int, deals: int, deck: Deck, anywhere: bool, plateau: bool) -> Columns:
    how = Climb(chain, deals, anywhere, plateau, PATIENCE[anywhere])
    return climb.climb(deal_seed(chain << 40, deck), how)


def write_climb(record_path: str, how: Climb, path: str | Path) -> None:
    """Climb from the longest deal of the search: one chain."""
    record, _ = store.read(record_path)
    if not len(record["deal"]):
        raise InputError(f"{record_path} has no deal to climb from; search more seeds")
    store.write(path, climb.climb(record["deal"][0], how), how.about)


def write_sample(chain: int, deals: int, deck: Deck, path: str | Path) -> None:
    """Look at random deals, for comparison with a climb."""
    about = {"chain": chain, "deals": deals, "deck": list(deck)}
    store.write(path, climb.sample(chain, deals, deck), about)


def write_method(method: str, restarts: int, deals: int, deck: Deck, path: str | Path) -> None:
    """Run one method several times, each time with other random numbers."""
    rows = []
    for restart in range(1, restarts + 1):
        trace = METHODS[method](restart, deals, deck)
        rows.append((method, restart, deals, trace["tricks"][-1], trace["deal"][-1]))
    kinds = {
        "method": object,
        "restart": np.uint32,
        "deals": np.uint64,
        "tricks": np.uint64,
        "deal": object,
    }
    store.write(path, columns(rows, kinds))


def write_comparison(
    method_paths: Iterable[str], lengths_path: str, path: str | Path, law_path: str | Path
) -> None:
    """Compare the methods with sampling and with what the law forecasts.

    Parameters
    ----------
    method_paths
        Files of `write_method`, sampling first.
    lengths_path
        The length table of the search, to which the law is fitted.
    path, law_path
        Where the comparison and the table of hazards go.
    """
    lengths, _ = store.read(lengths_path)
    fitted = law.fit(lengths)
    forecasts = {n: fitted.longest(n) for n in (10**4, 10**6, 10**8, 10**10)}
    longest = int(lengths["tricks"][lengths["finished"]].max())
    about = {
        **asdict(fitted),
        "longest_found": longest,
        "longest_forecast": fitted.longest(fitted.deals),
        "longest_deviation": fitted.longest_deviation,
        "forecast": {str(n): tricks for n, tricks in forecasts.items()},
    }
    store.write(law_path, law.hazards(lengths), about)
    rows, base = [], None
    for method_path in method_paths:
        table, _ = store.read(method_path)
        tricks, n = table["tricks"].astype(float), len(table["tricks"])
        mean, error = tricks.mean(), tricks.std(ddof=1) / sqrt(n)
        base = (mean, error) if base is None else base
        difference = mean - base[0]
        apart = difference / sqrt(error**2 + base[1] ** 2)
        deals = int(table["deals"][0])
        verdict = "the yardstick"
        if table["method"][0] != "sampling":
            verdict = "beats sampling" if apart > BEYOND else "does not beat sampling"
            verdict = "worse than sampling" if apart < -BEYOND else verdict
        forecast = fitted.longest(deals)
        rows.append(
            (table["method"][0], n, deals, mean, error, tricks.max(), forecast, apart, verdict)
        )
    kinds = {
        "method": object,
        "restarts": np.uint32,
        "deals": np.uint64,
        "mean_best": np.float64,
        "error": np.float64,
        "best": np.uint64,
        "forecast_for_sampling": np.float64,
        "errors_beyond_sampling": np.float64,
        "verdict": object,
    }
    store.write(path, columns(rows, kinds), about)


def write_two_sided(search: TwoSided, path: str | Path) -> None:
    """Search for long games both ways, with one key."""
    store.write(path, long.two_sided(search), search.about)


def write_leaderboard(record_path: str, two_sided: Sequence[str], path: str | Path) -> None:
    """Rank the longest deals: searched, published, each of these made longer, and two-sided.

    Every deal is played by the engine and, move by move, by the reference.
    """
    record, _ = store.read(record_path)
    deals = [
        ("search", f"seed {seed}", deal)
        for seed, deal in zip(record["seed"], record["deal"], strict=True)
    ]
    deals += [
        ("published", entry["name"], str(deal_of(entry)))
        for entry in known_deals()
        if entry["source"].startswith("record table") and entry["terminates"]
    ]
    rows = []
    for source, name, deal in deals:
        rows.append(_leader(source, name, deal, 0))
        made = long.extend(deal)
        if made.gain > 0:
            rows.append(_leader(f"{source}, made longer", name, made.deal, made.gain))
    for file in two_sided:
        found, about = store.read(file)
        for seed, cut, tricks, deal in zip(
            *(found[name] for name in ("seed", "cut", "seed_tricks", "deal")), strict=True
        ):
            name = f"key {about['key']}, seed {seed}, cut {cut}"
            leader = _leader("two-sided search", name, deal, 0)
            rows.append((*leader[:7], int(leader[3]) - int(tricks), leader[8]))
    rows.sort(key=lambda row: (-row[3], row[0], row[2]))
    store.write(path, columns(rows, LEADERS))


def _leader(source: str, name: str, deal: str, gain: int) -> tuple:
    game = api.play(deal)
    agrees = game == api.play(deal, engine="reference")
    return (
        source,
        name,
        deal,
        game.tricks,
        game.card_plays,
        game.tricks_mann,
        game.cards_mann,
        gain,
        agrees,
    )


def write_trunks(seeds: int, deck: Deck, path: str | Path, hazards_path: str | Path) -> None:
    """Measure what is said of trunks: predecessors, bushes, and how far back trunks go.

    Two samples of states with both hands exact: those among random states (a shuffled deck cut
    anywhere), and the first of the games of random deals.
    """
    from bmn.explore import _hunt

    random = _random_trunk_states(seeds, deck)
    rows = _hunt.deal_rows(0, seeds // 16, deck)
    split = (deck.size + 1) // 2
    reached, tricks = _hunt.to_trunk(_hunt.pack_rows(rows, split), long.NO_LIMIT)
    samples = {"random": random, "first of random deals": reached[tricks >= 0]}
    measured, hazards = [], []
    for name, states in samples.items():
        counts = _hunt.backward_counts(states)
        _, back = _hunt.heads(states, long.NO_LIMIT)
        measured.append(
            (
                name,
                len(states),
                np.count_nonzero(counts["on_trunk"]),
                counts["on_trunk"].max(),
                np.count_nonzero(counts["agrees"]),
                counts["predecessors"].mean(),
                counts["bush"].mean(),
                counts["bush_levels"].max(),
                back.mean(),
            )
        )
        lives, times = np.unique(back, return_counts=True)
        table = law.hazards(
            {"finished": np.ones(len(lives), bool), "tricks": lives, "deals": times}
        )
        hazards.append({"states": np.full(len(table["hazard"]), name, object)} | table)
    store.write(path, columns(measured, TRUNKS))
    merged = {n: np.concatenate([part[n] for part in hazards]) for n in hazards[0]}
    store.write(hazards_path, merged)


def _random_trunk_states(seeds: int, deck: Deck) -> np.ndarray:
    """Cut shuffled decks anywhere, and keep the states with both hands exact."""
    from bmn.explore import _hunt

    kept, cuts = [], range(1, deck.size)
    for cut in cuts:
        rows = _hunt.deal_rows(cut << 40, seeds // len(cuts), deck)
        states = _hunt.pack_rows(rows, cut)
        kept.append(states[_hunt.to_trunk(states, 0)[1] == 0])
    return np.concatenate(kept)
