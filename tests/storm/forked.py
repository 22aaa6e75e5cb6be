"""Snakemake in a process forked from one that has loaded it: a second saved at every command."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# Loaded before the first fork; nothing of bmn is, for each project has its own.
import jsonschema  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow.parquet  # noqa: F401
import snakemake.cli
import snakemake.report


class Forked:
    """A command in a forked process, with what is used here of `subprocess.Popen`.

    Parameters
    ----------
    arguments
        Of Snakemake.
    folder
        Where it works: the folder of a project.
    log
        The file that gets what it prints.
    environment
        Variables set for it.
    """

    def __init__(
        self, arguments: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str]
    ):
        self._code: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.environ.update(environment)
                code = _snakemake(arguments, folder, log)
            except BaseException as error:
                sys.excepthook(type(error), error, error.__traceback__)
            finally:
                sys.stderr.flush()
                os._exit(code)

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while the command runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, timeout: float) -> int:
        """Wait for the command to end and return its exit code."""
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise TimeoutError(f"a command took more than {timeout} s")
            time.sleep(0.005)
        return self.poll()


def _snakemake(arguments: Sequence[str], folder: Path, log: Path) -> int:
    os.setsid()
    os.chdir(folder)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(output, descriptor)
        setattr(sys, name, os.fdopen(descriptor, "w", buffering=1, closefd=False))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("bmn", "tests")]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    atexit._clear()
    sys.argv = ["snakemake", *arguments]
    try:
        snakemake.cli.main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    atexit._run_exitfuncs()
    return code
