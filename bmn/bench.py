"""How fast the engine is: every kernel on the same seeds in turn, on this machine.

Speed on a shared machine comes and goes, so the kernels take turns: a round runs each of them
once, a kernel's ratio to `plain` is taken within a round, and the medians over the rounds are
what counts. Seconds are the CPU's, of the thread that plays, except for the scaling over
workers, where the wall clock is meant.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bmn.cards import STANDARD
from bmn.errors import InputError

BASELINE = "plain"
"""The kernel the others are compared with."""


def measure(
    seeds: int = 1_000_000,
    repeats: int = 5,
    workers: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Measure the kernels, stated deals, and the scaling over workers.

    Parameters
    ----------
    seeds
        Seeds 0, 1, ... that every kernel plays in every round.
    repeats
        Rounds.
    workers
        The most threads to scale to; by default one for each core.
    tell
        Called with what is being measured next.

    Returns
    -------
    dict
        ``cpu``, ``seeds``, ``repeats``, ``fingerprint`` (hexadecimal, the same for all kernels),
        ``kernels`` and ``stated_deals`` (a list of one entry a kernel each), and ``workers``.
        ``deals_per_second``, ``card_plays_per_second`` and ``ratio_to_plain`` are medians.

    Raises
    ------
    InputError
        If a number is less than 1.
    RuntimeError
        If two kernels do not give the same tables.
    """
    from bmn import _engine

    workers = os.cpu_count() or 1 if workers is None else workers
    for name, number in (("seeds", seeds), ("repeats", repeats), ("workers", workers)):
        if number < 1:
            raise InputError(f"the number of {name} is {number}; use at least 1")
    names = _engine.kernels()
    rows = _random_deals(min(seeds, 1_000_000))
    searches: dict[str, list[float]] = {name: [] for name in names}
    stated: dict[str, list[float]] = {name: [] for name in names}
    for number in range(repeats):
        tables = {}
        for name in names:
            tell(f"round {number + 1} of {repeats}: {name}")
            seconds, tables[name] = _cpu_seconds(_engine.search, 0, seeds, kernel=name)
            searches[name].append(seconds / seeds)
            seconds, _ = _cpu_seconds(_engine.play_many, rows, kernel=name)
            stated[name].append(seconds / len(rows))
        _check_same(tables)
    lengths = tables[BASELINE].lengths
    plays = int(lengths["card_plays"].sum()) / seeds
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "seeds": seeds,
        "repeats": repeats,
        "fingerprint": f"{int(lengths['fingerprint'].sum(dtype=np.uint64)):016x}",
        "kernels": [_speed(name, searches, plays) for name in names],
        "stated_deals": [
            _speed(name, stated, plays) | {"ratio_to_search": _ratio(searches[name], stated[name])}
            for name in names
        ],
        "workers": _scaling(names[0], seeds, repeats, workers, tell),
    }


def _speed(name: str, seconds: dict[str, list[float]], card_plays: float) -> dict[str, Any]:
    """Turn seconds a deal, one for each round, into medians."""
    deals = 1 / median(seconds[name])
    return {
        "kernel": name,
        "deals_per_second": deals,
        "card_plays_per_second": deals * card_plays,
        "ratio_to_plain": _ratio(seconds[BASELINE], seconds[name]),
    }


def _ratio(baseline: list[float], seconds: list[float]) -> float:
    return median(b / s for b, s in zip(baseline, seconds, strict=True))


def _cpu_seconds(function: Callable, *arguments: Any, **keywords: Any) -> tuple[float, Any]:
    start = time.thread_time()
    result = function(*arguments, **keywords)
    return time.thread_time() - start, result


def _check_same(tables: dict[str, Any]) -> None:
    """Refuse to compare the speed of kernels that do not do the same."""
    wanted = tables[BASELINE]
    for name, found in tables.items():
        for part in ("lengths", "plays"):
            columns = getattr(wanted, part)
            if not all(np.array_equal(columns[c], getattr(found, part)[c]) for c in columns):
                raise RuntimeError(f"the kernels {name} and {BASELINE} give different tables")


def _random_deals(number: int) -> np.ndarray:
    cards = np.tile(np.frombuffer(STANDARD.cards, np.uint8), (number, 1))
    return np.random.default_rng(0).permuted(cards, axis=1)


def _scaling(
    kernel: str, seeds: int, repeats: int, most: int, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Deals a second of wall time of 1, 2, 4, ... and `most` threads, each with its own seeds.

    ``ratio_to_one`` is of wall time, and low where the cores have other work to do;
    ``cpu_ratio_to_one`` is what it would be if they had none, by the CPU's seconds a deal.
    """
    from bmn import _engine

    # Long enough that starting a thread does not matter.
    chunk, chunks = max(seeds, 2_000_000), sorted({1, 2, *range(4, most, 4), most})
    counts = [count for count in chunks if count <= most]
    rates: dict[int, list[float]] = {count: [] for count in counts}
    cpu: dict[int, list[float]] = {count: [] for count in counts}

    def search(first_seed: int) -> None:
        _engine.search(first_seed, chunk, kernel=kernel)

    for number in range(repeats):
        for count in counts:
            tell(f"round {number + 1} of {repeats}: {count} workers")
            with ThreadPoolExecutor(count) as pool:
                wall, busy = time.perf_counter(), time.process_time()
                list(pool.map(search, range(0, count * chunk, chunk)))
                rates[count].append(count * chunk / (time.perf_counter() - wall))
                cpu[count].append((time.process_time() - busy) / (count * chunk))
    return [
        {
            "workers": count,
            "kernel": kernel,
            "deals_per_second": median(rates[count]),
            "ratio_to_one": _ratio(rates[count], rates[1]),
            "cpu_ratio_to_one": count * _ratio(cpu[1], cpu[count]),
        }
        for count in counts
    ]


def _cpu() -> str:
    """Name the CPU."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
