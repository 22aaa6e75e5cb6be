"""The campaign: rounds drawn by a seed, played one after another, and their table."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.conftest import Project
from tests.storm.faults import KINDS
from tests.storm.judge import WrongError, inspect, recover
from tests.storm.stage import Stage

ENDINGS = {
    "right": "right at once",
    "told": "one sentence, then right",
    "hidden": "named by `bmn verify`, then right",
    "stopped": "stopped by the signal, then right",
    "wrong": "wrong",
}
"""How a round can go, and what the table calls it."""


class Campaign:
    """Rounds on copies of one finished run.

    Parameters
    ----------
    folder
        Where the finished runs and the rounds go.
    seed
        Decides every round.
    finished
        A finished run, if there is one already.
    """

    def __init__(self, folder: Path, seed: int, finished: Project | None = None):
        self.folder, self.seed = folder, seed
        self.finished = finished or self._prepare("finished", None)
        self.right = self.finished.files()
        self.kinds = [kind.name for kind in KINDS.values() for _ in range(kind.share)]
        random.Random(seed).shuffle(self.kinds)

    @cached_property
    def foreign(self) -> Project:
        """A finished run of other seeds."""
        return self._prepare("foreign", self.finished, first_seed=4096)

    def _prepare(self, name: str, start: Project | None, **changes: Any) -> Project:
        project = Project(self.folder / name)
        if not (project.results / "manifest.parquet").exists():
            shutil.rmtree(project.folder, ignore_errors=True)
            project = start.copy(project.folder) if start else Project.fresh(project.folder)
            for extension in project.folder.rglob("*.so"):
                # Younger than its sources, so that it is not compiled again for its time alone.
                extension.touch()
            project.configure(**changes)
            project.snakemake()
        return project

    def round(self, number: int, name: str | None = None) -> dict[str, Any]:
        """Play one round: the kind of fault its number has in this campaign, or the one named.

        Returns
        -------
        dict
            ``seed``, ``round``, ``kind``, ``ending`` (a key of `ENDINGS`), ``notes``,
            ``seconds``, and for a wrong one ``why``.
        """
        chance = random.Random(f"{self.seed} {number}")
        kind = KINDS[name or self.kinds[number % len(self.kinds)]]
        told = {"seed": self.seed, "round": number, "kind": kind.name}
        if kind.skipped:
            return told | {"ending": "skipped", "notes": kind.skipped, "seconds": 0.0}
        start = time.monotonic()
        self._clear(number)
        stage = Stage(self, self.folder / f"round-{number}", chance)
        try:
            why, ending = "", self._play(kind, stage)
        except (WrongError, TimeoutError, subprocess.TimeoutExpired) as error:
            why, ending = str(error), "wrong"
        finally:
            stage.close()
        if ending != "wrong":
            self._clear(number)
        seconds = round(time.monotonic() - start, 2)
        notes = "; ".join(stage.notes)
        told |= {"ending": ending, "notes": notes, "seconds": seconds}
        return told | ({"why": why} if why else {})

    def _clear(self, number: int) -> None:
        for path in self.folder.glob(f"round-{number}*"):
            if path.name.removeprefix(f"round-{number}")[:1] in ("", "."):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _play(self, kind, stage: Stage) -> str:
        with kind.strike(stage) as heard:
            endings = [inspect(stage, told) for told in heard]
        # Two commands: the one that did not say that all is right is the one to follow.
        first = next((e for e in ("hidden", "stopped", "told") if e in endings), "right")
        recover(stage, heard[endings.index(first)], first)
        return first


def table(rounds: Iterable[dict[str, Any]]) -> str:
    """Return the table of a campaign in Markdown: a row for each kind, and the sums."""
    counts: dict[str, Counter] = {name: Counter() for name in KINDS}
    for told in rounds:
        counts[told["kind"]][told["ending"]] += 1
    counts["all"] = sum(counts.values(), Counter())
    lines = [
        "| " + " | ".join(["fault", "rounds", *ENDINGS.values()]) + " |",
        "|---|" + "--:|" * (1 + len(ENDINGS)),
    ]
    for name, count in counts.items():
        if not count:
            continue
        row = [count.total() - count["skipped"], *(count[ending] for ending in ENDINGS)]
        lines.append("| " + " | ".join([name, *map(str, row)]) + " |")
    return "\n".join(lines) + "\n"


def recorded(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rounds a file of JSON lines records."""
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())
