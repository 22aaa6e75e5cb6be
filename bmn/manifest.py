"""The list of everything a run wrote, and re-reading all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bmn import finished, listing, store, summary
from bmn import lengths as lt
from bmn.errors import InputError
from bmn.finished import ALWAYS, DRAWN, STUMBLES, TELLING, Plan
from bmn.inventory import Inventory
from bmn.listing import ENTRY, entry_of
from bmn.store import Columns
from bmn.summary import headline_text
from bmn.tree import COLUMNS, Tree

MANIFEST = "manifest.parquet"

METADATA = "ro-crate-metadata.json"
"""What describes a results folder that is a crate."""

BESIDE = {MANIFEST, METADATA, "config.json"}
"""What a results folder may have that no manifest lists: that of a joined run, that of a crate."""

LONGEST_PATH = 1000
"""Characters that a path of a result never has."""


def manifest(folder: str | Path, files: Iterable[str], lists: Iterable[str] = ()) -> Columns:
    """List everything that a search wrote, having made sure of what carries no digest itself.

    Parameters
    ----------
    folder, files, lists
        See `bmn.listing.listed`.

    Raises
    ------
    InputError
        If the headline does not follow from the tables, or what is drawn is not what was drawn.
    """
    files = list(files)
    for path in files:
        if path.endswith(".sha256"):
            store.check_sums(path)
    _derive_headline(Path(folder))
    return listing.listed(folder, files, lists)


class Finding(NamedTuple):
    """What `verify` says of one thing.

    It is ``ok``, a ``fault``, a file of the run that is ``missing``, or a ``stray`` one of no run.
    `run` is the folder inside whose manifest lists it, and empty for the folder's own.
    """

    item: str
    level: Literal["ok", "fault", "missing", "stray"]
    text: str
    run: str = ""


class Entry(NamedTuple):
    """What the manifest says of a file."""

    rows: int
    bytes: int
    sha256: str
    content: str


def verify(folder: str | Path | Inventory) -> Iterator[Finding]:
    """Re-read everything a run wrote and say what is wrong.

    Every file is compared with the manifest and its values with their digest, and the manifest
    with what a finished run has; the chunks of every decomposition are merged again and compared
    with the merged tables; the headline is derived again from the summary, and the lists of what
    is drawn from the manifest. A folder inside with a manifest of its own, such as that of the
    censuses, is verified by that. Tables in other folders, such as that of the climbs, are on no
    list, and are only compared with the digests that they carry. Only regular files are opened.

    Parameters
    ----------
    folder
        The results folder, or what is in it.

    Yields
    ------
    Finding
        One for everything looked at.

    Raises
    ------
    InputError
        If there is no such folder.
    """
    seen = folder if isinstance(folder, Inventory) else Inventory.of(folder)
    seen = seen.without(["timing"])
    inner = seen.holding(MANIFEST)
    yield from _verify_run(seen.without(inner))
    for inside in inner:
        for found in verify(seen.within(inside)):
            run = f"{inside}/{found.run}".rstrip("/")
            yield found._replace(item=f"{inside}/{found.item}", run=run)


def read(folder: str | Path) -> Columns:
    """Return the manifest of a run.

    Raises
    ------
    InputError
        If it is missing or damaged, or lists what is no path of a result.
    """
    path = Path(folder, MANIFEST)
    listed, _ = store.read(path)
    if [(name, values.dtype) for name, values in listed.items()] != list(ENTRY.items()):
        raise InputError(f"{path} is not a manifest; delete it and run the workflow again")
    paths = listed["path"].tolist()
    wrong = [name for name in paths if not _is_path(name)]
    if wrong or len(set(paths)) < len(paths):
        what = f"{wrong[0]!r:.60}, which is no path of a result" if wrong else "a file twice"
        raise InputError(f"{path} lists {what}; delete it and run the workflow again")
    return listed


def entries(seen: Inventory) -> dict[str, Entry]:
    """Return what the manifest says of each file.

    Raises
    ------
    InputError
        As from `read`, and if the manifest is no regular file.
    """
    if MANIFEST in seen.barred:
        raise InputError(f"{_barred(seen, MANIFEST)} and run the workflow again")
    paths, *columns = (values.tolist() for values in read(seen.folder).values())
    return dict(zip(paths, map(Entry, *columns), strict=True))


def is_of_a_search(seen: Inventory, listed: Mapping[str, Entry]) -> bool:
    """Return whether a manifest must be that of a search: others list a census, say."""
    return not listed or not TELLING.isdisjoint({*listed, *seen.files})


def more(names: Sequence[str]) -> str:
    """Say how many files there are but the first, which is named before."""
    return f" (and {len(names) - 1:,} more)" if len(names) > 1 else ""


def _is_path(path: Any) -> bool:
    """Return whether something is the path of a file below a folder, as the workflow writes it."""
    return (
        isinstance(path, str)
        and path.isprintable()
        and len(path) <= LONGEST_PATH
        and {"", ".", ".."}.isdisjoint(path.split("/"))
    )


def _verify_run(seen: Inventory) -> Iterator[Finding]:
    """Look at what one manifest lists, and at what is beside that."""
    try:
        listed = entries(seen)
    except InputError as error:
        is_there = MANIFEST in seen.barred or (seen.folder / MANIFEST).exists()
        level = "fault" if is_there else "missing"
        yield Finding(MANIFEST, level, str(error))
        return
    due: set[str] = set()
    plan = None
    if is_of_a_search(seen, listed):
        plan, due = yield from _verify_list(seen, listed)
    in_the_way = {}
    for path, entry in listed.items():
        if plan and path not in due:
            continue
        if path in seen.files:
            yield _judge(path, lambda path=path, entry=entry: _compare(seen.folder, path, entry))
        elif place := seen.barring(path):
            in_the_way[place] = f"{_barred(seen, place)} and run the workflow again"
        else:
            file = seen.folder / path
            what = "is a folder; delete it and" if file.is_dir() else "is missing;"
            yield Finding(path, "missing", f"{file} {what} run the workflow again")
    for place, text in in_the_way.items():
        yield Finding(place, "fault", text)
    if plan:
        yield from _verify_search(seen, plan)
    yield from _verify_others(seen, {*listed, *due, *BESIDE}, in_the_way)


def _verify_list(
    seen: Inventory, listed: Mapping[str, Entry]
) -> Generator[Finding, None, tuple[Plan | None, set[str]]]:
    """Look at whether the manifest lists what a search writes; return that, as far as is told."""
    folder, plan, due = seen.folder, None, set(ALWAYS)
    told = listed.get("summary.json")
    # One of another run, say, is no measure of this manifest, which has another.
    if told and told.sha256 == seen.sha256("summary.json"):
        try:
            plan = finished.plan(folder)
            due = finished.due(plan)
        except InputError as error:
            yield Finding("summary.json", "fault", str(error))
    pictures = {path for path in listed if path.startswith(DRAWN["figures.sha256"])}
    if plan and (foreign := sorted(listed.keys() - due - pictures)):
        text = (
            f"{folder / MANIFEST} lists {foreign[0]}{more(foreign)}, which no such search writes; "
            "delete it and summary.json and run the workflow again"
        )
        yield Finding(MANIFEST, "fault", text)
    due |= pictures
    for sums in sorted(seen.files & DRAWN.keys()):
        found = _judge(f"what {sums} lists", lambda sums=sums: _check_drawn(folder, sums, listed))
        due |= finished.drawn(folder, sums).keys() if found.level == "ok" else set()
        yield found
    if lacking := sorted(due - listed.keys()):
        text = (
            f"{folder / MANIFEST} does not list {lacking[0]}{more(lacking)} of a finished run; "
            "delete it and summary.json and run the workflow again"
        )
        yield Finding(MANIFEST, "missing", text)
    return plan, due


def _verify_search(seen: Inventory, plan: Plan) -> Iterator[Finding]:
    """Look at whether the tables of a search follow from one another."""
    folder = seen.folder
    for name in COLUMNS:
        for size in sorted(plan.sizes):
            tree = Tree(plan.search, size, folder)
            chunks = tree.level(0)
            what = f"{name}.parquet from {len(chunks)} chunks of {size} seeds"
            parts = (tree.name(chunk, name) for chunk in chunks)
            if seen.files.issuperset([f"{name}.parquet", *parts]):
                yield _judge(what, lambda tree=tree, name=name: _merge_again(tree, name))
    if seen.files >= ALWAYS:
        yield _judge("headline.txt from summary.json", lambda: _check_summary(folder, plan))


def _verify_others(
    seen: Inventory, of_the_run: Collection[str], in_the_way: Collection[str]
) -> Iterator[Finding]:
    """Look at what the manifest does not list."""
    folders = {path.split("/")[0] for path in of_the_run if "/" in path}
    for path in sorted(seen.files - of_the_run):
        file, top = seen.folder / path, path.split("/")[0]
        if path == top or top in folders:
            yield Finding(path, "stray", f"{file} is not part of this run; delete it if unwanted")
        elif path.endswith(".parquet"):
            yield _judge(path, lambda file=file: store.read(file))
    for path in sorted(seen.barred.keys() - in_the_way):
        yield Finding(path, "stray", f"{_barred(seen, path)} if unwanted")


def _barred(seen: Inventory, path: str) -> str:
    return f"{seen.folder / path} {seen.barred[path]}"


def _judge(item: str, look: Callable[[], Any]) -> Finding:
    try:
        look()
    except InputError as error:
        return Finding(item, "fault", str(error))
    except OSError as error:
        text = f"{error.filename} cannot be read ({error.strerror}); delete it and run the workflow"
        return Finding(item, "fault", f"{text} again")
    except STUMBLES as error:
        text = f"{item} cannot be made sense of ({error!r}); delete it and run the workflow again"
        return Finding(item, "fault", text)
    return Finding(item, "ok", "")


def _compare(folder: Path, path: str, entry: Entry) -> None:
    if tuple(entry_of(folder, folder / path).values())[1:] != entry:
        # Pictures are made all together, and are missed by their list.
        drawn = path.startswith(DRAWN["figures.sha256"])
        what = f"; delete {folder / 'figures.sha256'}" if drawn else "; delete it"
        raise InputError(
            f"{folder / path} is not the file the manifest lists{what} and run the workflow again"
        )


def _check_drawn(folder: Path, sums: str, listed: Mapping[str, Entry]) -> None:
    """Compare a list of what is drawn with the manifest, with which the files are compared."""
    told = finished.drawn(folder, sums)
    for path, entry in listed.items():
        if path.startswith(DRAWN[sums]) and told.get(path) != entry.sha256:
            raise InputError(
                f"{folder / sums} was not written with {path}; delete it and run the workflow again"
            )


def _merge_again(tree: Tree, name: str) -> None:
    merge = {"lengths": lt.merge_lengths, "plays": lt.merge_plays}[name]
    path = Path(tree.folder, f"{name}.parquet")
    merged = merge(table for _, table in tree.each(tree.level(0), name))
    if not lt.same(merged, store.read(path)[0]):
        raise InputError(
            f"{path} is not what its chunks of {tree.size} seeds give; delete it and run the "
            "workflow again"
        )


def _check_summary(folder: Path, plan: Plan) -> None:
    told = _derive_headline(folder)
    record, _ = store.read(folder / "record.parquet")
    decided = told["totals"]["deals"] - told["totals"]["capped"]
    if len(record["rank"]) != min(plan.longest, decided):
        raise InputError(
            f"{folder / 'record.parquet'} has {len(record['rank'])} deals where summary.json "
            f"tells of the {plan.longest} longest; delete it and run the workflow again"
        )


def _derive_headline(folder: Path) -> dict[str, Any]:
    told = summary.read(folder)
    if headline_text(told).encode() != (folder / "headline.txt").read_bytes():
        raise InputError(
            f"{folder / 'headline.txt'} does not follow from summary.json; delete it and run the "
            "workflow again"
        )
    return told
