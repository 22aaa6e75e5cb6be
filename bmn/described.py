"""Whether the metadata of a crate still describe the files beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from bmn import store
from bmn.errors import InputError
from bmn.finished import STUMBLES
from bmn.inventory import Inventory
from bmn.manifest import MANIFEST, METADATA, Entry, Finding, more

WAY_OUT = "run `bmn crate` again, or delete it if unwanted"


def check(seen: Inventory, listed: Mapping[str, Entry]) -> Iterator[Finding]:
    """Compare the metadata of a crate, if there are any, with what is there.

    Parameters
    ----------
    seen
        What is in the results folder.
    listed
        Its manifest, with which the files are compared elsewhere; only other files are read here.

    Yields
    ------
    Finding
        One, if there are metadata.
    """
    if METADATA not in seen.files:
        return
    path = seen.folder / METADATA
    try:
        told = described(store.read_json(path))
    except (*STUMBLES, OSError):
        yield Finding(METADATA, "fault", f"{path} is no description of a run; {WAY_OUT}")
        return
    wrong = [
        name
        for name, sha256 in told.items()
        if sha256 != (listed[name].sha256 if name in listed else seen.sha256(name))
    ]
    if wrong:
        text = f"{path} describes {wrong[0]:.100}{more(wrong)} other than it is; {WAY_OUT}"
        yield Finding(METADATA, "fault", text)
    else:
        yield Finding(METADATA, "ok", "")


def described(metadata: Any) -> dict[str, str]:
    """Return the SHA-256 of each file that the metadata of a crate describe.

    Raises
    ------
    InputError
        If they do not describe a run.
    """
    files = [entity for entity in metadata["@graph"] if "sha256" in entity]
    told = {unquote(file["@id"]): file["sha256"] for file in files}
    if MANIFEST not in told:
        raise InputError(f"no {MANIFEST} is described")
    return told
