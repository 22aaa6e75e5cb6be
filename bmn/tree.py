"""The tree over the chunks of a search, so that nothing ever reads more than some hundred files.

Up to `WIDEST` chunks are merged directly. Where there are more, neighbours form groups, and these
groups of their own, until there are so few. A group is merged like a chunk: its tables are the
sums of those below it, and they say which seeds they hold. A group that is complete keeps its name
when a search is extended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bmn import lengths as lt
from bmn import store
from bmn.chunks import Search, read_chunk
from bmn.store import Columns

FAN_IN = 128
"""Most parts of a group; with four files each that makes 512."""

WIDEST = 256
"""Most parts that are merged into the results directly; with two files each that makes 512."""

CHUNK_FOLDERS = {
    "lengths": "search",
    "plays": "search_plays",
    "timing": "timing/search",
}
"""Where the chunks' files of each kind are, in the results folder."""

GROUP_FOLDERS = {
    "lengths": "groups/lengths",
    "plays": "groups/plays",
    "files": "groups/files",
    "timing": "timing/groups",
}
"""Where those of the groups are; ``files`` lists everything below a group, and its own tables."""


COLUMNS = {"lengths": lt.LENGTH_COLUMNS, "plays": lt.PLAY_COLUMNS}
"""The columns of their tables."""


class Node(NamedTuple):
    """A chunk (level 0) or a group of nodes of the level below, and the seeds it covers."""

    level: int
    first_seed: int
    seeds: int


@dataclass(frozen=True)
class Tree:
    """The chunks of a search, and the groups over them.

    Attributes
    ----------
    search, size
        The search and its chunk size, which divides it.
    folder
        The results folder.
    fan_in, widest
        Most parts of a group, and most nodes at the top.
    """

    search: Search
    size: int
    folder: str | Path = "results"
    fan_in: int = FAN_IN
    widest: int = WIDEST

    @property
    def height(self) -> int:
        """The level of the top nodes: 0 if they are the chunks."""
        level = 0
        while self._count(level) > self.widest:
            level += 1
        return level

    def level(self, level: int) -> list[Node]:
        """Return the nodes of a level in the order of their seeds."""
        return self._between(level, self.search.first_seed, self._end)

    @property
    def top(self) -> list[Node]:
        """The nodes that are merged into the results, in the order of their seeds."""
        return self.level(self.height)

    @property
    def first_chunks(self) -> list[Node]:
        """All chunks if they are few, and else those of the first group."""
        if not self.height:
            return self.top
        return self.below(self.node(1, self.search.first_seed))

    @property
    def groups(self) -> list[Node]:
        """All groups, level by level."""
        return [node for level in range(1, self.height + 1) for node in self.level(level)]

    def node(self, level: int, first_seed: int) -> Node:
        """Return the node of a level that begins with a seed."""
        return Node(level, first_seed, min(self._span(level), self._end - first_seed))

    def below(self, node: Node) -> list[Node]:
        """Return the parts of a group in the order of their seeds."""
        return self._between(node.level - 1, node.first_seed, node.first_seed + node.seeds)

    @property
    def chunk_files(self) -> list[str]:
        """The tables of all chunks, relative to the results folder."""
        return [self.name(node, kind) for node in self.level(0) for kind in ("lengths", "plays")]

    def name(self, node: Node, kind: str) -> str:
        """Return where the file of a kind is, relative to the results folder."""
        end = "json" if kind == "timing" else "parquet"
        file = f"first={node.first_seed:012d}.{end}"
        if node.level:
            return f"{GROUP_FOLDERS[kind]}/size={self.size}/level={node.level}/{file}"
        return f"{CHUNK_FOLDERS[kind]}/size={node.seeds}/{file}"

    def path(self, node: Node, kind: str) -> str:
        """Return where the file of a kind is: ``lengths``, ``plays``, ``files`` or ``timing``."""
        return f"{self.folder}/{self.name(node, kind)}"

    def paths(self, nodes: list[Node], kind: str) -> list[str]:
        """Return the files of a kind of several nodes."""
        return [self.path(node, kind) for node in nodes]

    def part(self, node: Node) -> Search:
        """Return the search that a node holds."""
        return self.search.part(node.first_seed, node.seeds)

    def read(self, node: Node, kind: str) -> Columns:
        """Read the lengths or plays of a node.

        Raises
        ------
        InputError
            If the file is missing or damaged, or holds anything else.
        """
        return read_chunk(self.part(node), self.path(node, kind), COLUMNS[kind])

    def each(self, nodes: list[Node], kind: str) -> Iterator[tuple[Node, Columns]]:
        """Read the lengths or plays of several nodes, one at a time."""
        for node in nodes:
            yield node, self.read(node, kind)

    def _span(self, level: int) -> int:
        return self.size * self.fan_in**level

    def _count(self, level: int) -> int:
        return -(-self.search.seeds // self._span(level))

    @property
    def _end(self) -> int:
        return self.search.first_seed + self.search.seeds

    def _between(self, level: int, first: int, end: int) -> list[Node]:
        span = self._span(level)
        return [Node(level, seed, min(span, end - seed)) for seed in range(first, end, span)]


def merge(
    tree: Tree, nodes: list[Node], lengths_path: str | Path, plays_path: str | Path
) -> dict[str, str]:
    """Merge neighbouring nodes, read one at a time in the order of their seeds, into two files.

    Returns
    -------
    dict
        The content digest of each file, by its path.
    """
    first, last = nodes[0], nodes[-1]
    about = tree.search.part(
        first.first_seed, last.first_seed + last.seeds - first.first_seed
    ).about
    lengths = lt.merge_lengths(table for _, table in tree.each(nodes, "lengths"))
    plays = lt.merge_plays(table for _, table in tree.each(nodes, "plays"))
    return {
        str(lengths_path): store.write(lengths_path, lengths, about),
        str(plays_path): store.write(plays_path, plays, about),
    }
