"""Three plain verdicts on a results folder, wherever it comes from.

Is it complete, is it untouched since its run ended, is it equal to what is expected of its search?
Nothing but the folder is needed, and what this package knows of published searches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bmn import described, finished, manifest
from bmn.checks import expected
from bmn.errors import InputError
from bmn.finished import STUMBLES
from bmn.inventory import Inventory
from bmn.manifest import MANIFEST, Entry, Finding, more


class Verdict(NamedTuple):
    """An answer to one question: ``yes``, ``no``, or ``unknown``, and why."""

    question: Literal["complete", "untouched", "expected"]
    answer: Literal["yes", "no", "unknown"]
    why: str


def findings(seen: Inventory, entries: Mapping[str, Entry]) -> Iterator[Finding]:
    """Yield what `bmn.manifest.verify` finds, and whether the metadata of a crate still hold.

    Parameters
    ----------
    seen
        What is in the results folder.
    entries
        What its manifest says, from `listed`.
    """
    yield from manifest.verify(seen)
    # The manifest itself is described: if that is not sound, it is what has to be mended.
    if entries:
        yield from described.check(seen, entries)


def listed(seen: Inventory) -> dict[str, Entry]:
    """Return what the manifest lists: nothing, if it is not sound."""
    try:
        return manifest.entries(seen)
    except InputError:
        return {}


def judge(
    seen: Inventory,
    entries: Mapping[str, Entry],
    found: Sequence[Finding],
    known: Mapping[Path, Mapping[str, Any]],
) -> list[Verdict]:
    """Give the three verdicts.

    Parameters
    ----------
    seen
        What is in the results folder.
    entries
        What its manifest says, from `listed`.
    found
        All `findings` in it.
    known
        What is expected of searches, from `bmn.checks.expected.read`, by file.
    """
    return [_complete(seen, entries, found), _untouched(found), _expected(seen, known)]


def _complete(seen: Inventory, entries: Mapping[str, Entry], found: Sequence[Finding]) -> Verdict:
    levels = {f.item: f.level for f in found if not f.run and f.level in ("fault", "missing")}
    missing = [item for item, level in levels.items() if level == "missing"]
    if missing == [MANIFEST] and MANIFEST not in seen.files:
        inside = seen.folder / "results"
        why = f"; name {inside}" if inside.is_dir() else ": the run did not end"
        return Verdict("complete", "no", f"there is no {MANIFEST}{why}")
    if lost := [item for item in missing if item != MANIFEST]:
        return Verdict("complete", "no", f"it lacks {lost[0]}{more(lost)}")
    if missing:
        return Verdict("complete", "no", f"{MANIFEST} does not list all that a finished run has")
    if MANIFEST in levels:
        return Verdict("complete", "unknown", f"{MANIFEST} cannot be relied on")
    hidden = [path for path in entries if path not in seen.files]
    if hidden:
        why = f"{hidden[0]}{more(hidden)} cannot be looked at"
        return Verdict("complete", "unknown", why)
    if not manifest.is_of_a_search(seen, entries):
        why = f"this is not the folder of a search; all {len(entries)} files it lists are there"
        return Verdict("complete", "unknown", why)
    if "summary.json" in levels:
        why = "summary.json cannot be relied on, which tells what was searched"
        return Verdict("complete", "unknown", why)
    return Verdict("complete", "yes", f"all {len(entries)} files of a finished run are there")


def _untouched(found: Sequence[Finding]) -> Verdict:
    # What a run inside has lost is no gap in this one, but not as it was left either.
    wrong = sum(f.level == "fault" or (f.level == "missing" and f.run != "") for f in found)
    looked_at = sum(f.level == "ok" for f in found) + wrong
    if wrong:
        return Verdict("untouched", "no", f"{wrong} of {looked_at} things are wrong")
    if not looked_at:
        return Verdict("untouched", "unknown", "there is nothing to compare the files with")
    return Verdict("untouched", "yes", f"all {looked_at} things looked at are as the run left them")


def _expected(seen: Inventory, known: Mapping[Path, Mapping[str, Any]]) -> Verdict:
    if "summary.json" not in seen.files:
        return Verdict("expected", "unknown", "there is no search in it to compare")
    try:
        search = finished.plan(seen.folder).identity
    except InputError:
        return Verdict("expected", "unknown", "summary.json does not say what was searched")
    try:
        mine = [path for path, told in known.items() if told["search"] == search]
        if not mine:
            return Verdict("expected", "unknown", "no results of this search are on record")
        absent = [path for path in expected.COMPARED.values() if path not in seen.files]
        if absent:
            return Verdict("expected", "unknown", f"there is no {absent[0]} to compare")
        table = expected.check(search, seen.folder, mine)
    except (*STUMBLES, OSError) as error:
        why = (
            str(error)
            if isinstance(error, InputError)
            else f"a table is not as it was written ({error})"
        )
        return Verdict("expected", "unknown", why)
    other = table["item"][~table["ok"]].tolist()
    if other:
        return Verdict("expected", "no", f"{', '.join(other)} differ from {mine[0].name}")
    return Verdict("expected", "yes", f"equal to {mine[0].name}")
