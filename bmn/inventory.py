"""What is in a folder, seen from outside: nothing is opened, no link is followed.

Whoever reads a folder from elsewhere opens only what is a regular file here. A pipe would be waited
for without end, and a link or a path with ``..`` may lead anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from bmn.errors import InputError
from bmn.provenance import file_sha256


@dataclass(frozen=True)
class Inventory:
    """What is in a folder and below, but for what is hidden.

    Attributes
    ----------
    folder
        The folder; all other paths are relative to it, with ``/`` between their parts.
    files
        The regular files.
    barred
        What else there is but folders, and folders that cannot be read: each with the reason why
        it is left alone and what to do, as part of a sentence.
    """

    folder: Path
    files: frozenset[str]
    barred: Mapping[str, str]

    @classmethod
    def of(cls, folder: str | Path) -> Inventory:
        """Look through a folder.

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
        files, barred, waiting = set(), {}, [""]
        while waiting:
            inside = waiting.pop()
            try:
                with os.scandir(folder / inside) as entries:
                    for entry in entries:
                        name = f"{inside}/{entry.name}" if inside else entry.name
                        if entry.name.startswith("."):
                            continue
                        if entry.is_symlink():
                            barred[name] = "is a link, and no link is followed; delete it"
                        elif entry.is_dir():
                            waiting.append(name)
                        elif entry.is_file():
                            files.add(name)
                        else:
                            barred[name] = "is a pipe, a socket or a device; delete it"
            except OSError as error:
                if not inside:
                    raise
                way_out = "change its permissions, or delete it"
                barred[inside] = f"cannot be read ({error.strerror}); {way_out}"
        return cls(folder, frozenset(files), barred)

    def sha256(self, path: str) -> str | None:
        """Return the SHA-256 of a file; None if it is no regular file, or cannot be read."""
        try:
            return file_sha256(self.folder / path) if path in self.files else None
        except OSError:
            return None

    def barring(self, path: str) -> str | None:
        """Return what is in the way to a path: itself, or something above it."""
        parts = path.split("/")
        above = ("/".join(parts[:length]) for length in range(1, len(parts) + 1))
        return next((place for place in above if place in self.barred), None)

    def holding(self, name: str) -> list[str]:
        """List the folders inside that have a file of this name, without those in one another."""
        have = (path.rpartition("/") for path in self.files)
        folders: list[str] = []
        for inside in sorted((inside for inside, _, last in have if last == name), key=len):
            if inside and not _below(inside, folders):
                folders.append(inside)
        return sorted(folders)

    def within(self, inside: str) -> Inventory:
        """Return what is in a folder inside."""
        start = len(inside) + 1
        return Inventory(
            self.folder / inside,
            frozenset(path[start:] for path in self.files if _below(path, [inside])),
            {path[start:]: why for path, why in self.barred.items() if _below(path, [inside])},
        )

    def without(self, inside: Collection[str]) -> Inventory:
        """Return all but what is in some folders inside."""
        return Inventory(
            self.folder,
            frozenset(path for path in self.files if not _below(path, inside)),
            {path: why for path, why in self.barred.items() if not _below(path, inside)},
        )


def _below(path: str, folders: Collection[str]) -> bool:
    return any(f"{path}/".startswith(f"{folder}/") for folder in folders)
