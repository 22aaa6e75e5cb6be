"""The cost of a search, measured: card plays, seconds, workers, and the reference beside it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bmn import lengths as lt
from bmn import reference, store
from bmn.groups import timings
from bmn.tree import Tree


def measure(trees: Sequence[Tree], lengths_path: str | Path, cost_deals: int) -> dict[str, Any]:
    """Gather the engine's timings and time the reference on a slice of the search.

    Parameters
    ----------
    trees
        The chunks of every decomposition of the search; those whose timing is missing (they were
        made elsewhere) are left out and counted.
    lengths_path
        Its merged length table.
    cost_deals
        Deals from the first seed on that the reference plays; at most all of them.

    Returns
    -------
    dict
        Counts, and seconds of CPU and wall time, for engine and reference.
    """
    search = trees[0].search
    chunks = [chunk for tree in trees for chunk in timings(tree, tree.top)]
    deals = min(cost_deals, search.seeds)
    rules = search.rules
    start, plays = time.process_time(), 0
    for seed in range(search.first_seed, search.first_seed + deals):
        plays += reference.play(rules.deal(seed), cap=search.cap, rules=rules).card_plays
    reference_seconds = time.process_time() - start
    lengths, _ = store.read(lengths_path)
    cost = {
        "card_plays_of_the_search": lt.total(lengths, "card_plays"),
        "chunks": sum(search.seeds // tree.size for tree in trees),
        "chunks_timed": len(chunks),
        "reference": {
            "deals": deals,
            "share_of_the_search": deals / search.seeds,
            "card_plays": plays,
            "cpu_seconds": reference_seconds,
            "card_plays_per_second": plays / reference_seconds,
        },
    }
    if chunks:
        cost["engine"] = _engine_cost(chunks)
        speed = cost["engine"]["card_plays_per_cpu_second"]
        cost["engine_speed_over_reference"] = speed / cost["reference"]["card_plays_per_second"]
        cost["reference_cpu_seconds_for_the_search"] = (
            reference_seconds / plays * cost["card_plays_of_the_search"]
        )
    return cost


def _engine_cost(chunks: list[dict]) -> dict[str, Any]:
    """Add up the chunks; wall time counts each moment with any chunk at work once."""
    spans = [(chunk["start"], chunk["stop"]) for chunk in chunks]
    cpu = sum(chunk["cpu_seconds"] for chunk in chunks)
    deals = sum(chunk["seeds"] for chunk in chunks)
    plays = sum(chunk["card_plays"] for chunk in chunks)
    return {
        "kernels": sorted({chunk["kernel"] for chunk in chunks}),
        "deals": deals,
        "card_plays": plays,
        "cpu_seconds": cpu,
        "wall_seconds": covered(spans),
        # Those of chunks timed before there were threads have one.
        "workers": most_at_once(spans, [chunk.get("threads", 1) for chunk in chunks]),
        "deals_per_cpu_second": deals / cpu,
        "card_plays_per_cpu_second": plays / cpu,
    }


def covered(spans: Iterable[tuple[float, float]]) -> float:
    """Return the length of the union of intervals."""
    total, end = 0.0, float("-inf")
    for start, stop in sorted(spans):
        total += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return total


def most_at_once(spans: Sequence[tuple[float, float]], weights: Sequence[int]) -> int:
    """Return the largest total weight of intervals that share a moment."""
    events = sorted(
        event
        for (start, stop), weight in zip(spans, weights, strict=True)
        for event in ((start, weight), (stop, -weight))
    )
    most = now = 0
    for _, step in events:
        now += step
        most = max(most, now)
    return most
