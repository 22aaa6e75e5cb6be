"""The page: everything a run found, in one file that needs nothing else.

The file is a function of the results alone: it carries no date, no path and no second. What was
measured in seconds goes into a twin of the page, beside the timings, with the same content and
the cost of the run filled in.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from bmn import __version__
from bmn import lengths as lt
from bmn.cards import STANDARD
from bmn.checks.battery import rows as battery_rows
from bmn.checks.plants import PLANTS
from bmn.errors import InputError
from bmn.known import deal_of, known_deals
from bmn.report import claims
from bmn.report.cost import cost_facts, speed_pictures
from bmn.report.hunts import best_climbed, catalogue, committed_catalogue, leaderboard
from bmn.report.palette import COLOURS
from bmn.report.pictures import pictures
from bmn.report.remeasured import known_deals_tally, remeasured
from bmn.report.run import OPTIONAL, Run, prefix_tables
from bmn.report.vega import VEGALITE, Picture, dressed
from bmn.shuffle import check_seed
from bmn.store import replacing

SCRIPTS = (
    "timeline.js",
    "page.js",
    "strip.js",
    "instrument.js",
    "battery.js",
    "witness.js",
    "length-table.js",
    "search.js",
    "table.js",
    "figures.js",
)
"""The page's own scripts, in the order they run; rules.js comes before them."""

CASELLA = "Casella 2024"
"""The name of the known deal that never ends, as in `bmn.known`."""


def write(folder: str | Path, path: str | Path, *, timing: bool = False) -> None:
    """Write the page of a run.

    Parameters
    ----------
    folder
        The results folder.
    path
        The file to write.
    timing
        Fill in what was measured in seconds; the file then differs from run to run.
    """
    html = build(Run.read(folder), timing=timing)
    with replacing(path) as temporary:
        temporary.write_text(html, encoding="utf-8")


def build(run: Run, *, timing: bool = False) -> str:
    """Return the page of a run as HTML.

    Raises
    ------
    InputError
        If a result is missing or damaged, or the battery was made by another version.
    """
    import jinja2

    drawn = [(picture, "figures") for picture in pictures(run)]
    if timing and run.green:
        drawn += [(picture, "timing/figures") for picture in speed_pictures(run)]
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["bytes"] = lambda digits: " ".join(
        digits[i : i + 2] for i in range(0, len(digits), 2)
    )
    red = [(n, item) for n, check in run.summary["checks"].items() for item in check["red"]]
    record = run.record[0] if run.green and run.record else None
    return environment.from_string(_web("page.html")).render(
        title=_title(run, record),
        base="../" if timing else "",
        version=__version__,
        name=run.summary["name"],
        fingerprint=run.summary["fingerprint"],
        search=run.search,
        standard=STANDARD,
        distinct=run.search.deck.deals,
        totals=run.summary["totals"],
        fates=_fates(run),
        chunk_size=run.chunk_size,
        rows=sum(check["rows"] for check in run.summary["checks"].values()),
        red=red,
        record=record,
        longest=run.record if run.green else [],
        cost=cost_facts(run) if timing else None,
        checks=claims.told(run),
        pictures=[vars(picture) | {"folder": folder} for picture, folder in drawn],
        published=_published(),
        leaderboard=leaderboard(run) if run.green else [],
        catalogue=catalogue(run) if run.green else None,
        committed=committed_catalogue(),
        remeasured=remeasured(run),
        known=known_deals_tally(run),
        playable=run.playable,
        differences=run.search.rules.differences,
        link=lambda row: "&".join(f"{key}={text}" for key, text in _choice(run, row).items()),
        optional=[(path, what) for path, what in OPTIONAL.items() if run.has(path)],
        palette=COLOURS,
        font=base64.b64encode(_web_bytes("inter.woff2")).decode(),
        style=_raw(_web("style.css")),
        scripts={
            "rules.js": _raw(_web("rules.js")),
            "search-worker.js": _raw(_web("search-worker.js")),
            "page": _raw("\n".join(_web(name) for name in SCRIPTS)),
        },
        vega=_raw(_vega()) if drawn else "",
        data=_json(_data(run, record, [picture for picture, _ in drawn])),
    )


def _title(run: Run, record: dict[str, Any] | None) -> str:
    if not run.green:
        return "No headline: a check is red"
    if record is None:
        return f"No game of {run.search.seeds:,} deals was decided"
    run_name = "" if run.summary["name"] == "published" else f" ({run.summary['name']} run)"
    return (
        f"Beggar-My-Neighbour: {record['tricks']:,} tricks in {run.search.seeds:,} deals{run_name}"
    )


def _fates(run: Run) -> str:
    """Tell what became of the capped deals; nothing if there are none."""
    if not run.has("capped.parquet"):
        return ""
    verdicts = Counter(run.table("capped")["verdict"].tolist())
    told = {"cycle": "{:,} never end", "ends": "{:,} end later", "undecided": "{:,} undecided"}
    return ", ".join(told[name].format(n) for name, n in sorted(verdicts.items()))


