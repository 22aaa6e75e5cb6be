"""The same seeds cut into chunks of another size must give the same tables.

This rules out errors at the boundaries of chunks, and little else.
"""

from __future__ import annotations

from pathlib import Path

from bmn import checks, store
from bmn import lengths as lt
from bmn.chunks import Search, read_table
from bmn.store import Columns


def check(search: Search, merged: dict[int, tuple[str | Path, str | Path]]) -> Columns:
    """Compare the merged tables of every decomposition with those of the first.

    Parameters
    ----------
    search
        The search they are of.
    merged
        By chunk size, the merged length table and plays table.
    """
    read = {size: [read_table(search, path)[0] for path in paths] for size, paths in merged.items()}
    (size, (lengths, plays)), *others = read.items()
    rows = []
    for other, (other_lengths, other_plays) in others:
        versus = f"chunks of {other} against {size}"
        rows += [
            checks.row(f"fingerprint, {versus}", *_fingerprints(lengths, other_lengths)),
            checks.row(f"length table, {versus}", *_digests(lengths, other_lengths)),
            checks.row(f"plays table, {versus}", *_digests(plays, other_plays)),
        ]
    return checks.table(rows)


def _fingerprints(*tables: Columns) -> list[str]:
    return [f"{lt.fingerprint(table):016x}" for table in tables]


def _digests(*tables: Columns) -> list[str]:
    return [store.digest(table)[:16] for table in tables]
