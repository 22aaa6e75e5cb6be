"""What a stranger's run must equal: the committed digests of the published runs.

A file in results/expected/ says which search it belongs to and the content digest of every
result. A run of any other search has nothing to be compared with, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from bmn import checks, store
from bmn.config import Config
from bmn.store import Columns


def check(config: Config, results: Mapping[str, str], expected_paths: Iterable[str]) -> Columns:
    """Compare the results of a run with the committed digests for the same search.

    Parameters
    ----------
    config
        The run's configuration.
    results
        Name of each result, and its path.
    expected_paths
        The committed files.

    Returns
    -------
    dict of ndarray
        One row per result; no row if nothing is committed for this search.
    """
    for path in expected_paths:
        expected = store.read_json(path)
        if expected["search"] == config.identity:
            rows = [
                checks.row(name, expected["results"].get(name, "nothing"), content(results[name]))
                for name in results
            ]
            return checks.table(rows)
    return {name: np.array([], object) for name in ("item", "expected", "found")} | {
        "ok": np.array([], bool)
    }


def content(path: str | Path) -> str:
    """Return the content digest of a result, recomputed from its values."""
    return store.digest(*store.read(path))


def write(config: Config, results: Mapping[str, str], path: str | Path) -> None:
    """Write the file that makes a run the expected one."""
    digests = {name: content(result) for name, result in results.items()}
    store.write_json(path, {"search": config.identity, "results": digests})
