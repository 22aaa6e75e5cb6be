"""The pictures of a run, each a Vega-Lite description made from the tables alone."""

from __future__ import annotations

from math import log, log10
from typing import Any

import numpy as np

from bmn import lengths as lt
from bmn import reference
from bmn.cards import Deal
from bmn.report import law as tail
from bmn.report.run import Run, best_so_far, joint_counts
from bmn.report.vega import Picture, Spec, hover_line, label, log_scale, number, shown

WHOLE = ",d"


def pictures(run: Run) -> list[Picture]:
    """Draw every picture there are results for; none while a check is red."""
    if not run.green or not run.record:
        return []
    drawn = [buckets(run), in_full(run), survival(run), hazard(run)]
    drawn += [jointly(run), best(run), record_hands(run)]
    return [picture for picture in drawn if picture is not None]


def buckets(run: Run) -> Picture:
    """Draw the lengths of games by powers of two."""
    done = lt.finished(run.lengths)
    deals = lt.total(run.lengths, "deals")
    exponent = np.log2(done["tricks"].astype(float)).astype(int)
    values = []
    for power in range(int(exponent.max()) + 1):
        count = int(done["deals"][exponent == power].sum())
        if count:
            first, last = 2**power, 2 ** (power + 1) - 1
            text = f"{first}–{last}" if last > first else "1"
            values.append({"from": first, "tricks": text, "deals": count, "share": count / deals})
    x = {
        "field": "from",
        "type": "ordinal",
        "title": "tricks, from one power of two to the next",
        "axis": {"labelAngle": 0},
    }
    top = max_of(values, "deals")
    y = number("deals", "deals", scale=log_scale(0.7, 3 * top), axis=count_axis(3 * top))
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "color": "@seat1", "width": {"band": 0.8}},
                "encoding": {
                    "x": x,
                    "y": y,
                    "y2": {"datum": 0.7},
                    "tooltip": shown(
                        ("tricks", "tricks", ""), ("deals", "deals", WHOLE), ("share", "of all", ".3~%")
                    ),
                },
            },
            {
                "mark": {"type": "text", "baseline": "bottom", "dy": -4, "fontSize": 11},
                "encoding": {"x": x, "y": y, "text": {"field": "deals", "format": ".3~s"}},
            },
        ],
    }
    return Picture(
        "lengths_log2",
        "How long games last, by powers of two",
        "Half of all games are over within "
        f"{run.summary['quantiles']['tricks']['0.5']} tricks. Each bar counts the deals whose "
        "length lies between two powers of two; the scale of deals is logarithmic.",
        spec,
        ("tricks", "deals", "share"),
        [(v["tricks"], f"{v['deals']:,}", f"{v['share']:.3%}") for v in values],
        ("lengths.parquet",),
    )


def in_full(run: Run) -> Picture:
    """Draw the number of deals of every length."""
    done = lt.finished(run.lengths)
    values = [
        {"tricks": tricks, "deals": deals, "plays": plays / deals}
        for tricks, deals, plays in zip(
            *(done[name].tolist() for name in ("tricks", "deals", "card_plays")), strict=True
        )
    ]
    x = number("tricks", "tricks")
    top = max_of(values, "deals")
    y = number("deals", "deals", scale=log_scale(0.7, 2 * top), axis=count_axis(2 * top))
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "circle", "size": 10, "color": "@seat1", "opacity": 1},
                "encoding": {"x": x, "y": y},
            },
            hover_line(
                x,
                shown(
                    ("tricks", "tricks", WHOLE),
                    ("deals", "deals", WHOLE),
                    ("plays", "mean card plays", ",.1f"),
                ),
            ),
        ],
    }
    top = sorted(values, key=lambda v: v["tricks"])[-10:][::-1]
    return Picture(
        "lengths",
        "Every length there was",
        "One point for each number of tricks. After a short rise the points follow a straight "
        "line on this logarithmic scale, until single deals are left.",
        spec,
        ("tricks", "deals", "mean card plays"),
        [(f"{v['tricks']:,}", f"{v['deals']:,}", f"{v['plays']:,.1f}") for v in top],
        ("lengths.parquet",),
    )


