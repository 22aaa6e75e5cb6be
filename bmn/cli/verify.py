"""``bmn verify``: whether a results folder is complete, untouched, and as expected."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import click

from bmn import verdicts
from bmn.checks import expected
from bmn.cli.results import FOLDER
from bmn.inventory import Inventory
from bmn.manifest import Finding

STRAYS = 5
"""Files of no run that are named; of the others only the number is told."""

MARKS = {"yes": "✓", "no": "✗", "unknown": "-"}


@click.command()
@FOLDER
@click.option(
    "--expected",
    "expected_paths",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Compare with this file of `bmn expect`, not with the committed ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--strays", is_flag=True, help="Print only the files of no run, one path a line.")
def verify(folder: Path, expected_paths: tuple[str, ...], as_json: bool, strays: bool) -> None:
    """Re-read all results and say whether to rely on them.

    Three verdicts on FOLDER (results/): is it complete, is it untouched since its run ended (every
    file is compared with the manifest, every value with its digest, all chunks are merged again,
    the headline is derived again), and is it equal to what is on record for its search? The folder
    may come from another machine: nothing outside it is read, and no link is followed. The exit
    code is 1 if any verdict is no.

    \b
    Examples:
      bmn verify
      bmn verify /somewhere/else/results
      bmn verify results --expected theirs.json
      bmn verify --strays
    """
    from bmn.progress import progress

    if strays and as_json:
        raise click.UsageError("--json tells of strays too; leave --strays out")
    known = {Path(path): expected.read(path) for path in expected_paths or expected.committed()}
    seen = Inventory.of(folder)
    listed = verdicts.listed(seen)
    found = []
    with progress("files", max(1, len(listed))) as advance:
        for finding in verdicts.findings(seen, listed):
            found.append(finding)
            advance(int(finding.item in listed))
    judged = verdicts.judge(seen, listed, found, known)
    if strays:
        for finding in found:
            if finding.level == "stray":
                click.echo(os.fsencode(folder / finding.item))
    elif as_json:
        told = [finding._asdict() for finding in found if finding.level != "ok"]
        answers = {verdict.question: verdict._asdict() for verdict in judged}
        click.echo(json.dumps({"looked_at": len(found), "findings": told, "verdicts": answers}))
    else:
        _tell(found, judged)
    if any(verdict.answer == "no" for verdict in judged):
        raise SystemExit(1)


def _tell(found: Sequence[Finding], judged: Sequence[verdicts.Verdict]) -> None:
    more = set([finding for finding in found if finding.level == "stray"][STRAYS:])
    for finding in found:
        if finding.level != "ok" and finding not in more:
            click.echo(_printable(f"{finding.level}: {finding.text}"))
    if more:
        click.echo(
            f"stray: and {len(more):,} more, of another run perhaps; --strays prints the paths"
        )
    for verdict in judged:
        mark = MARKS[verdict.answer]
        line = f"{mark} {verdict.question:<9}  {verdict.answer:<7}  {verdict.why}"
        click.echo(_printable(line))


def _printable(text: str) -> str:
    """Return a text on one line: the name of a file may hold anything."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
