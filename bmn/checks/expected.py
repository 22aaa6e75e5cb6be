"""What a stranger's run must equal: the committed digests of the published runs.

A file in results/expected/ says which search it belongs to and the content digest of every
result. A run of any other search has nothing to be compared with, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from bmn import checks, store
from bmn import lengths as lt
from bmn.errors import InputError
from bmn.provenance import ROOT
from bmn.store import Columns

COMPARED = {
    "lengths": "lengths.parquet",
    "plays": "plays.parquet",
    "record": "record.parquet",
    "battery": "checks/battery.parquet",
    "control": "checks/control.parquet",
    "plants": "checks/plants.parquet",
}
"""The results compared, and their paths in the results folder."""


def committed() -> list[Path]:
    """List the committed files of searches."""
    return sorted(committed_folder().glob("*.json"))


def committed_folder() -> Path:
    """Return the folder of committed files: of the source tree, or else the installed one."""
    tree = ROOT / "results/expected"
    return tree if tree.is_dir() else Path(str(files("bmn").joinpath("data/expected")))


def read(path: str | Path) -> dict[str, Any]:
    """Read what is expected of a search: the ``search``, and the digests of its ``results``.

    Raises
    ------
    InputError
        If the file was not written by `write`.
    """
    try:
        told = store.read_json(path)
        if not isinstance(told["search"], dict):
            raise TypeError
        if not all(isinstance(digest, str) for _, digest in told["results"].items()):
            raise TypeError
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(
            f"{path} does not say what to expect of a search; name a file written by `bmn expect`"
        ) from None
    return told


def check(
    search: Mapping[str, Any], folder: str | Path, expected_paths: Iterable[str | Path]
) -> Columns:
    """Compare the results of a run with the committed digests for the same search.

    Parameters
    ----------
    search
        What decides the results: `bmn.config.Config.identity`.
    folder
        The results folder.
    expected_paths
        The committed files.

    Returns
    -------
    dict of ndarray
        One row per result; no row if nothing is committed for this search.
    """
    rows = []
    for expected in map(read, expected_paths):
        if expected["search"] == search:
            for name, content in contents(folder).items():
                rows.append(checks.row(name, expected["results"].get(name, "nothing"), content))
    return checks.table(rows)


def contents(folder: str | Path) -> dict[str, str]:
    """Return the fingerprint of the search and the content digest of each result compared.

    All are recomputed from the values.
    """
    lengths, _ = store.read(Path(folder, COMPARED["lengths"]))
    digests = {
        name: store.digest(*store.read(Path(folder, path))) for name, path in COMPARED.items()
    }
    return {"fingerprint": f"{lt.fingerprint(lengths):016x}"} | digests


def write(search: Mapping[str, Any], folder: str | Path, path: str | Path) -> None:
    """Write the file that makes a run the expected one."""
    store.write_json(path, {"search": dict(search), "results": contents(folder)})
