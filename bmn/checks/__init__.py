"""The checks of a run. Each module is one check: a pure function that returns a small table.

Every table has the columns ``item`` (what was checked), ``expected``, ``found`` and ``ok``, so
that they can be read, counted and shown alike; what a check says beyond that follows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bmn.store import Columns

ABOUT = {
    "battery": (
        "mistakes of translation: two implementations agree on many kinds of deals",
        "a misunderstanding of the rules that both share",
    ),
    "control": (
        "a battery that cannot fail: one broken rule turns it red",
        "that it would see every other fault",
    ),
    "plants": (
        "a shared misunderstanding of turn order, pile order or ending, as far as hand proofs go",
        "faults that only long games show",
    ),
    "invariants": (
        "lost cards, wrong decks and wrong ends in any deal, and tables that do not add up",
        "a game that is consistent but not this one",
    ),
    "decompositions": (
        "errors at the boundaries of chunks",
        "little else",
    ),
    "replay": (
        "that the longest deals are artefacts of the engine: the reference replays them",
        "that a longer deal was missed",
    ),
    "binary": (
        "that the engine in use was made from other sources than these",
        "faults of the compiler itself",
    ),
    "expected": (
        "that this run differs from the committed one",
        "faults that both runs share",
    ),
}
"""What each check rules out, and what it does not."""

ROW = {"item": object, "expected": object, "found": object, "ok": bool}
"""The columns every check has."""


def table(rows: Sequence[dict[str, Any]], kinds: Mapping[str, Any] = ROW) -> Columns:
    """Turn rows, all with the same keys, into columns of booleans, integers or text.

    Without rows the table has the columns `kinds`, name by type.
    """
    if not rows:
        return {name: np.array([], kind) for name, kind in kinds.items()}
    return {name: _column([row[name] for row in rows]) for name in rows[0]}


def row(item: str, expected: Any, found: Any, **more: Any) -> dict[str, Any]:
    """Make the row of something that is right when two values are equal."""
    return {"item": item, "expected": str(expected), "found": str(found)} | {
        "ok": expected == found,
        **more,
    }


def _column(values: list[Any]) -> np.ndarray:
    if all(isinstance(value, bool | np.bool_) for value in values):
        return np.array(values, bool)
    if all(isinstance(value, int) for value in values):
        return np.array(values, np.uint64)
    return np.array(values, object)
