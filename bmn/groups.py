"""A group of the tree: its tables, the list of all files below it, and what they cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bmn import listing, store
from bmn.tree import Node, Tree, merge


def write_group(
    tree: Tree, group: Node, lengths_path: str, plays_path: str, files_path: str, timing_path: str
) -> None:
    """Merge the parts of a group, list the files below it, and gather the timings of its chunks.

    Parameters
    ----------
    tree, group
        The tree, and a node above its chunks.
    lengths_path, plays_path
        Where the merged tables go.
    files_path
        Where the list goes; the merged tables are on it too.
    timing_path
        Where the timings go, a list with an entry for each chunk that was timed.
    """
    below = tree.below(group)
    merge(tree, below, lengths_path, plays_path)
    tables, lists = [lengths_path, plays_path], []
    if group.level == 1:
        tables += tree.paths(below, "lengths") + tree.paths(below, "plays")
    else:
        lists = tree.paths(below, "files")
    store.write(files_path, listing.listed(tree.folder, tables, lists), tree.part(group).about)
    store.write_json(timing_path, timings(tree, below))


def timings(tree: Tree, nodes: list[Node]) -> list[dict[str, Any]]:
    """Return what every chunk below some nodes measured; those of other machines are missing."""
    found: list[dict[str, Any]] = []
    for node in nodes:
        path = Path(tree.path(node, "timing"))
        if path.exists():
            measured = store.read_json(path)
            found += measured if node.level else [measured]
    return found
