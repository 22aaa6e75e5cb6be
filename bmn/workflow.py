"""What the Snakefile needs of the library: paths of chunks, one sentence for a fault."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bmn.chunks import Search
from bmn.errors import InputError


def chunk_paths(pattern: str, chunks: list[Search]) -> list[str]:
    """Fill a pattern with ``{size}`` and ``{first}`` for every chunk, in the order of seeds."""
    return [pattern.format(size=chunk.seeds, first=f"{chunk.first_seed:012d}") for chunk in chunks]


def check_results_folder(folder: str | Path) -> None:
    """Make sure that results can be written.

    Raises
    ------
    InputError
        If the folder cannot be made or written to.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"the results folder {Path(folder).resolve()} cannot be written to "
            f"({error.strerror}); change its permissions, or run with --directory elsewhere"
        ) from None


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
