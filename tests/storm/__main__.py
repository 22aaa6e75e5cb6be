"""``python -m tests.storm``: a storm of faults over the workflow, repeatable by its seed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from tests.storm.campaign import Campaign, recorded, table
from tests.storm.faults import KINDS


@click.command()
@click.option("--rounds", default=20, show_default=True, help="How many rounds.")
@click.option("--first", default=0, show_default=True, help="The number of the first round.")
@click.option("--step", default=1, show_default=True, help="Play every so many-th, to share them.")
@click.option("--seed", default=1, show_default=True, help="Decides every round.")
@click.option("--kind", type=click.Choice(list(KINDS)), help="Play this kind only.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where to play; kept afterwards.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Add the rounds to this file, and leave out those in it.",
)
def main(rounds, first, step, seed, kind, folder, record):
    """Play rounds FIRST to FIRST + ROUNDS - 1 and print their table.

    A round that went wrong keeps its folder; it is played again alone by its number.
    """
    folder = folder or Path(tempfile.mkdtemp(prefix="bmn-storm-"))
    campaign = Campaign(folder, seed)
    played = []
    before = {told["round"] for told in recorded(record)} if record else set()
    for number in sorted(set(range(first, first + rounds, step)) - before):
        told = campaign.round(number, kind)
        played.append(told)
        text = json.dumps(told)
        click.echo(text if "why" not in told else f"{text}\n{told['why']}", err=True)
        if record:
            with record.open("a") as file:
                file.write(text + "\n")
    click.echo(table(recorded(record) if record else played), nl=False)
    raise SystemExit(any(told["ending"] == "wrong" for told in played))


main()
