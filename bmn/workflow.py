"""What the Snakefile needs of the library: progress of chunks, faults told once."""

from __future__ import annotations

import _thread
import atexit
import contextlib
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.exceptions import LockException, SpawnedJobError
from snakemake.logging import logger as snakemake_logger
from snakemake_interface_logger_plugins.common import LogEvent

from bmn import locking
from bmn.build import SUFFIX
from bmn.errors import BAD_INPUT, InputError
from bmn.progress import progress
from bmn.provenance import ROOT

COMPILING = frozenset({"engine", "explore", "general", "hunt", "pieces"})
"""Rules whose files are there before Snakemake has run: the installation has compiled them."""

_AS_MODULE = """
import signal
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
import runpy, sys
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""``python -m``, but an interrupt ends the process at once and without a word.

Otherwise libraries that are just being imported make long stories of it.
"""


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


def bring_back(paths: Iterable[str | Path]) -> None:
    """Give files from the future, as a jump of the clock leaves them, the time of now.

    Snakemake fails a job whose output is older than its input.
    """
    now = time.time()
    for path in map(Path, paths):
        # The second is what Snakemake takes for the time of a folder.
        for file in (path, path / ".snakemake_timestamp"):
            if file.exists() and file.stat().st_mtime > now:
                os.utime(file, (now, now))


def terminate_without_waiting() -> None:
    """Let Snakemake's own handler of SIGTERM run in a thread of its own.

    It takes a lock of the scheduler. If the interrupted main thread holds that, it would wait for
    itself without end. `threading.Thread` has locks too, which the main thread may hold.
    """
    handler = signal.getsignal(signal.SIGTERM)
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *told: _thread.start_new_thread(handler, told))


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

    Parameters
    ----------
    folder
        The results folder. A run at work in it holds the kernel's lock on it, and so do its
        processes, even where a kill left them behind; the lock goes with the last of them.
    check_kept
        Raises `InputError` if results that a run leaves as they are do not belong to it.
    """

    def __init__(self, folder: str | Path, check_kept: Callable[[], None]) -> None:
        self.met = False
        self._check_kept = check_kept
        self._telling = threading.Lock()
        self._folder = Path(folder)
        self._held: tuple[int, ...] = ()
        atexit.register(self._end)
        sys.excepthook = self._uncaught
        snakemake_logger.addFilter(self._untold)

    def _end(self) -> None:
        if self.met:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(BAD_INPUT)

    def _uncaught(self, kind: type, error: BaseException, trace: Any) -> None:
        """Leave out where it was that someone stopped the workflow."""
        if not issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)

    def tell(self, error: InputError | str) -> None:
        """Print one sentence, the first one only, and make bad input the exit code."""
        with self._telling:
            first, self.met = not self.met, True
        if first:
            print(f"bmn: {error}", file=sys.stderr)

    def alone(self) -> bool:
        """Keep other runs out of the results folder, or tell that one is in.

        Snakemake looks for its own lock before it takes it, so two runs that begin at once can
        both have it.
        """
        try:
            held = locking.hold(self._folder)
        except BlockingIOError:
            self.tell(
                f"another run is at work in {self._folder.resolve()}, or what is left of a killed "
                "one; wait for it to end, then give the same command again"
            )
            return False
        # Where the file system has no such lock there is only Snakemake's own.
        self._held = () if held is None else (held,)
        return True

    def keeps(self) -> bool:
        """Return whether the results that a run leaves as they are belong to it, or tell."""
        try:
            self._check_kept()
        except InputError as error:
            self.tell(error)
            return False
        return True

    def loads(self, extensions: Iterable[str]) -> bool:
        """Return whether compiled extensions can be loaded, or tell which one cannot.

        They are loaded in a process of its own, which a damaged one may end without a word.
        """
        extensions = sorted(extensions)
        paths = [Path(path).resolve().relative_to(ROOT).as_posix() for path in extensions]
        modules = [path.removesuffix(SUFFIX).replace("/", ".") for path in paths]
        loading = "\n".join(f"print({n}, flush=True); import {m}" for n, m in enumerate(modules))
        done = self._run("-c", loading, stdout=subprocess.PIPE)
        if not done.returncode:
            return True
        if _ended_by(done) in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            # A damaged extension ends a process by other signals.
            self._tell_ended("the process that loads the compiled extensions", done)
            return False
        path = extensions[int(done.stdout.split()[-1])]
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        self.tell(f"{path} cannot be loaded ({reason}); delete it and run the workflow again")
        return False

    def _untold(self, record: logging.LogRecord) -> bool:
        """Put what Snakemake says of its lock, and of a disk that it cannot use, into sentences.

        Where there is nothing to be done it calls no hook, and only says so.
        """
        if record.msg == NOTHING_TO_BE_DONE_MSG:
            return self.keeps()
        unrecorded = re.search("Rules with missing metadata: (.*)", str(record.msg))
        if unrecorded and COMPILING.issuperset(unrecorded[1].split()):
            return False
        error = sys.exc_info()[1] if getattr(record, "event", None) == LogEvent.ERROR else None
        if isinstance(error, OSError):
            where = f"{error.filename} in " if error.filename else ""
            self.tell(
                f"Snakemake cannot work with {where}{Path.cwd()} ({error.strerror or error}); free "
                "the space or the permission and give the same command again"
            )
            return False
        if not isinstance(error, LockException):
            return True
        if self.alone():
            self.tell(
                f"a run in {self._folder.resolve()} was killed, or one is at work on another "
                "machine; make sure that none is, run `snakemake --unlock`, then give the same "
                "command again"
            )
        return False

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn an `InputError` raised in the block into one printed sentence."""
        try:
            yield
        except InputError as error:
            self.tell(error)
            raise ToldError from None

    def python(self, *arguments: str) -> None:
        """Run a module of bmn as a process, for work that holds the interpreter's lock.

        Raises
        ------
        ToldError
            If the process was killed, or met bad input and has said so.
        subprocess.CalledProcessError
            If it failed otherwise.
        """
        done = self._run("-c", _AS_MODULE, *arguments)
        if done.returncode == BAD_INPUT:
            self.tell(done.stderr.strip().rpartition("\n")[2].removeprefix("bmn: "))
            raise ToldError
        if _ended_by(done):
            self._tell_ended(f"`python -m {' '.join(arguments)}`", done)
            raise ToldError
        sys.stderr.write(done.stderr)
        done.check_returncode()

    def _tell_ended(self, what: str, done: subprocess.CompletedProcess) -> None:
        number = _ended_by(done)
        why = ", as when memory is short" if number is signal.SIGKILL else ""
        self.tell(f"{what} was ended by {number.name}{why}; give the same command again")

    def _run(self, *arguments: str, **how: Any) -> subprocess.CompletedProcess:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | {"PYTHONPATH": path},
            check=False,
            pass_fds=self._held,
            stderr=subprocess.PIPE,
            text=True,
            **how,
        )


def _ended_by(done: subprocess.CompletedProcess) -> signal.Signals | None:
    """Return the signal that ended a process, if one did."""
    if done.returncode < 0:
        return signal.Signals(-done.returncode)
    # Python itself ends so if it is interrupted before it has read its first line.
    interrupted = done.returncode and done.stderr.rstrip().endswith("KeyboardInterrupt")
    return signal.SIGINT if interrupted else None
