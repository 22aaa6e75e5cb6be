"""What is seen after a fault: whether anything is wrong, and what the sentences say to do."""

from __future__ import annotations

import re

from tests.storm.stage import PROGRESS, Stage, Told

DELETE = re.compile(r"(?:bmn|fault|stray): (\S+?):? .*\bdelete (\S+) ")
ADVICE = re.compile(r"delete |again\b|--unlock|wait for it|free the space|permission|run make")

ATTEMPTS = 8
"""So many commands may be needed until everything is right."""


class WrongError(Exception):
    """Something that must never be."""


def inspect(stage: Stage, told: Told) -> str:
    """Look at what a command said and left behind, and say how it ended.

    Returns
    -------
    str
        ``right``; ``told`` by one sentence; ``hidden``, which `bmn verify` tells; ``stopped``
        without a word, as by a signal.

    Raises
    ------
    WrongError
        If there is a traceback, more or less than one sentence, or a wrong result.
    """
    early = told.code != 2 and "Building DAG" not in told.text
    if early and told.text.rstrip().endswith("KeyboardInterrupt"):
        # Interrupted before the workflow was read, Python itself says so, at length.
        told = Told(told.code, "")
    require("Traceback (most recent" not in told.text, "a traceback", told)
    require(not re.search(r'^\s*File ".*", line', told.text, re.MULTILINE), "a traceback", told)
    wrong = _wrong_results(stage)
    require(wrong <= stage.struck, f"wrong results {sorted(wrong - stage.struck)}", told)
    shown = stage.bmn("show")
    require("Traceback" not in shown.text, "a traceback", shown)
    headline = stage.right["headline.txt"].decode()
    require(shown.code or headline in shown.text, "another headline shown", shown)
    require(shown.code or "checks/binary.parquet" not in wrong, "a headline too many", shown)
    if told.code == 2:
        require(len(told.sentences) == 1, "not one sentence", told)
        require(ADVICE.search(told.sentences[0]), "a sentence without a way out", told)
        return "told"
    if told.code:
        require(not told.sentences, "a sentence, but another exit code", told)
        return "stopped"
    verified = stage.bmn("verify")
    require("Traceback" not in verified.text, "a traceback", verified)
    if verified.code or "stray: " in verified.text:
        return "hidden"
    require(_same(stage), f"verified, but not right: {_differing(stage)}", verified)
    return "right"


def recover(stage: Stage, told: Told, ending: str) -> None:
    """Do what the sentences say until everything is right.

    Raises
    ------
    WrongError
        If that does not lead there.
    """
    for _ in range(ATTEMPTS):
        if ending == "right":
            return
        follow(stage, told, ending)
        told = stage.run()
        ending = inspect(stage, told)
        require(ending != "stopped", "stopped without a sentence", told)
    require(ending == "right", "no way out", told)


def follow(stage: Stage, told: Told, ending: str) -> None:
    """Do what the sentences say."""
    lines = told.sentences
    if ending == "hidden":
        lines = [x for x in stage.bmn("verify").text.splitlines() if not PROGRESS.match(x)]
    elif ending == "stopped":
        lines = ["snakemake --unlock"]
    for line in lines:
        if "wait for it" in line:
            stage.settle()
        if "--unlock" in line:
            stage.settle()
            stage.run("--unlock")
        if match := DELETE.match(line):
            named = match[1] if match[2] == "it" else match[2].rstrip(",")
            (stage.folder / named).unlink(missing_ok=True)


def require(condition: object, what: str, told: Told) -> None:
    if not condition:
        raise WrongError(f"{what} (exit code {told.code})\n{told.text}")


def _wrong_results(stage: Stage) -> set[str]:
    """List results that are there and are not what they must be."""
    return {
        path
        for path, content in stage.files().items()
        if path in stage.right and content != stage.right[path]
    }


def _differing(stage: Stage) -> list[str]:
    files = stage.files()
    return sorted(
        p for p in files.keys() | stage.right.keys() if files.get(p) != stage.right.get(p)
    )


def _same(stage: Stage) -> bool:
    return not _differing(stage)
