"""Pieces of Vega-Lite that every picture uses, and the files made from a finished picture.

A picture is one Vega-Lite description: the page draws it with Vega, interactive, and the SVG and
PNG files for slides are drawn from the same description by vl-convert. Colours are written
``@name`` and filled in for light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any

from bmn.report.palette import painted
from bmn.store import replacing

VEGALITE = "6.4"
"""The version of Vega-Lite the pictures are written in."""

Spec = dict[str, Any]

WHOLE = ",d"
"""The number format of counts."""


@dataclass(frozen=True)
class Picture:
    """A picture and what is told beside it.

    Attributes
    ----------
    name
        Of its files, without extension.
    title, caption
        A short title, and in one or two sentences what to see.
    spec
        The Vega-Lite description, without size and title.
    columns, table
        The same in a few rows, for those who cannot see it.
    sources
        The result files it was drawn from.
    """

    name: str
    title: str
    caption: str
    spec: Spec
    columns: Sequence[str]
    table: Sequence[Sequence[str]]
    sources: Sequence[str]


def number(field: str, title: str, **more: Any) -> Spec:
    """Encode a field as a number on an axis or in a colour."""
    return {"field": field, "type": "quantitative", "title": title, **more}


def log_scale(*domain: float) -> Spec:
    """Return a logarithmic scale over a domain."""
    return {"type": "log", "domain": list(domain), "nice": False}


def count_axis(top: float) -> Spec:
    """Return a logarithmic axis of counts, marked at the powers of ten up to `top`."""
    return {"format": "~s", "values": [10**k for k in range(int(log10(top)) + 1)]}


def shown(*fields: tuple[str, str, str]) -> list[Spec]:
    """Return what is shown on hover: field, title and number format of each line."""
    return [
        {"field": field, "type": "quantitative", "title": title, "format": format_}
        if format_
        else {"field": field, "type": "nominal", "title": title}
        for field, title, format_ in fields
    ]


def hover_line(x: Spec, tooltip: list[Spec]) -> Spec:
    """Return a layer with a vertical line at the value nearest to the pointer."""
    nearest = {
        "type": "point",
        "fields": [x["field"]],
        "nearest": True,
        "on": "pointerover",
        "clear": "pointerout",
    }
    return {
        "params": [{"name": "hover", "select": nearest}],
        "mark": {"type": "rule", "color": "@edge"},
        "encoding": {
            "x": x,
            "opacity": {"condition": {"param": "hover", "empty": False, "value": 0.8}, "value": 0},
            "tooltip": tooltip,
        },
    }


def label(text: str, **place: Any) -> Spec:
    """Return a layer with one line of text at a place in data coordinates."""
    style = {"type": "text", "fontSize": 12, "color": "@muted", "align": "left", "baseline": "top"}
    mark = style | {key: place.pop(key) for key in ("dx", "dy", "align", "color") if key in place}
    return {
        "data": {"values": [place | {"text": text}]},
        "mark": mark,
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
            "text": {"field": "text"},
        },
    }


def save(picture: Picture, svg: str | Path, png: str | Path) -> None:
    """Draw a picture into an SVG and a PNG file, in light colours, with its title."""
    import vl_convert

    spec = painted(dressed(picture.spec, width=760, height=400))
    spec["title"] = {"text": picture.title, "anchor": "start", "fontSize": 18, "offset": 16}
    spec |= {"background": "white", "padding": 20}
    text = vl_convert.vegalite_to_svg(spec, vl_version=VEGALITE)
    with replacing(svg) as temporary:
        temporary.write_text(_renumbered(text), encoding="utf-8")
    with replacing(png) as temporary:
        temporary.write_bytes(vl_convert.svg_to_png(text, scale=2))


def _renumbered(svg: str) -> str:
    """Count the names inside a picture from 0: Vega counts on from the one drawn before."""
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        return names.setdefault(match[0], f"{match[1]}{len(names)}")

    return re.sub(r"\b(clip|gradient_)\d+\b", rename, svg)


def dressed(spec: Spec, width: int | str, height: int) -> Spec:
    """Return a description with its size and the house style."""
    axis = {
        "labelColor": "@muted",
        "titleColor": "@muted",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "titlePadding": 8,
        "gridColor": "@line",
        "domainColor": "@edge",
        "tickColor": "@edge",
        "labelFlush": False,
    }
    config = {
        "font": "Inter, Liberation Sans, Arial, sans-serif",
        "background": None,
        "view": {"stroke": None},
        "axis": axis,
        "axisX": {"grid": False},
        "axisY": {"domain": False, "ticks": False},
        "title": {"color": "@ink", "fontWeight": 600},
        "legend": {"labelColor": "@muted", "titleColor": "@muted", "labelFontSize": 12},
        "text": {"color": "@muted", "fontSize": 12},
    }
    schema = f"https://vega.github.io/schema/vega-lite/v{VEGALITE.split('.')[0]}.json"
    return {"$schema": schema, "width": width, "height": height, "config": config} | spec
