"""Three plain verdicts on a results folder, wherever it comes from.

Is it complete, is it untouched since its run ended, is it equal to what is expected of its search?
Nothing but the folder is needed, and what this package knows of published searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bmn import manifest, store
from bmn.checks import expected
from bmn.chunks import Search
from bmn.config import MAX_CHUNKS
from bmn.errors import InputError
from bmn.manifest import Finding
from bmn.tree import Tree


class Verdict(NamedTuple):
    """An answer to one question: ``yes``, ``no``, or ``unknown``, and why."""

    question: Literal["complete", "untouched", "expected"]
    answer: Literal["yes", "no", "unknown"]
    why: str


def findings(folder: str | Path) -> Iterable[Finding]:
    """Yield what `bmn.manifest.verify` finds; a folder without a sound manifest is one finding.

    Raises
    ------
    InputError
        If there is no such folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(
            f"{folder} is no folder; name a results folder, or run the workflow to make one"
        )
    try:
        yield from manifest.verify(folder)
    except InputError as error:
        level = "fault" if (folder / manifest.MANIFEST).exists() else "missing"
        yield Finding(manifest.MANIFEST, level, str(error))


def judge(
    folder: str | Path, found: Sequence[Finding], expected_paths: Sequence[str | Path] | None = None
) -> list[Verdict]:
    """Give the three verdicts.

    Parameters
    ----------
    folder
        The results folder.
    found
        All `findings` in it.
    expected_paths
        Files written by `bmn expect`; by default those that are committed.
    """
    paths = expected.committed() if expected_paths is None else expected_paths
    return [_complete(Path(folder), found), _untouched(found), _expected(Path(folder), paths)]


def _complete(folder: Path, found: Sequence[Finding]) -> Verdict:
    unsound = [f for f in found if f.item == manifest.MANIFEST and f.level == "fault"]
    missing = [f.item for f in found if f.level == "missing"]
    if manifest.MANIFEST in missing:
        inside = folder / "results"
        why = f"; name {inside}" if inside.is_dir() else ": the run did not end"
        return Verdict("complete", "no", f"there is no {manifest.MANIFEST}{why}")
    if unsound:
        return Verdict("complete", "unknown", f"{manifest.MANIFEST} cannot be relied on")
    try:
        listed = set(manifest.read(folder)["path"].tolist())
        missing += [path for path in _due(folder) if path not in listed]
    except InputError as error:
        return Verdict("complete", "unknown", str(error))
    if missing:
        return Verdict("complete", "no", f"{len(missing)} files are missing, such as {missing[0]}")
    return Verdict("complete", "yes", f"all {len(listed)} files of a finished run are there")


def _due(folder: Path) -> list[str]:
    """List the chunks that the search of this folder has."""
    if not (folder / "summary.json").exists():
        return []
    told = store.read_json(folder / "summary.json")
    try:
        search, sizes = Search.described(told["search"]), [int(s) for s in told["chunk_sizes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"summary.json does not say what was searched ({error!r})") from None
    if any(size > 0 and search.seeds // size > MAX_CHUNKS for size in sizes):
        raise InputError(f"summary.json tells of more than {MAX_CHUNKS} chunks of one size")
    return [path for size in sizes for path in Tree(search, size).chunk_files]


def _untouched(found: Sequence[Finding]) -> Verdict:
    faults = [f for f in found if f.level == "fault"]
    looked_at = sum(f.level in ("ok", "fault") for f in found)
    if faults:
        return Verdict("untouched", "no", f"{len(faults)} of {looked_at} things are wrong")
    if not looked_at:
        return Verdict("untouched", "unknown", "there is nothing to compare the files with")
    return Verdict("untouched", "yes", f"all {looked_at} things looked at are as the run left them")


def _expected(folder: Path, paths: Sequence[str | Path]) -> Verdict:
    if not (folder / "summary.json").exists():
        return Verdict("expected", "unknown", "there is no search in it to compare")
    try:
        search: Any = store.read_json(folder / "summary.json")["search"]
        known = {Path(path): store.read_json(path) for path in paths}
        mine = [path for path, told in known.items() if told["search"] == search]
        if not mine:
            return Verdict("expected", "unknown", "no results of this search are on record")
        table = expected.check(search, folder, mine)
    except (InputError, KeyError, TypeError, IndexError) as error:
        why = str(error) if isinstance(error, InputError) else f"a file lacks {error}"
        return Verdict("expected", "unknown", why)
    other = table["item"][~table["ok"]].tolist()
    if other:
        return Verdict("expected", "no", f"{', '.join(other)} differ from {mine[0].name}")
    return Verdict("expected", "yes", f"equal to {mine[0].name}")
