"""The stage of a round: a copy of a finished run, the command, and what was heard of it."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from click.testing import CliRunner

from bmn import cli
from tests.conftest import Project, heed_interrupts
from tests.storm.forked import Forked

if TYPE_CHECKING:
    from tests.storm.campaign import Campaign

COMMAND = ("--cores", "2", "--omit-from", "cost")
"""Arguments of Snakemake; what is timed is left out, for no byte of it is compared."""

FRESH = 0.1
"""The share of commands that are started from nothing; others are forked from a loaded one."""

KEPT = {
    *(f"checks/{check}.parquet" for check in ("battery", "control", "plants", "binary")),
    *(f"published/{table}.parquet" for table in ("records", "claims", "cycles")),
}
"""Results that do not depend on the search, and take the longest."""

LATE = {"summary.json", "headline.txt", "manifest.parquet"}
"""Results at the very end of a run."""

PROGRESS = re.compile(r"bmn: \d+ of \d+ ")
NOTICE = re.compile(r"bmn: the profile ")


class Told(NamedTuple):
    """How a command ended and what it said."""

    code: int
    text: str

    @property
    def sentences(self) -> list[str]:
        """The sentences of bmn, without those on progress and on the profile."""
        lines = [line for line in self.text.splitlines() if line.startswith("bmn: ")]
        return [line for line in lines if not (PROGRESS.match(line) or NOTICE.match(line))]


def _is_there(group: int, number: int = 0) -> bool:
    """Send a signal, or none, to a group of processes; return whether there is still one."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


class Stage(Project):
    """A copy of a finished run, to be struck by one fault.

    Attributes
    ----------
    campaign
        Has the finished run, and one of other seeds.
    chance
        Where moments and places come from.
    right
        What the results must be, by path.
    struck
        Results the fault changed, relative to the results folder.
    notes
        What the fault did, for the record of the round.
    """

    def __init__(self, campaign: Campaign, folder: Path, chance: random.Random):
        super().__init__(folder)
        self.campaign, self.chance, self.right = campaign, chance, campaign.right
        self.environment = {
            "BMN_STORM_MEMORY": str(campaign.folder / "memory"),
            "PYTHONPATH": str(Path(__file__).parent / "memory"),
        }
        self.struck: set[str] = set()
        self.notes: list[str] = []
        self._logged: dict[int, Path] = {}
        self._groups: set[int] = set()
        self._endings = ExitStack()
        self.at_end = self._endings.callback
        folder.mkdir(parents=True)
        self._logs = 0

    def copy_finished(self) -> None:
        shutil.copytree(
            self.campaign.finished.folder, self.folder, symlinks=True, dirs_exist_ok=True
        )

    def unfinish(self, *, late: bool = False) -> list[str]:
        """Take away some chunks and all that is made of them, as if a run had not come so far.

        Returns what a run has to make, in about the order in which it is made.
        """
        chunks = sorted(self.results.glob("search/*/*.parquet"))
        lost = self.chance.sample(chunks, self.chance.randint(1, len(chunks)))
        gone = [] if late else [p.relative_to(self.results).as_posix() for p in sorted(lost)]
        gone += [path.replace("search/", "search_plays/") for path in gone]
        for path in self.files():
            below = path in LATE if late else not path.startswith("search") and path not in KEPT
            if below and path not in gone:
                gone.append(path)
        for path in gone:
            (self.results / path).unlink()
        shutil.rmtree(self.results / "timing", ignore_errors=True)
        return [path for path in gone if not path.startswith("figures/.")]

    # Commands

    def begin(self, *arguments: str, prefix: Sequence[str] = ()) -> Forked | subprocess.Popen:
        """Start the command in a group of processes of its own."""
        self._logs += 1
        path = self.folder.with_suffix(f".{self._logs}.log")
        if prefix or self.chance.random() < FRESH:
            with path.open("w") as log:
                run = subprocess.Popen(
                    [*prefix, sys.executable, "-m", "snakemake", *COMMAND, *arguments],
                    cwd=self.folder,
                    env=os.environ | self.environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    preexec_fn=heed_interrupts,
                )
        else:
            run = Forked([*COMMAND, *arguments], self.folder, path, self.environment)
        self._logged[run.pid] = path
        self._groups.add(run.pid)
        return run

    def end(self, run: Forked | subprocess.Popen) -> Told:
        """Wait for a command and return what it told."""
        code = run.wait(timeout=600)
        # A number that is free again may soon be that of somebody else's group.
        self._groups = {group for group in self._groups if _is_there(group)}
        return Told(code, self._logged[run.pid].read_text(errors="replace"))

    def run(self, *arguments: str, prefix: Sequence[str] = ()) -> Told:
        return self.end(self.begin(*arguments, prefix=prefix))

    def bmn(self, *arguments: str) -> Told:
        """Run a command of bmn's own; it must not fail with anything but sentences."""
        done = CliRunner().invoke(cli.main, [*arguments, str(self.results)])
        if done.exception and not isinstance(done.exception, SystemExit):
            return Told(done.exit_code, f"{done.output}\nTraceback: {done.exception!r}")
        return Told(done.exit_code, done.output)

    def settle(self, *, kill: bool = False) -> None:
        """Wait until every process of every command is gone."""
        for group in self._groups:
            while _is_there(group, signal.SIGKILL if kill else 0):
                time.sleep(0.01)
        self._groups.clear()

    def close(self) -> None:
        """End what is left of the round."""
        self.settle(kill=True)
        self._endings.close()

    def struck_engine(self) -> None:
        """Let the results say that the engine is another, as long as there is no headline."""
        self.struck |= {"checks/binary.parquet", "summary.json", "report.html", "report.sha256"}
        self.struck |= {path for path in self.right if path.startswith("figures")}

    # Moments and places

    def wait_for_a_moment(self, run: Forked | subprocess.Popen, made: list[str]) -> None:
        """Wait until a result is made that chance picks, or not even one, and a little longer."""
        after = self.chance.choice([None, *made])
        delay = self.chance.random() * (0.3 if after else 1.5)
        self.notes.append(f"{delay:.2f} s after {after or 'the start'}")
        while after and run.poll() is None and not (self.results / after).exists():
            time.sleep(0.004)
        with_end = time.monotonic() + delay
        while run.poll() is None and time.monotonic() < with_end:
            time.sleep(0.004)

    def keep_time(self, path: Path, change) -> None:
        """Change a result; by chance its time of change is set back, which hides it."""
        before = path.stat() if path.exists() else None
        change()
        hidden = before is not None and path.exists() and self.chance.random() < 0.4
        if hidden:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        name = path.relative_to(self.results).as_posix()
        self.struck.add(name)
        self.notes.append(f"{name}{' (time kept)' if hidden else ''}")
