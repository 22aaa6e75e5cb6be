"""Lists of files with their digests: of everything a run wrote, and of what is below a group."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from bmn import checks, store
from bmn.provenance import file_sha256
from bmn.store import Columns

ENTRY = {"path": object, "rows": np.uint64, "bytes": np.uint64, "sha256": object, "content": object}
"""The columns of a list."""


def listed(folder: str | Path, paths: Iterable[str], lists: Iterable[str] = ()) -> Columns:
    """List files with their rows, bytes, SHA-256 and content digest.

    Parameters
    ----------
    folder
        The results folder; paths are told relative to it.
    paths
        The files, or folders of files. Those that are not Parquet have no rows and their SHA-256
        for a digest.
    lists
        Files with such lists: they are listed, and so is all that is on them.
    """
    lists = list(lists)
    files = [file for path in sorted([*paths, *lists]) for file in _files(Path(path))]
    table = checks.table([entry_of(Path(folder), file) for file in files], ENTRY)
    if not lists:
        return table
    parts = [table, *(store.read(path)[0] for path in lists)]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in ENTRY}
    order = np.argsort(joined["path"])
    return {name: values[order] for name, values in joined.items()}


def entry_of(folder: Path, path: Path) -> dict:
    """Return the row of one file."""
    sha256 = file_sha256(path)
    rows, content = 0, sha256
    if path.suffix == ".parquet":
        table, about = store.read(path)
        rows, content = len(next(iter(table.values()))), store.digest(table, about)
    return {
        "path": path.relative_to(folder).as_posix(),
        "rows": rows,
        "bytes": path.stat().st_size,
        "sha256": sha256,
        "content": content,
    }


def _files(path: Path) -> list[Path]:
    """Return a file itself, and of a folder every file that is not hidden."""
    if not path.is_dir():
        return [path]
    return sorted(f for f in path.rglob("*") if f.is_file() and not f.name.startswith("."))
