"""What the Snakefile needs of the library: paths of chunks, faults told once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from bmn.chunks import Search
from bmn.errors import InputError


def chunk_paths(pattern: str, chunks: list[Search]) -> list[str]:
    """Fill a pattern with ``{size}`` and ``{first}`` for every chunk, in the order of seeds."""
    return [pattern.format(size=chunk.seeds, first=f"{chunk.first_seed:012d}") for chunk in chunks]


class Faults:
    """Remembers that a job failed by bad input, so that the run can end with exit code 2."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Keep the sentence of an `InputError` raised in the block."""
        try:
            yield
        except InputError as error:
            self.sentences.append(str(error))
            raise
