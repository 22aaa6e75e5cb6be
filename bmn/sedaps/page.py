"""The ledger as one page that needs nothing but itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bmn.sedaps import tables
from bmn.sedaps.census import KINDS, Completeness
from bmn.sedaps.ledger import (
    STATUSES,
    VERDICTS,
    LedgerRow,
    summary,
    value_text,
)
from bmn.sedaps.rigid import ShapeRow, count_loops
from bmn.store import replacing

SHORT = 160
"""Values longer than this are folded."""

GROUPS = (
    ("Certificates and searches", ("turn85.", "past", "explore.", "history.", "four.", "witness.")),
    (
        "Rule, shapes and seeded games",
        ("sixcard", "preds.", "shape.", "clock.", "remnant", "decksweep", "v04.", "probe51"),
    ),
    ("Two queues", ("formula.", "sigma.", "census2.", "A400411")),
    ("Three queues", ("census3.", "packet.", "raw.", "n12.", "sync")),
    ("Rigid loops", ("rigid", "topheaded", "witness", "PP287")),
)
"""The published claims by subject: a title, and how the names begin."""


def group(claim: str) -> str:
    """Return the subject of a published claim."""
    return next(title for title, starts in GROUPS if claim.startswith(starts))


def page(
    rows: list[LedgerRow], checked: list[Completeness], shapes: list[ShapeRow], template: str
) -> str:
    """Render the page.

    Parameters
    ----------
    rows
        The ledger.
    checked
        The completeness of all censuses.
    shapes
        The rigid shapes of all decks.
    template
        The Jinja template, ``page.html``.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters["value"] = value_text
    environment.filters["number"] = lambda value: f"{value:,}"
    published = [row for row in rows if row.kind == "published"]
    return (
        environment.from_string(template).render(
            summary=summary(rows, checked),
            statuses=STATUSES,
            verdicts=VERDICTS,
            groups=[
                (title, [row for row in published if group(row.claim) == title])
                for title, _ in GROUPS
            ],
            theorems=[row for row in rows if row.kind == "theorem"],
            corrections=[row for row in rows if row.kind in ("false", "loose")],
            ours=[row for row in rows if row.kind == "ours"],
            questions=[row for row in rows if row.kind == "open"],
            censuses=_censuses(rows),
            checked=checked,
            kinds={name: kind.about for name, kind in KINDS.items()},
            loops=_loops(rows),
            rigid=_rigid(shapes),
            short=SHORT,
        )
        + "\n"
    )


def _found(rows: list[LedgerRow], claim: str) -> dict[str, Any]:
    return next((json.loads(row.computed) for row in rows if row.claim == claim), {})


def _censuses(rows: list[LedgerRow]) -> list[tuple[str, dict[str, Any]]]:
    """Return our censuses of packet form, by deck."""
    return sorted(_found(rows, "ours.packet").items(), key=lambda item: int(item[0]))


def _loops(rows: list[LedgerRow]) -> list[tuple[int, dict[str, int]]]:
    """Return the loops of three live queues by period, for each deck."""
    found = _found(rows, "ours.threeLiveLoops")
    return [
        (int(cards), dict(sorted(loops.items(), key=lambda item: int(item[0]))))
        for cards, loops in sorted(found.items(), key=lambda item: int(item[0]))
    ]


def _rigid(shapes: list[ShapeRow]) -> list[tuple[int, int, list[int], int]]:
    """Return (cards, shapes, periods, loops) for each deck."""
    table = []
    for cards in sorted({row.cards for row in shapes}):
        deck = [row for row in shapes if row.cards == cards]
        loops = count_loops(deck)
        table.append((cards, len(deck), list(loops), sum(loops.values())))
    return table


def main(
    ledger_path: str, completeness_path: str, shapes_path: str, template_path: str, page_path: str
) -> None:
    """Read the tables and write the page."""
    rows, _ = tables.read(ledger_path, LedgerRow)
    checked, _ = tables.read(completeness_path, Completeness)
    shapes, _ = tables.read(shapes_path, ShapeRow)
    text = page(rows, checked, shapes, Path(template_path).read_text(encoding="utf-8"))
    with replacing(page_path) as temporary:
        temporary.write_text(text, encoding="utf-8")
