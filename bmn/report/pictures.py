"""The pictures of a run, each a Vega-Lite description made from the tables alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from bmn import lengths as lt
from bmn import reference
from bmn.cards import Deal
from bmn.report.hunts import climbing
from bmn.report.length_pictures import buckets, hazard, in_full, survival
from bmn.report.run import Run, best_so_far, joint_counts
from bmn.report.vega import WHOLE, Picture, Spec, count_axis, hover_line, log_scale, number, shown


def pictures(run: Run) -> list[Picture]:
    """Draw every picture there are results for; none while a check is red."""
    if not run.green or not run.record:
        return []
    drawn = [buckets(run), in_full(run), survival(run), hazard(run)]
    drawn += [jointly(run), best(run), climbing(run)]
    if run.playable:
        drawn.append(record_hands(run))
    return [picture for picture in drawn if picture is not None]


def jointly(run: Run) -> Picture:
    """Draw tricks and card plays together."""
    longest = run.record[0]
    tricks_bin = max(1, longest["tricks"] // 100)
    plays_bin = max(5, longest["card_plays"] // 100)
    cells = joint_counts(run.parts, tricks_bin, plays_bin)
    values = [
        {"t": t, "t2": t + tricks_bin, "c": c, "c2": c + plays_bin, "deals": n}
        for (t, c), n in cells.items()
    ]
    done = lt.finished(run.lengths)
    means = [
        {"tricks": t, "mean": p / n, "deals": n}
        for t, n, p in zip(
            *(done[k].tolist() for k in ("tricks", "deals", "card_plays")), strict=True
        )
    ]
    x = number("tricks", "tricks")
    y = number("mean", "card plays", axis={"format": ",d"})
    spec = {
        "data": {"values": means},
        "layer": [
            {
                "data": {"values": values},
                "mark": {"type": "rect", "strokeWidth": 0},
                "encoding": {
                    "x": number("t", "tricks"),
                    "x2": {"field": "t2"},
                    "y": number("c", "card plays"),
                    "y2": {"field": "c2"},
                    "color": number(
                        "deals",
                        "deals, about",
                        scale={"type": "log", "range": ["@seat1-soft", "@seat1"]},
                        legend={
                            "format": ".0s",
                            "gradientLength": 120,
                            "orient": "bottom-right",
                            "tickCount": 4,
                        },
                    ),
                },
            },
            {
                "mark": {"type": "line", "color": "@seat2", "strokeWidth": 1.5, "clip": True},
                "encoding": {"x": x, "y": y},
            },
            hover_line(
                x,
                shown(
                    ("tricks", "tricks", WHOLE),
                    ("mean", "mean card plays", ",.1f"),
                    ("deals", "deals", WHOLE),
                ),
            ),
        ],
    }
    total, plays = lt.total(run.lengths, "deals"), lt.total(run.lengths, "card_plays")
    tricks = int(np.sum(run.lengths["tricks"] * run.lengths["deals"]))
    rows = [
        m for m in means if m["tricks"] in (5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500)
    ]
    return Picture(
        "jointly",
        "Tricks and card plays together",
        f"A game takes {tricks / total:.2f} tricks and {plays / total:.2f} card plays in the mean, "
        f"about {plays / tricks:.1f} cards a trick. Orange: the mean for every length, from all "
        "deals. Blue: how many deals lie where, estimated from the first deal of every length in "
        "every chunk; the scale is logarithmic.",
        spec,
        ("tricks", "deals", "mean card plays"),
        [(f"{m['tricks']}", f"{m['deals']:,}", f"{m['mean']:,.1f}") for m in rows],
        ("lengths.parquet", "search/"),
    )


def best(run: Run) -> Picture:
    """Draw the longest game so far against deals examined."""
    found = best_so_far(run.lengths)
    first, deals = run.search.first_seed, run.search.seeds
    steps = [
        {"deals": seed - first + 1, "tricks": tricks, "seed": f"{seed:,}"} for seed, tricks in found
    ]
    values = [*steps, steps[-1] | {"deals": deals}]
    x = number("deals", "deals examined", scale=log_scale(1, deals), axis=count_axis(deals))
    y = number("tricks", "tricks of the longest so far", scale={"domainMin": 0})
    layers: list[Spec] = []
    said = ""
    if run.law:
        grid = np.unique(np.geomspace(10, deals, 60).astype(int)).tolist()
        spread = run.law.longest_deviation
        expected = [
            {
                "deals": n,
                "tricks": run.law.longest(n),
                "low": run.law.longest(n) - spread,
                "high": run.law.longest(n) + spread,
            }
            for n in grid
        ]
        ten = run.law.longest(10 * deals) - run.law.longest(deals)
        said = (
            " Shaded: what the exponential law leads one to expect, one standard deviation to "
            f"either side. Ten times the work buys {ten:.0f} tricks."
        )
        layers = [
            {
                "data": {"values": expected},
                "mark": {"type": "area", "color": "@line", "opacity": 0.7},
                "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
            },
            {
                "data": {"values": expected},
                "mark": {"type": "line", "color": "@ink", "strokeDash": [5, 4]},
                "encoding": {"x": x, "y": y},
            },
        ]
    layers += [
        {
            "mark": {
                "type": "line",
                "interpolate": "step-after",
                "color": "@seat1",
                "strokeWidth": 2.5,
            },
            "encoding": {"x": x, "y": y},
        },
        hover_line(
            x,
            shown(
                ("deals", "deals examined", WHOLE),
                ("tricks", "longest so far", WHOLE),
                ("seed", "seed", ""),
            ),
        ),
    ]
    return Picture(
        "best_so_far",
        "The longest game so far, against deals examined",
        f"The record was set {len(found)} times on the way." + said,
        {"data": {"values": values}, "layer": layers},
        ("deals examined", "seed", "tricks"),
        [(f"{s['deals']:,}", s["seed"], f"{s['tricks']:,}") for s in steps],
        ("lengths.parquet",),
    )


def record_hands(run: Run) -> Picture:
    """Draw both hands' sizes over the record game."""
    record = run.record[0]
    deal = Deal.parse(record["deal"])
    values: list[dict[str, Any]] = [
        {"play": 0, "trick": 1, "one": len(deal.first), "two": len(deal.second)}
    ]
    for move in reference.moves(deal, cap=run.search.cap):
        if move.took is not None:
            values.append(
                {
                    "play": move.card_play,
                    "trick": move.trick + 1,
                    "one": len(move.first),
                    "two": len(move.second),
                }
            )
    values.append(values[-1] | {"play": record["card_plays"]})
    size = deal.deck.size
    for value in values:
        value["all"] = size
    x = number(
        "play",
        "card plays",
        axis={"format": ",d"},
        scale={"domain": [0, record["card_plays"]], "nice": False},
    )
    y = {
        "type": "quantitative",
        "title": "cards held",
        "axis": {"values": list(range(0, size + 1, 13))},
    }
    y |= {"scale": {"domain": [0, size], "nice": False}}
    area = {"type": "area", "interpolate": "step-after"}
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": area | {"color": "@seat2-soft"},
                "encoding": {"x": x, "y": y | {"field": "all"}, "y2": {"field": "one"}},
            },
            {
                "mark": area
                | {"color": "@seat1-soft", "line": {"color": "@seat1", "strokeWidth": 1}},
                "encoding": {"x": x, "y": y | {"field": "one"}, "y2": {"datum": 0}},
            },
            hover_line(
                x,
                shown(
                    ("trick", "trick", WHOLE),
                    ("play", "card plays before it", WHOLE),
                    ("one", "seat 1 holds", WHOLE),
                    ("two", "seat 2 holds", WHOLE),
                ),
            ),
        ],
    }
    low = {seat: min(v[seat] for v in values) for seat in ("one", "two")}
    return Picture(
        "record_hands",
        "The hands of the record game",
        "Blue: the cards seat 1 holds when a trick begins; orange: seat 2. On the way "
        f"seat 1 was down to {low['one']} and seat 2 to {low['two']}.",
        spec,
        ("trick", "card plays before it", "seat 1", "seat 2"),
        [
            (f"{v['trick']:,}", f"{v['play']:,}", f"{v['one']}", f"{v['two']}")
            for v in values[:: max(1, len(values) // 12)]
        ],
        ("record.parquet",),
    )
