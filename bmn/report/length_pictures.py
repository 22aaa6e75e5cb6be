"""The pictures of how long games last: bars, every length, survival, and the hazard of the tail."""

from __future__ import annotations

from math import exp, log, log10

import numpy as np

from bmn import lengths as lt
from bmn.explore import law as laws
from bmn.report import tail
from bmn.report.run import Run
from bmn.report.vega import (
    WHOLE,
    Picture,
    Spec,
    count_axis,
    hover_line,
    label,
    log_scale,
    number,
    shown,
)


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
    top = max(v["deals"] for v in values)
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
                        ("tricks", "tricks", ""),
                        ("deals", "deals", WHOLE),
                        ("share", "of all", ".3~%"),
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
    top = max(v["deals"] for v in values)
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
    mean, spread = (law.longest(deals), law.longest_deviation) if law else (0.0, 0.0)
    right = 1.08 * max(record, mean + spread)
    x = number("tricks", "t, in tricks", scale={"domain": [0, right], "nice": False})
    low = 1 / (4 * deals)
    y = number(
        "share", "deals longer than t tricks", scale=log_scale(low, 1), axis=share_axis(deals)
    )
    layers: list[Spec] = []
    if law:
        end = log(law.constant / low) / law.hazard
        layers += [
            band(mean - spread, mean + spread),
            {
                "data": {
                    "values": [{"tricks": t, "share": law.surviving(t)} for t in (laws.FIRST, end)]
                },
                "mark": {"type": "line", "color": "@ink", "strokeDash": [5, 4]},
                "encoding": {"x": x, "y": y},
            },
            label("forecast of the longest", x=mean - spread, y=1, align="right", dx=-6, dy=4),
        ]
    layers += [
        {
            "mark": {
                "type": "line",
                "color": "@seat1",
                "strokeWidth": 2.5,
                "interpolate": "step-after",
            },
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
            shown(
                ("tricks", "t", WHOLE),
                ("longer", "deals longer", WHOLE),
                ("share", "share", ".3~g"),
            ),
        ),
    ]
    said = ""
    if law:
        said = (
            f" From {laws.FIRST} tricks on a game ends in each trick with the chance "
            f"{1 - exp(-law.hazard):.4%} ± {law.hazard_error:.4%}; by that law (dashed: "
            f"{law.constant:.3f} e^(−{law.hazard:.5f} t)) the longest of {deals:,} deals is "
            f"expected at {mean:.0f} ± {spread:.0f} tricks (shaded). The record, orange, has "
            f"{record:,}."
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
                f"{law.surviving(t):.3g}" if law and t >= laws.FIRST else "",
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
    values = [
        r | {"middle": (r["first"] + r["last"]) / 2, "run": f"{r['first']}–{r['last']}"}
        for r in runs
    ]
    x = number("middle", "trick")
    title = "chance that a game ends in a trick"
    chance = 1 - exp(-run.law.hazard)
    top = 1.6 * max(v["hazard"] for v in values)
    y = {"type": "quantitative", "title": title, "axis": {"format": ".0%", "tickCount": 5}}
    y |= {"scale": {"domain": [0, round(top, 3)], "clamp": True}}
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "color": "@ink", "strokeDash": [5, 4]},
                "encoding": {"y": y | {"datum": chance}},
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
                shown(
                    ("run", "tricks", ""),
                    ("ended", "games ended", WHOLE),
                    ("hazard", "chance", ".3%"),
                ),
            ),
        ],
    }
    return Picture(
        "hazard",
        "Length has no memory",
        f"The chance that a game ends in a trick, over runs of {width} tricks, with bars of two "
        f"standard errors. After the opening it stays at {chance:.2%} (dashed), however "
        "long the game has lasted: a long game is no sign of a longer one.",
        spec,
        ("tricks", "games ended", "chance", "± 2 standard errors"),
        [
            (v["run"], f"{v['ended']:,}", f"{v['hazard']:.3%}", f"{v['high'] - v['hazard']:.3%}")
            for v in values[:: max(1, len(values) // 14)]
        ],
        ("lengths.parquet",),
    )


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
