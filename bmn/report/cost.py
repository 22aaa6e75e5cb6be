"""What a run cost: the only part of the page that is measured in seconds."""

from __future__ import annotations

from bmn import store
from bmn.report.run import Run
from bmn.report.vega import Picture, log_scale, number, shown

COST = "timing/cost.json"

BENCH = "timing/bench.json"
"""What ``bmn bench --json`` prints, if somebody keeps it there."""


def cost_facts(run: Run) -> dict[str, str] | None:
    """Tell the time of the search, and its speed against the slow implementation.

    Returns
    -------
    dict or None
        ``search`` and ``ratio``, each a sentence; None if no chunk of the run was timed.
    """
    cost = store.read_json(run.folder / COST)
    if "engine" not in cost:
        return None
    engine, reference = cost["engine"], cost["reference"]
    untimed = cost["chunks"] - cost["chunks_timed"]
    apart = f"; without {untimed} chunks that were made elsewhere" if untimed else ""
    ratio = cost["engine_speed_over_reference"]
    slow = seconds(cost["reference_cpu_seconds_for_the_search"])
    return {
        "search": (
            f"{seconds(engine['wall_seconds'])} with {engine['workers']} at work "
            f"({seconds(engine['cpu_seconds'])} of CPU time, {' and '.join(engine['kernels'])}), "
            f"{engine['deals']:,} deals: every seed in each of {len(run.summary['chunk_sizes'])} "
            f"decompositions{apart}"
        ),
        "ratio": (
            f"roughly {float(f'{ratio:.2g}'):,.0f} times as fast, measured on "
            f"{reference['share_of_the_search']:.2%} of the search; the slow one would take about "
            f"{slow} for all of it"
        ),
    }


def speed_pictures(run: Run) -> list[Picture]:
    """Draw the speed of every implementation that was timed."""
    cost = store.read_json(run.folder / COST)
    reference = cost["reference"]
    speeds = [("reference (Python)", reference["card_plays_per_second"])]
    sources = [COST]
    if run.has(BENCH):
        sources.append(BENCH)
        kernels = store.read_json(run.folder / BENCH)["kernels"]
        measured = [(f"kernel {k['kernel']}", k["card_plays_per_second"]) for k in kernels]
        speeds += sorted(measured, key=lambda pair: pair[1])
    if "engine" in cost:
        name = f"this search ({', '.join(cost['engine']['kernels'])})"
        speeds.append((name, cost["engine"]["card_plays_per_cpu_second"]))
    values = [{"who": who, "speed": speed, "ratio": speed / speeds[0][1]} for who, speed in speeds]
    top = max(speed for _, speed in speeds)
    y = {"field": "who", "type": "nominal", "sort": None, "title": None}
    y |= {"axis": {"labelLimit": 260, "labelFontSize": 12}}
    low = min(speed for _, speed in speeds) / 10
    x = number("speed", "card plays a CPU second", scale=log_scale(low, top * 4))
    x |= {"axis": {"format": "~s", "tickCount": 5}}
    tip = shown(
        ("who", "by", ""), ("speed", "card plays a second", ",d"), ("ratio", "ratio", ",.1f")
    )
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "color": "@seat1", "height": {"band": 0.6}},
                "encoding": {"x": x, "x2": {"datum": low}, "y": y, "tooltip": tip},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 6},
                "encoding": {"x": x, "y": y, "text": {"field": "speed", "format": ".3~s"}},
            },
        ],
    }
    return [
        Picture(
            "speed",
            "Speed by implementation",
            "Card plays per second of CPU time, on a logarithmic scale.",
            spec,
            ("implementation", "card plays a CPU second", "ratio"),
            [(v["who"], f"{v['speed']:,.0f}", f"{v['ratio']:,.1f}") for v in values],
            sources,
        )
    ]


def seconds(duration: float) -> str:
    """Write a duration as seconds, minutes or hours, to two or three digits."""
    if duration < 10:
        return f"{duration:.2g} s"
    if duration < 100:
        return f"{duration:.0f} s"
    if duration < 6000:
        return f"{duration / 60:.0f} minutes"
    return f"{duration / 3600:,.1f} hours"
