"""The kinds of faults. Each strikes at a moment and a place that the chance of its round picks.

A kind is a context manager over a stage: it yields what the commands said under the fault, and
lifts the fault when it is left, as far as the sentences ask for that.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bmn import build, store
from bmn.errors import InputError
from tests.storm.forked import Forked
from tests.storm.stage import KEPT, Stage, Told

ROOT = os.geteuid() == 0


@dataclass(frozen=True)
class Kind:
    """A kind of fault.

    Attributes
    ----------
    share
        How many rounds of a campaign, in proportion.
    strike
        The context manager.
    skipped
        Why it cannot be tried here, if so.
    """

    name: str
    share: int
    strike: Callable[[Stage], Iterator[list[Told]]]
    skipped: str = ""


KINDS: dict[str, Kind] = {}


def kind(name: str, share: int, skipped: str = "") -> Callable:
    def register(strike):
        KINDS[name] = Kind(name, share, contextmanager(strike), skipped)
        return strike

    return register


# Signals


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _signal_a_child(stage: Stage, run: Forked | subprocess.Popen, number: signal.Signals) -> None:
    while run.poll() is None:
        if children := _children(run.pid):
            child = stage.chance.choice(children)
            with suppress(ProcessLookupError), _process(child) as process:
                # Held fast, it is still a child, so it is not a stranger with the same number.
                if child in _children(run.pid):
                    signal.pidfd_send_signal(process, number)
                    return
        time.sleep(0.002)
    stage.notes.append("already gone")


@contextmanager
def _process(pid: int) -> Iterator[int]:
    process = os.pidfd_open(pid)
    try:
        yield process
    finally:
        os.close(process)


def _signalled(whom: str, number: signal.Signals) -> Callable[[Stage], Iterator[list[Told]]]:
    def strike(stage):
        stage.copy_finished()
        made = stage.unfinish()
        run = stage.begin()
        stage.wait_for_a_moment(run, made)
        # The number of a command that has ended may be somebody else's by now; that of one that
        # has only just ended, and was not waited for, is not.
        if run.poll() is not None:
            stage.notes.append("already gone")
        elif whom == "group":
            os.killpg(run.pid, number)
        elif whom == "workflow":
            os.kill(run.pid, number)
        else:
            _signal_a_child(stage, run, number)
        yield [stage.end(run)]

    return strike


for number, shares in (
    (signal.SIGKILL, (30, 18, 16)),
    (signal.SIGTERM, (18, 12, 10)),
    (signal.SIGINT, (18, 12, 10)),
):
    for whom, told, share in zip(
        ("group", "workflow", "child"),
        ("every process", "the workflow only", "one child"),
        shares,
        strict=True,
    ):
        kind(f"{number.name} to {told}", share)(_signalled(whom, number))


# Files


def _truncate(stage: Stage, path: Path) -> None:
    os.truncate(path, stage.chance.randrange(1, path.stat().st_size))


def _flip(stage: Stage, path: Path) -> None:
    whole = path.read_bytes()
    told = _table(path)
    while _table(path) == told:
        # Parquet has a few bits that nothing depends on; one of them is no fault.
        damaged = bytearray(whole)
        damaged[stage.chance.randrange(len(damaged))] ^= 1 << stage.chance.randrange(8)
        path.write_bytes(damaged)


def _table(path: Path) -> str | bytes | None:
    """Return the digest of a table, or the bytes of another file; None for a damaged table."""
    if path.suffix != ".parquet":
        return path.read_bytes()
    try:
        return store.digest(*store.read(path))
    except InputError:
        return None


def _empty(stage: Stage, path: Path) -> None:
    path.write_bytes(b"")


def _foreign(stage: Stage, path: Path) -> None:
    theirs = stage.campaign.foreign.results / path.relative_to(stage.results)
    path.write_bytes(theirs.read_bytes())


DAMAGES = {"truncated": _truncate, "one bit flipped": _flip, "emptied": _empty}

CHUNKS = ("search*/*/*.parquet",)
TABLES = ("*.parquet", "decompositions/*/*.parquet", "published/statistics.parquet")
CHECKS = ("checks/*.parquet",)
TEXTS = ("summary.json", "headline.txt", "report.html", "figures/*.svg", "figures/*.png")


def _pick(stage: Stage, patterns: tuple[str, ...], count: int = 1) -> list[Path]:
    # What takes longest to make again is struck less often.
    paths = [p for pattern in patterns for p in sorted(stage.results.glob(pattern))]
    slow = [p for p in paths if p.relative_to(stage.results).as_posix() in KEPT]
    if stage.chance.random() < 0.9:
        paths = [p for p in paths if p not in slow]
    return stage.chance.sample(paths, count)


def _damaged(patterns: tuple[str, ...], damage: Callable) -> Callable:
    def strike(stage):
        stage.copy_finished()
        for path in _pick(stage, patterns):
            stage.keep_time(path, lambda path=path: damage(stage, path))
        yield [stage.run()]

    return strike


for what, patterns, shares in (
    ("chunk", CHUNKS, (20, 26, 12)),
    ("table", TABLES, (14, 20, 10)),
    ("check", CHECKS, (8, 12, 6)),
    ("summary, headline, page or picture", TEXTS, (14, 18, 10)),
):
    for (done, damage), share in zip(DAMAGES.items(), shares, strict=True):
        kind(f"{what}: {done}", share)(_damaged(patterns, damage))

kind("file of another run in place", 30)(_damaged((*CHUNKS, *TABLES, *CHECKS, *TEXTS), _foreign))


def _swapped(patterns: tuple[str, ...]) -> Callable:
    def strike(stage):
        stage.copy_finished()
        one, other = _pick(stage, patterns, 2)
        bytes_of = {one: other.read_bytes(), other: one.read_bytes()}
        for path, content in bytes_of.items():
            stage.keep_time(path, lambda path=path, content=content: path.write_bytes(content))
        yield [stage.run()]

    return strike


for what, patterns, share in (
    ("chunks", CHUNKS, 20),
    ("tables", TABLES, 10),
    ("checks", CHECKS, 10),
):
    kind(f"two {what} swapped", share)(_swapped(patterns))


@kind("chunk renamed", 14)
def _renamed(stage):
    stage.copy_finished()
    one, other = _pick(stage, CHUNKS, 2)
    place = other if stage.chance.random() < 0.5 else one.with_name("first=000000000001.parquet")
    stage.keep_time(place, lambda: one.replace(place))
    yield [stage.run()]


# The disk


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *map(str, arguments)], check=True, capture_output=True)


def _umount(path: Path) -> None:
    subprocess.run(["umount", "-l", str(path)], check=True, capture_output=True)


NEEDS_ROOT = "" if ROOT else "needs root to mount"


@kind("full disk (small file system)", 16, NEEDS_ROOT)
def _full_disk(stage):
    _mount("-t", "tmpfs", "-o", "size=200m", "tmpfs", stage.folder)
    stage.at_end(_umount, stage.folder)
    stage.copy_finished()
    stage.unfinish()
    disk = os.statvfs(stage.folder)
    used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
    spare = int(2 ** stage.chance.uniform(2, 11)) * 1024
    stage.notes.append(f"{spare // 1024} KiB free")
    _mount("-o", f"remount,size={used + spare}", stage.folder)
    yield [stage.run()]
    _mount("-o", "remount,size=200m", stage.folder)


@kind("full disk (RLIMIT_FSIZE)", 14)
def _limited(stage):
    stage.copy_finished()
    stage.unfinish()
    # Snakemake itself writes files of some KiB while it reads the workflow.
    limit = int(2 ** stage.chance.uniform(15, 21.5))
    stage.notes.append(f"no file longer than {limit} bytes")
    yield [stage.run(prefix=["prlimit", f"--fsize={limit}"])]


@kind("read-only folder", 14, NEEDS_ROOT)
def _read_only(stage):
    stage.copy_finished()
    stage.unfinish()
    name = stage.chance.choice(["results", "results", "results/checks", "results/search", "."])
    folder = stage.folder / name
    stage.notes.append(name)
    _mount("--bind", folder, folder)
    _mount("-o", "remount,ro,bind", folder)
    try:
        yield [stage.run()]
    finally:
        _umount(folder)


# Other runs and their traces


@kind("two runs, one later", 20)
def _two_runs(stage):
    stage.copy_finished()
    made = stage.unfinish()
    first = stage.begin()
    stage.wait_for_a_moment(first, made)
    second = stage.begin()
    yield [stage.end(first), stage.end(second)]


@kind("two runs at once", 16)
def _runs_at_once(stage):
    stage.copy_finished()
    stage.unfinish()
    first = stage.begin()
    delay = stage.chance.random() * 0.05
    stage.notes.append(f"{1000 * delay:.0f} ms between them")
    time.sleep(delay)
    second = stage.begin()
    yield [stage.end(first), stage.end(second)]


@kind("stale lock", 18)
def _stale_lock(stage):
    stage.copy_finished()
    made = stage.unfinish(late=stage.chance.random() < 0.5)
    locks = stage.folder / ".snakemake/locks"
    locks.mkdir(exist_ok=True)
    share = stage.chance.sample(made, stage.chance.randint(1, len(made)))
    for way in ("input", "output"):
        (locks / f"0.{way}.lock").write_text("".join(f"results/{path}\n" for path in share))
    yield [stage.run()]


@kind("lost .snakemake", 14)
def _lost_memory(stage):
    stage.copy_finished()
    if stage.chance.random() < 0.5:
        stage.unfinish()
        stage.notes.append("unfinished")
    shutil.rmtree(stage.folder / ".snakemake")
    yield [stage.run()]


@kind("missing profile", 8)
def _no_profile(stage):
    stage.copy_finished()
    stage.unfinish(late=True)
    shutil.rmtree(stage.folder / "profiles")
    yield [stage.run()]


# Time


@kind("clock jumps (times of files)", 16)
def _jumping_files(stage):
    stage.copy_finished()
    if stage.chance.random() < 0.5:
        stage.unfinish()
    paths = sorted(path for path in stage.results.rglob("*") if path.is_file())
    for path in stage.chance.sample(paths, stage.chance.randint(1, len(paths) // 2)):
        then = time.time() + stage.chance.choice([-1, 1]) * 10 ** stage.chance.uniform(1, 8.5)
        os.utime(path, (then, then))
    yield [stage.run()]


FAKETIME = shutil.which("faketime")


@kind("clock jumps (of the process)", 12, "" if FAKETIME else "faketime is not installed")
def _jumping_clock(stage):
    stage.copy_finished()
    stage.unfinish()
    days = stage.chance.choice([-1, 1]) * stage.chance.randint(1, 3000)
    # Waiting by a monotonic clock that jumps hangs in libfaketime itself.
    stage.environment["DONT_FAKE_MONOTONIC"] = "1"
    stage.environment["NO_FAKE_STAT"] = stage.chance.choice(["", "1"])
    stage.notes.append(f"{days:+} days")
    yield [stage.run(prefix=[FAKETIME, "-f", f"{days:+}d"])]


# The engine


@kind("engine of other bytes between chunks", 4)
def _other_engine(stage):
    stage.copy_finished()
    made = stage.unfinish()
    engine = stage.folder / build.ENGINE
    run = stage.begin()
    stage.wait_for_a_moment(run, made[: len(made) // 2])
    other = engine.with_suffix(".new")
    other.write_bytes(engine.read_bytes() + b"\0" * stage.chance.randint(1, 9))
    other.replace(engine)
    stage.end(run)
    stage.struck_engine()
    yield [stage.run()]


@kind("engine damaged", 6)
def _bad_engine(stage):
    stage.copy_finished()
    stage.unfinish()
    engine = stage.folder / build.ENGINE
    how = stage.chance.choice(sorted(DAMAGES))
    stage.notes.append(how)
    damaged = stage.folder / "damaged"
    shutil.copy2(engine, damaged)
    DAMAGES[how](stage, damaged)
    damaged.replace(engine)
    stage.struck_engine()
    yield [stage.run()]
