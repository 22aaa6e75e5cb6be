"""Tables of named rows, kept as Parquet: one NamedTuple class is the schema of one file.

Exact counts can exceed 64 bits. A field annotated `Exact` is an ``int`` in Python and decimal
text in the file; ``int`` is a signed 64-bit number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NewType, TypeVar, get_type_hints

import numpy as np

from bmn import store

Exact = NewType("Exact", int)
"""An integer of any size."""

Row = TypeVar("Row", bound=tuple)

_DTYPES: dict[Any, Any] = {int: np.int64, bool: np.bool_}


def write(
    path: str | Path,
    schema: type[Row],
    rows: Iterable[Row],
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write rows as a Parquet file whose columns are the fields of the schema.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    rows = list(rows)
    columns = {}
    for place, (name, kind) in enumerate(get_type_hints(schema).items()):
        values = [row[place] for row in rows]
        if kind is Exact:
            values = [str(value) for value in values]
        columns[name] = np.array(values, dtype=_DTYPES.get(kind, object))
    store.write(path, columns, about)


def read(path: str | Path, schema: type[Row]) -> tuple[list[Row], dict[str, Any]]:
    """Read the rows of a file written by `write`, and what the file says of itself.

    Raises
    ------
    InputError
        If the file is missing, damaged or not written by this program.
    """
    columns, about = store.read(path)
    fields = [
        [int(value) for value in columns[name]] if kind is Exact else columns[name].tolist()
        for name, kind in get_type_hints(schema).items()
    ]
    return [schema(*values) for values in zip(*fields, strict=True)], about


def read_all(paths: Iterable[str | Path], schema: type[Row]) -> list[Row]:
    """Read the rows of several files, in the order given."""
    return [row for path in paths for row in read(path, schema)[0]]
