"""Rows to columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bmn.store import Columns


def columns(rows: Iterable[Sequence[Any]], kinds: Mapping[str, Any]) -> Columns:
    """Turn rows into the columns of a table.

    Parameters
    ----------
    rows
        Each with a value for every column.
    kinds
        The type of each column by its name, in their order.
    """
    values = list(zip(*rows, strict=True)) or [()] * len(kinds)
    return {
        name: np.array(column, kind)
        for (name, kind), column in zip(kinds.items(), values, strict=True)
    }
