"""``bmn verify``: whether a results folder is complete, untouched, and as expected."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bmn import verdicts
from bmn.cli.results import FOLDER
from bmn.errors import InputError
from bmn.manifest import read as read_manifest

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
def verify(folder: Path, expected_paths: tuple[str, ...], as_json: bool) -> None:
    """Re-read all results and say whether to rely on them.

    Three verdicts on FOLDER (results/): is it complete, is it untouched since its run ended (every
    file is compared with the manifest, every value with its digest, all chunks are merged again,
    the headline is derived again), and is it equal to what is on record for its search? The folder
    may come from another machine. The exit code is 1 if any verdict is no.

    \b
    Examples:
      bmn verify
      bmn verify /somewhere/else/results
      bmn verify results --expected theirs.json
    """
    from bmn.progress import progress

    try:
        listed = set(read_manifest(folder)["path"].tolist())
    except InputError:
        listed = set()
    found = []
    with progress("files", max(1, len(listed))) as advance:
        for finding in verdicts.findings(folder):
            found.append(finding)
            advance(int(finding.item in listed))
    judged = verdicts.judge(folder, found, expected_paths or None)
    if as_json:
        told = [finding._asdict() for finding in found if finding.level != "ok"]
        answers = {verdict.question: verdict._asdict() for verdict in judged}
        click.echo(json.dumps({"looked_at": len(found), "findings": told, "verdicts": answers}))
    else:
        more = set([finding for finding in found if finding.level == "stray"][STRAYS:])
        for finding in found:
            if finding.level != "ok" and finding not in more:
                click.echo(f"{finding.level}: {finding.text}")
        if more:
            click.echo(f"stray: and {len(more):,} more; another run in this folder may have them")
        for verdict in judged:
            mark = MARKS[verdict.answer]
            click.echo(f"{mark} {verdict.question:<9}  {verdict.answer:<7}  {verdict.why}")
    if any(verdict.answer == "no" for verdict in judged):
        raise SystemExit(1)
