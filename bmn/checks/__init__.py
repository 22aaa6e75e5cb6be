"""The checks of a run. Each module is one check: a pure function that returns a small table.

Every table has the columns ``item`` (what was checked), ``expected``, ``found`` and ``ok``, so
that they can be read, counted and shown alike; what a check says beyond that follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bmn.store import Columns


def table(rows: Sequence[dict[str, Any]]) -> Columns:
    """Turn rows, all with the same keys, into columns of booleans, integers or text."""
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
