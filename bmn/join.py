"""The results of several machines joined into one search, of which no deal is played again.

Only the chunks are taken over. What is made of them (tables, record, checks, page) is made anew by
the workflow, with the configuration that is written beside them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bmn import locking, manifest, store, summary
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.inventory import Inventory
from bmn.tree import Tree

PLACE = "results"
"""What a results folder must be called for the workflow to find it."""

CONFIG = "config.json"
"""The configuration of the joined run, in its results folder."""

NAME = "[A-Za-z0-9][A-Za-z0-9 ._-]*"
"""What a run may be called: as in the configuration's schema."""

COST_DEALS = 20_000
"""Deals for the comparison of speeds: a run does not say how many it took."""


@dataclass(frozen=True)
class Run:
    """A finished run: where it is, what it searched, and in which chunks."""

    folder: Path
    name: str
    search: Search
    chunk_sizes: tuple[int, ...]
    longest: int

    @classmethod
    def read(cls, folder: str | Path) -> Run:
        """Read a run and make sure that it is finished, green and untouched.

        Raises
        ------
        InputError
            If it is not.
        """
        folder = Path(folder)
        if not folder.is_dir():
            raise InputError(f"there is no folder {folder}; name the results folder of a run")
        if not (folder / manifest.MANIFEST).exists():
            raise InputError(
                f"{folder} is not the results folder of a finished run, since it has no "
                f"{manifest.MANIFEST}; run the workflow there to its end"
            )
        # All but whether a crate still describes it, which can be made again.
        found = list(manifest.verify(Inventory.of(folder)))
        told = summary.read(folder)
        if not told["green"]:
            red = next(name for name, check in told["checks"].items() if check["red"])
            raise InputError(f"{folder} has a red check ({red}); see `bmn show {folder}`")
        fault = next((f for f in found if f.level in ("fault", "missing")), None)
        if fault is not None:
            raise InputError(f"{folder} is not as its run left it: {fault.text}")
        search = Search.described(told["search"])
        return cls(
            folder, told["name"], search, tuple(told["chunk_sizes"]), told["search"]["longest"]
        )

    @property
    def end(self) -> int:
        """The seed after the last one."""
        return self.search.first_seed + self.search.seeds


def join(folders: Sequence[str | Path], out: str | Path, name: str | None = None) -> Run:
    """Join the results of runs whose ranges of seeds adjoin.

    Parameters
    ----------
    folders
        Results folders of finished runs, in any order.
    out
        The new results folder; it must be called ``results``, for there the workflow looks.
    name
        What the joined run is called; by default as the runs are, or ``joined`` if they differ.

    Returns
    -------
    Run
        The joined run, as yet without anything but chunks and a configuration.

    Raises
    ------
    InputError
        If a run is unfinished, red or touched, if the runs do not fit together, or if `out` is
        there already. Nothing is left half-written.
    """
    out = Path(out)
    if name is not None and not re.fullmatch(NAME, name):
        raise InputError(
            f"a run cannot be called {name!r}; use letters, digits, spaces and . _ -, a letter or "
            "digit first"
        )
    if out.name != PLACE:
        raise InputError(
            f"{out} must be called {PLACE}, like {out / PLACE}; there the workflow looks"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is there already; name a new folder, like joined/{PLACE}")
    runs = sorted(map(Run.read, folders), key=lambda run: run.search.first_seed)
    for one, other in pairwise(runs):
        _check_fit(one, other)
    first = runs[0]
    joined = Run(
        out,
        name or (first.name if len({run.name for run in runs}) == 1 else "joined"),
        first.search.part(first.search.first_seed, sum(run.search.seeds for run in runs)),
        first.chunk_sizes,
        max(run.longest for run in runs),
    )
    _write(runs, joined)
    return joined


def _check_fit(one: Run, other: Run) -> None:
    """Make sure that a run begins where another ends, and is otherwise the same.

    Raises
    ------
    InputError
        If it does not.
    """
    what = f"{one.folder} and {other.folder}"
    for key, mine in (one.search.how | {"rules": one.search.rules.differences}).items():
        theirs = (other.search.how | {"rules": other.search.rules.differences})[key]
        if mine != theirs:
            raise InputError(
                f"{what} do not have the same {key} ({mine} and {theirs}); only runs that differ "
                "in nothing but their seeds can be joined"
            )
    if set(one.chunk_sizes) != set(other.chunk_sizes):
        sizes = (" and ".join(map(str, sorted(run.chunk_sizes))) for run in (one, other))
        raise InputError(
            f"{what} have different chunk_sizes ({'; '.join(sizes)}); run one of them again with "
            "those of the other"
        )
    gap = other.search.first_seed - one.end
    if gap:
        seeds = (
            (one.end, other.search.first_seed - 1)
            if gap > 0
            else (
                other.search.first_seed,
                min(one.end, other.end) - 1,
            )
        )
        fault = "leave out" if gap > 0 else "both hold"
        raise InputError(
            f"{what} {fault} the seeds {seeds[0]} to {seeds[1]}; only runs whose seeds adjoin can "
            "be joined"
        )


def _write(runs: Sequence[Run], joined: Run) -> None:
    """Copy all chunks into a folder beside, and move it into place when it is complete."""
    out = joined.folder
    # One name for all attempts: what a killed one left goes with the next.
    temporary = out.with_name(f".{out.name}.tmp")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _alone(out.parent):
            _copy(runs, joined, temporary)
            temporary.rename(out)
    except OSError as error:
        raise InputError(
            f"{out} cannot be written ({error.strerror or error}); free the space or the "
            "permission and run again"
        ) from None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep others that would write into a folder out of it.

    Raises
    ------
    InputError
        If another one is in.
    """
    try:
        held = locking.hold(folder)
    except BlockingIOError:
        raise InputError(
            f"another `bmn merge` is writing into {folder}; wait for it to end"
        ) from None
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _copy(runs: Sequence[Run], joined: Run, folder: Path) -> None:
    """Copy all chunks, and write the configuration, into a folder that is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for run in runs:
            for size in run.chunk_sizes:
                for path in Tree(run.search, size).chunk_files:
                    target = folder / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(run.folder / path, target)
        store.write_json(folder / CONFIG, _config(joined))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _config(joined: Run) -> dict[str, Any]:
    """Return the configuration with which the workflow finishes the joined run."""
    return joined.search.about | {
        # Every key, since the workflow keeps what its own configuration says of the others.
        "rules": joined.search.rules.differences or "standard",
        "name": joined.name,
        "chunk_sizes": list(joined.chunk_sizes),
        "longest": joined.longest,
        "cost_deals": min(COST_DEALS, joined.search.seeds),
    }