def _data(run: Run, record: dict[str, Any] | None, drawn: list[Picture]) -> dict[str, Any]:
    """Gather what the page's scripts work with."""
    return {
        "run": {
            "name": run.summary["name"],
            "firstSeed": str(run.search.first_seed),
            "seeds": run.search.seeds,
            "cap": run.search.cap,
            "deck": list(run.search.deck),
            "playable": run.playable,
            "chunkSize": run.chunk_size,
        },
        "record": record and record | {"seed": str(record["seed"])},
        "presets": _presets(run),
        "battery": _battery(run),
        "chunks": {"fingerprints": [f"{lt.fingerprint(table):016x}" for table in run.chunks]},
        "prefixes": prefix_tables(run) if run.playable else [],
        "pictures": {p.name: dressed(p.spec, width="container", height=300) for p in drawn},
        "palette": COLOURS,
    }


def _presets(run: Run) -> list[dict[str, Any]]:
    """List the deals worth watching, in groups."""
    groups = []
    if run.green and run.record and run.playable:
        items = [
            {"name": f"{row['rank']}: {row['tricks']:,} tricks", **_choice(run, row)}
            for row in run.record
        ]
        groups.append({"group": "The longest of this search", "items": items})
    if run.green:
        groups += _hunted(run)
    published = [
        {"name": f"{deal['name']}: {deal['tricks']:,} tricks", "deal": deal["deal"]}
        for deal in _published()[::-1]
    ]
    groups.append({"group": "Published records (Mann’s count)", "items": published})
    endless = [
        {"name": f"{known['name']}: never ends", "deal": str(deal_of(known))}
        for known in known_deals()
        if known["name"] == CASELLA
    ]
    traps = [
        {"name": known["name"].replace("fault ", "").capitalize(), "deal": str(deal_of(known))}
        for known in known_deals()
        if known["name"].startswith("fault false-loop")
    ]
    groups.append({"group": "Never ends, or seems not to", "items": [*endless, *traps]})
    plants = [{"name": plant.name.capitalize(), "deal": plant.deal} for plant in PLANTS]
    groups.append({"group": "Plants: proved by hand", "items": plants})
    return groups


def _hunted(run: Run) -> list[dict[str, Any]]:
    """List what climbs, extensions and the search for cycles found, in groups."""
    groups = []
    climbed = best_climbed(run)
    if climbed:
        item = {"name": f"The best climbed deal: {climbed['tricks']:,} tricks"}
        groups.append({"group": "Climbing", "items": [item | {"deal": climbed["deal"]}]})
    longer = [
        {"name": f"{row['name']}: {row['tricks']:,} tricks", "deal": row["deal"]}
        for row in leaderboard(run)
        if row["gain"] > 0
    ]
    if longer:
        groups.append({"group": "Made longer", "items": longer})
    endless = catalogue(run)
    if endless and endless["examples"]:
        items = [
            {"name": f"A cycle of {row['period_tricks']} tricks", "deal": row["deal"]}
            for row in endless["examples"]
        ]
        groups.append({"group": "Never end: cycles of pieces", "items": items})
    return groups


def _choice(run: Run, row: dict[str, Any]) -> dict[str, str]:
    """Tell how a deal of the search is asked for: by seed, or written if the deck is another."""
    if run.search.deck == STANDARD:
        return {"seed": f"0x{row['seed_hex']}"}
    return {"deal": row["deal"]}


@cache
def _published() -> list[dict[str, Any]]:
    """List the published record deals, oldest first, with what was published of them."""
    return [
        {
            "name": known["name"],
            "deal": str(deal_of(known)),
            "tricks": known["published"]["tricks"],
            "cards": known["published"]["cards"],
        }
        for known in known_deals()
        if known["source"].startswith("record table") and known["terminates"]
    ]


def _battery(run: Run) -> list[dict[str, Any]]:
    """List the rows of the battery with the fingerprints of all who played them."""
    played = {row["item"]: row for row in run.checks["battery"]}
    broken = {row["item"]: row["broken"] for row in run.checks["control"]}
    rows = []
    for row in battery_rows():
        if row.name not in played or row.name not in broken:
            raise InputError(
                f"{run.folder}/checks/battery.parquet has no row {row.name!r}; it was made by "
                "another version, so run the workflow again"
            )
        about: dict[str, Any] = {
            "name": row.name,
            "cap": row.cap,
            "hasAce": row.has_ace,
            "reference": played[row.name]["expected"],
            "engine": played[row.name]["found"],
            "broken": broken[row.name],
        }
        if row.deck is None:
            about["stated"] = [str(deal) for deal in row.stated]
        else:
            about |= {
                "deck": list(row.deck),
                "seed": str(check_seed(row.first_seed)),
                "deals": row.seeds,
            }
        rows.append(about)
    return rows


@cache
def _vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script."""
    import vl_convert

    return vl_convert.javascript_bundle(vl_version=VEGALITE)


def _web_bytes(name: str) -> bytes:
    return files("bmn.report").joinpath("web", name).read_bytes()


def _web(name: str) -> str:
    return _web_bytes(name).decode("utf-8")


def _raw(text: str) -> Any:
    """Put a script or style into the page as it is; it must not close its own element."""
    from markupsafe import Markup

    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError("a script of the page would end its own element")
    return Markup(text)


def _json(value: Any) -> Any:
    """Put data into a script element: no ``<``, so nothing in it can end the element."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