def survival(run: Run) -> Picture:
    """Draw the survival curve, the exponential fit of its tail, and the record's place."""
    deals = lt.total(run.lengths, "deals")
    tricks, longer = tail.survival(run.lengths)
    values = [
        {"tricks": t, "longer": n, "share": n / deals}
        for t, n in zip(tricks.tolist(), longer.tolist(), strict=True)
        if n
    ]
    record = run.record[0]["tricks"]
    law = run.law
    mean, spread = (law.longest(deals), law.longest_sd) if law else (0.0, 0.0)
    right = 1.08 * max(record, mean + spread)
    x = number("tricks", "t, in tricks", scale={"domain": [0, right], "nice": False})
    low = 1 / (4 * deals)
    y = number("share", "deals longer than t tricks", scale=log_scale(low, 1), axis=share_axis(deals))
    layers: list[Spec] = []
    if law:
        end = log(law.constant / low) / law.rate
        layers += [
            band(mean - spread, mean + spread),
            {
                "data": {
                    "values": [{"tricks": t, "share": law.survival(t)} for t in (law.first, end)]
                },
                "mark": {"type": "line", "color": "@ink", "strokeDash": [5, 4]},
                "encoding": {"x": x, "y": y},
            },
            label("forecast of the longest", x=mean - spread, y=1, align="right", dx=-6, dy=4),
        ]
    layers += [
        {
            "mark": {"type": "line", "color": "@seat1", "strokeWidth": 2.5, "interpolate": "step-after"},
            "encoding": {"x": x, "y": y},
        },
        {
            "data": {"values": [{"tricks": record, "share": 1 / deals}]},
            "mark": {"type": "point", "filled": True, "size": 80, "color": "@seat2", "opacity": 1},
            "encoding": {"x": x, "y": y},
        },
        label(f"{record:,}", x=record, y=1 / deals, color="@seat2", dx=9, dy=-6),
        hover_line(
            x,
            shown(("tricks", "t", WHOLE), ("longer", "deals longer", WHOLE), ("share", "share", ".3~g")),
        ),
    ]
    said = ""
    if law:
        said = (
            f" From {law.first} tricks on a game ends in each trick with the chance "
            f"{law.hazard:.4%} ± {law.hazard_se:.4%}; by that law (dashed: "
            f"{law.constant:.3f} e^(−{law.rate:.5f} t)) the longest of {deals:,} deals is expected "
            f"at {mean:.0f} ± {spread:.0f} tricks (shaded). The record, orange, has {record:,}."
        )
    steps = range(0, record + 1, max(25, record // 12 // 25 * 25))
    return Picture(
        "survival",
        "How many games outlast t tricks",
        "The tail of the lengths is exponential: a long game is as likely to end in its next trick "
        "as a longer one." + said,
        {"data": {"values": values}, "layer": layers},
        ("t", "deals longer", "share", "by the law"),
        [
            (
                f"{t}",
                f"{longer[t]:,}",
                f"{longer[t] / deals:.3g}",
                f"{law.survival(t):.3g}" if law and t >= law.first else "",
            )
            for t in steps
            if t < len(longer)
        ],
        ("lengths.parquet",),
    )


def hazard(run: Run) -> Picture | None:
    """Draw the chance of ending in a trick, against the trick."""
    width = 5
    runs = tail.hazards(run.lengths, width)
    if run.law is None or len(runs) < 3:
        return None
    values = [r | {"middle": (r["first"] + r["last"]) / 2, "run": f"{r['first']}–{r['last']}"} for r in runs]
    x = number("middle", "trick")
    title = "chance that a game ends in a trick"
    top = 1.6 * max(v["hazard"] for v in values)
    y = {"type": "quantitative", "title": title, "axis": {"format": ".0%", "tickCount": 5}}
    y |= {"scale": {"domain": [0, round(top, 3)], "clamp": True}}
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "color": "@ink", "strokeDash": [5, 4]},
                "encoding": {"y": y | {"datum": run.law.hazard}},
            },
            {
                "mark": {"type": "rule", "color": "@seat1", "opacity": 0.5},
                "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "size": 22, "color": "@seat1", "opacity": 1},
                "encoding": {"x": x, "y": y | {"field": "hazard"}},
            },
            hover_line(
                x,
                shown(("run", "tricks", ""), ("ended", "games ended", WHOLE), ("hazard", "chance", ".3%")),
            ),
        ],
    }
    return Picture(
        "hazard",
        "Length has no memory",
        f"The chance that a game ends in a trick, over runs of {width} tricks, with bars of two "
        f"standard errors. After the opening it stays at {run.law.hazard:.2%} (dashed), however long "
        "the game has lasted: a long game is no sign of a longer one.",
        spec,
        ("tricks", "games ended", "chance", "± 2 standard errors"),
        [
            (v["run"], f"{v['ended']:,}", f"{v['hazard']:.3%}", f"{v['high'] - v['hazard']:.3%}")
            for v in values[:: max(1, len(values) // 14)]
        ],
        ("lengths.parquet",),
    )


def jointly(run: Run) -> Picture:
    """Draw tricks and card plays together."""
    longest = run.record[0]
    tricks_bin = max(1, longest["tricks"] // 100)
    plays_bin = max(5, longest["card_plays"] // 100)
    cells = joint_counts(run.chunks, tricks_bin, plays_bin)
    values = [
        {"t": t, "t2": t + tricks_bin, "c": c, "c2": c + plays_bin, "deals": n}
        for (t, c), n in cells.items()
    ]
    done = lt.finished(run.lengths)
    means = [
        {"tricks": t, "mean": p / n, "deals": n}
        for t, n, p in zip(*(done[k].tolist() for k in ("tricks", "deals", "card_plays")), strict=True)
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
                        legend={"format": ".0s", "gradientLength": 120, "orient": "bottom-right", "tickCount": 4},
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
    rows = [m for m in means if m["tricks"] in (5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500)]
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
    steps = [{"deals": seed - first + 1, "tricks": tricks, "seed": f"{seed:,}"} for seed, tricks in found]
    values = [*steps, steps[-1] | {"deals": deals}]
    x = number("deals", "deals examined", scale=log_scale(1, deals), axis=count_axis(deals))
    y = number("tricks", "tricks of the longest so far", scale={"domainMin": 0})
    layers: list[Spec] = []
    said = ""
    if run.law:
        grid = np.unique(np.geomspace(10, deals, 60).astype(int)).tolist()
        spread = run.law.longest_sd
        expected = [
            {"deals": n, "tricks": run.law.longest(n), "low": run.law.longest(n) - spread, "high": run.law.longest(n) + spread}
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
            "mark": {"type": "line", "interpolate": "step-after", "color": "@seat1", "strokeWidth": 2.5},
            "encoding": {"x": x, "y": y},
        },
        hover_line(
            x,
            shown(("deals", "deals examined", WHOLE), ("tricks", "longest so far", WHOLE), ("seed", "seed", "")),
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
    values: list[dict[str, Any]] = [{"play": 0, "trick": 1, "one": len(deal.first), "two": len(deal.second)}]
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
    x = number("play", "card plays", axis={"format": ",d"}, scale={"domain": [0, record["card_plays"]], "nice": False})
    y = {"type": "quantitative", "title": "cards held", "axis": {"values": list(range(0, size + 1, 13))}}
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
                "mark": area | {"color": "@seat1-soft", "line": {"color": "@seat1", "strokeWidth": 1}},
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
        f"Blue: the cards seat 1 holds when a trick begins; orange: seat 2. In {record['tricks']:,} "
        f"tricks seat 1 was down to {low['one']} and seat 2 to {low['two']} cards before the last.",
        spec,
        ("trick", "card plays before it", "seat 1", "seat 2"),
        [
            (f"{v['trick']:,}", f"{v['play']:,}", f"{v['one']}", f"{v['two']}")
            for v in values[:: max(1, len(values) // 12)]
        ],
        ("record.parquet",),
    )


def count_axis(top: float) -> Spec:
    """Return a logarithmic axis of counts, marked at the powers of ten up to `top`."""
    return {"format": "~s", "values": [10**k for k in range(int(log10(top)) + 1)]}


def share_axis(deals: int) -> Spec:
    """Return a logarithmic axis of shares, marked "1 in 10" and so on up to one of `deals`."""
    text = "datum.value == 1 ? 'all' : '1 in ' + format(1 / datum.value, '~s')"
    return {"labelExpr": text, "values": [10**-k for k in range(int(log10(deals)) + 1)]}


def band(low: float, high: float) -> Spec:
    """Return a layer that shades a range of x."""
    return {
        "data": {"values": [{"low": low, "high": high}]},
        "mark": {"type": "rect", "color": "@line", "opacity": 0.6},
        "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
    }


def max_of(values: list[dict[str, Any]], key: str) -> float:
    """Return the largest value of a key."""
    return max(value[key] for value in values)
