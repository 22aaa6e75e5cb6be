"""Re-reading everything a run wrote: whether it is still there, untouched and right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from bmn import checks, listing, store, summary
from bmn import lengths as lt
from bmn.chunks import Search, read_chunk
from bmn.errors import InputError
from bmn.listing import ENTRY, entry_of
from bmn.store import Columns
from bmn.summary import headline_text
from bmn.tree import CHUNK_FOLDERS, COLUMNS

MANIFEST = "manifest.parquet"

ALWAYS = {
    *(f"{table}.parquet" for table in ("lengths", "plays", "record")),
    *(f"checks/{check}.parquet" for check in checks.ABOUT),
    "summary.json",
    "headline.txt",
}
"""What every search writes."""


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
    """

    item: str
    level: Literal["ok", "fault", "missing", "stray"]
    text: str


def verify(folder: str | Path) -> Iterator[Finding]:
    """Re-read everything a run wrote and say what is wrong.

    Every file is compared with the manifest and its values with their digest; the chunks of
    every decomposition are merged again and compared with the merged tables; the headline is
    derived again from the summary. A folder inside with a manifest of its own, such as that of
    the censuses, is verified by that. Tables in other folders, such as that of the climbs, are on
    no list, and are only compared with the digests that they carry.

    Parameters
    ----------
    folder
        The results folder.

    Yields
    ------
    Finding
        One for everything looked at.

    Raises
    ------
    InputError
        If the folder has no readable manifest.
    """
    folder = Path(folder)
    listed = read(folder)
    missing = {path for path in listed["path"].tolist() if not (folder / path).exists()}
    for path, *entry in zip(*listed.values(), strict=True):
        if path in missing:
            yield Finding(path, "missing", f"{folder / path} is missing; run the workflow again")
        else:
            yield _judge(path, lambda path=path, entry=entry: _compare(folder, path, entry))
    for source, name, size in _decompositions(listed["path"].tolist()):
        chunks = [p for p in listed["path"] if p.startswith(f"{source}/size={size}/")]
        chunks.sort(key=lambda path: int(path.split("first=")[1].removesuffix(".parquet")))
        what = f"{name}.parquet from {len(chunks)} chunks of {size} seeds"
        if missing.isdisjoint([f"{name}.parquet", *chunks]):
            yield _judge(what, lambda n=name, s=size, c=chunks: _merge_again(folder, n, s, c))
    if "headline.txt" in listed["path"] and missing.isdisjoint(ALWAYS):
        yield _judge("headline.txt from summary.json", lambda: _derive_headline(folder))
    known = {*listed["path"].tolist(), MANIFEST}
    folders = {path.split("/")[0] for path in known}
    others = {file.parent for file in folder.rglob(MANIFEST)} - {folder}
    for file in sorted(folder.rglob("*.parquet")):
        path = file.relative_to(folder).as_posix()
        of_another = not others.isdisjoint(file.parents)
        if path in known or path.startswith("timing/") or of_another:
            continue
        if path.split("/")[0] in folders:
            yield Finding(path, "stray", f"{file} is not part of this run; delete it if unwanted")
        else:
            yield _judge(path, lambda file=file: store.read(file))
    for other in sorted(others):
        if others.isdisjoint(other.parents):
            yield from verify(other)


def read(folder: str | Path) -> Columns:
    """Return the manifest of a run.

    Raises
    ------
    InputError
        If it is missing or damaged, or is that of a search and does not list what every search
        writes.
    """
    path = Path(folder, MANIFEST)
    listed, _ = store.read(path)
    if list(listed) != list(ENTRY):
        raise InputError(f"{path} is not a manifest; delete it and run the workflow again")
    paths = set(listed["path"].tolist())
    of_a_search = "summary.json" in paths or Path(folder, "summary.json").exists()
    missing = sorted(ALWAYS - paths) if of_a_search else []
    if missing:
        raise InputError(f"{path} does not list {missing[0]}; delete it and run the workflow again")
    return listed


def _judge(item: str, look: Callable[[], None]) -> Finding:
    try:
        look()
    except InputError as error:
        return Finding(item, "fault", str(error))
    except OSError as error:
        text = f"{error.filename} cannot be read ({error.strerror}); run the workflow again"
        return Finding(item, "fault", text)
    except (KeyError, TypeError, ValueError) as error:
        text = f"{item} cannot be made sense of ({error!r}); delete it and run the workflow again"
        return Finding(item, "fault", text)
    return Finding(item, "ok", "")


def _compare(folder: Path, path: str, entry: list) -> None:
    if list(entry_of(folder, folder / path).values())[1:] != entry:
        # Pictures are made all together, and are missed by their list.
        drawn = path.startswith("figures/")
        what = f"; delete {folder / 'figures.sha256'}" if drawn else "; delete it"
        raise InputError(
            f"{folder / path} is not the file the manifest lists{what} and run the workflow again"
        )


def _decompositions(paths: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield folder, merged table and chunk size of everything that is merged from chunks."""
    for name in COLUMNS:
        source = CHUNK_FOLDERS[name]
        parts = (path.split("/") for path in paths)
        sizes = {int(p[1].removeprefix("size=")) for p in parts if p[0] == source and len(p) == 3}
        yield from ((source, name, size) for size in sorted(sizes))


def _merge_again(folder: Path, name: str, size: int, chunks: list[str]) -> None:
    merge = {"lengths": lt.merge_lengths, "plays": lt.merge_plays}[name]
    merged, about = store.read(folder / f"{name}.parquet")
    parts = Search.described(about).split(size)
    if len(parts) != len(chunks):
        raise InputError(f"{folder} lists {len(chunks)} chunks of {size}, not {len(parts)}")
    tables = (read_chunk(p, folder / c, COLUMNS[name]) for p, c in zip(parts, chunks, strict=True))
    if not lt.same(merge(tables), merged):
        raise InputError(
            f"{folder / name}.parquet is not what its chunks of {size} seeds give; delete it and "
            "run the workflow again"
        )


def _derive_headline(folder: Path) -> None:
    text = headline_text(summary.read(folder))
    if text.encode() != (folder / "headline.txt").read_bytes():
        raise InputError(
            f"{folder / 'headline.txt'} does not follow from summary.json; delete it and run the "
            "workflow again"
        )
