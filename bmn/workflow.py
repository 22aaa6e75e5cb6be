"""What the Snakefile needs of the library: progress of chunks, faults told once."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from snakemake.exceptions import SpawnedJobError
from snakemake.logging import logger as snakemake_logger
from snakemake_interface_logger_plugins.common import LogEvent

from bmn.errors import BAD_INPUT, InputError
from bmn.progress import progress
from bmn.provenance import ROOT


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
    """Tells bad input met by jobs of this process, and makes it the exit code.

    Snakemake ends with 1 whatever failed, and where the disk is full without calling its hooks,
    so the code is set at the very end of the process.
    """

    def __init__(self) -> None:
        self.met = False
        atexit.register(self._end)

    def _end(self) -> None:
        if self.met:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(BAD_INPUT)

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn an `InputError` raised in the block into one printed sentence."""
        try:
            yield
        except InputError as error:
            self.met = True
            print(f"bmn: {error}", file=sys.stderr)
            raise ToldError from None

    def python(self, *arguments: str) -> None:
        """Run a module of bmn as a process, for work that holds the interpreter's lock.

        Raises
        ------
        ToldError
            If the process met bad input and has said so.
        subprocess.CalledProcessError
            If it failed otherwise.
        """
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=False)
        if done.returncode == BAD_INPUT:
            self.met = True
            raise ToldError
        done.check_returncode()
