"""The list of everything a run wrote, and the check that it is still there, untouched and right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from bmn import checks, store, summary
from bmn import lengths as lt
from bmn.chunks import Search, read_chunk
from bmn.errors import InputError
from bmn.provenance import file_sha256
from bmn.store import Columns
from bmn.summary import headline_text

MANIFEST = "manifest.parquet"

ENTRY = {"path": object, "rows": np.uint64, "bytes": np.uint64, "sha256": object, "content": object}
"""The columns of the manifest."""

ALWAYS = {
    *(f"{table}.parquet" for table in ("lengths", "plays", "record")),
    *(f"checks/{check}.parquet" for check in checks.ABOUT),
    "summary.json",
    "headline.txt",
}
"""What every search writes."""


def manifest(folder: str | Path, paths: Iterable[str]) -> Columns:
    """List files with their rows, bytes, SHA-256 and content digest.

    Parameters
    ----------
    folder
        The results folder; paths are told relative to it.
    paths
        The files, or folders of files. Those that are not Parquet have no rows and their SHA-256
        for a digest.
    """
    paths = sorted(paths)
    for path in paths:
        if path.endswith(".sha256"):
            store.check_sums(path)
        if Path(path).name == "headline.txt":
            _derive_headline(Path(folder))
    files = [file for path in paths for file in _files(Path(path))]
    return checks.table([_entry(Path(folder), file) for file in files])


class Finding(NamedTuple):
    """What `verify` says of one thing: ``ok``, ``fault``, or ``stray`` for a file of no run."""

    item: str
    level: Literal["ok", "fault", "stray"]
    text: str


def verify(folder: str | Path) -> Iterator[Finding]:
    """Re-read everything a run wrote and say what is wrong.

    Every file is compared with the manifest and its values with their digest; the chunks of
    every decomposition are merged again and compared with the merged tables; the headline is
    derived again from the summary. A folder inside with a manifest of its own, such as that of
    the censuses, is verified by that.

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
    for path, *entry in zip(*listed.values(), strict=True):
        yield _judge(path, lambda path=path, entry=entry: _compare(folder, path, entry))
    for source, name, size in _decompositions(listed["path"].tolist()):
        chunks = [p for p in listed["path"] if p.startswith(f"{source}/size={size}/")]
        chunks.sort(key=lambda path: int(path.split("first=")[1].removesuffix(".parquet")))
        what = f"{name}.parquet from {len(chunks)} chunks of {size} seeds"
        yield _judge(what, lambda n=name, s=size, c=chunks: _merge_again(folder, n, s, c))
    if "headline.txt" in listed["path"]:
        yield _judge("headline.txt from summary.json", lambda: _derive_headline(folder))
    known = {*listed["path"].tolist(), MANIFEST}
    others = {file.parent for file in folder.rglob(MANIFEST)} - {folder}
    for file in sorted(folder.rglob("*.parquet")):
        path = file.relative_to(folder).as_posix()
        of_another = not others.isdisjoint(file.parents)
        if path not in known and not path.startswith("timing/") and not of_another:
            yield Finding(path, "stray", f"{file} is not part of this run; delete it if unwanted")
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
    if list(_entry(folder, folder / path).values())[1:] != entry:
        # Pictures are made all together, and are missed by their list.
        drawn = path.startswith("figures/")
        what = f"; delete {folder / 'figures.sha256'}" if drawn else "; delete it"
        raise InputError(
            f"{folder / path} is not the file the manifest lists{what} and run the workflow again"
        )


def _decompositions(paths: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield folder, merged table and chunk size of everything that is merged from chunks."""
    for source, name in (("search", "lengths"), ("search_plays", "plays")):
        parts = (path.split("/") for path in paths)
        sizes = {int(p[1].removeprefix("size=")) for p in parts if p[0] == source and len(p) == 3}
        yield from ((source, name, size) for size in sorted(sizes))


def _merge_again(folder: Path, name: str, size: int, chunks: list[str]) -> None:
    merge = {"lengths": lt.merge_lengths, "plays": lt.merge_plays}[name]
    merged, about = store.read(folder / f"{name}.parquet")
    parts = Search.described(about).split(size)
    if len(parts) != len(chunks):
        raise InputError(f"{folder} lists {len(chunks)} chunks of {size}, not {len(parts)}")
    columns = {"lengths": lt.LENGTH_COLUMNS, "plays": lt.PLAY_COLUMNS}[name]
    tables = (read_chunk(p, folder / c, columns) for p, c in zip(parts, chunks, strict=True))
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


def _files(path: Path) -> list[Path]:
    """Return a file itself, and of a folder every file that is not hidden."""
    if not path.is_dir():
        return [path]
    return sorted(f for f in path.rglob("*") if f.is_file() and not f.name.startswith("."))


def _entry(folder: Path, path: Path) -> dict:
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
