"""What the Snakefile needs of the library: paths of chunks, faults told once."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator

from snakemake.exceptions import SpawnedJobError
from snakemake.logging import logger as snakemake_logger
from snakemake_interface_logger_plugins.common import LogEvent

from bmn.chunks import Search
from bmn.errors import InputError
from bmn.progress import progress


def chunk_paths(pattern: str, chunks: list[Search]) -> list[str]:
    """Fill a pattern with ``{size}`` and ``{first}`` for every chunk, in the order of seeds."""
    return [pattern.format(size=chunk.seeds, first=f"{chunk.first_seed:012d}") for chunk in chunks]


class ChunkProgress:
    """Shows how many of the chunks to be made are done, and keeps Snakemake's log short."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._advance: Callable[[int], None] = lambda chunks: None

    def start(self, chunks: int) -> None:
        """Begin to show progress, if there is any to make."""
        snakemake_logger.addFilter(_is_news)
        if chunks:
            self._advance = self._stack.enter_context(progress("chunks", chunks))

    def advance(self) -> None:
        """Count one more chunk as done."""
        self._advance(1)

    def stop(self) -> None:
        """Stop showing."""
        self._stack.close()


def _is_news(record: logging.LogRecord) -> bool:
    """Leave out what Snakemake says before and after every single job."""
    routine = getattr(record, "event", None) in (LogEvent.JOB_FINISHED, LogEvent.PROGRESS)
    return not (routine or str(record.msg).startswith(("Select jobs to execute", "Execute ")))


class ToldError(SpawnedJobError):
    """A job's failure that has been told already, in one sentence.

    Snakemake prints nothing more for an error of this class, provided that it does not find the
    rule in its traceback; so there is none.
    """

    __traceback__ = property(lambda self: None, lambda self, value: None)


class Faults:
    """Tells bad input met by jobs of this process, and remembers that there was some."""

    def __init__(self) -> None:
        self.met = False

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn an `InputError` raised in the block into one printed sentence."""
        try:
            yield
        except InputError as error:
            self.met = True
            print(f"bmn: {error}", file=sys.stderr)
            raise ToldError from None
