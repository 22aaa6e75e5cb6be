"""Searching: longer deals, climbs, and cycles made of pieces."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from bmn import store
from bmn.cards import Deck
from bmn.cli.game import DASHES
from bmn.cli.options import count
from bmn.cli.patience import slow_progress
from bmn.errors import InputError
from bmn.explore import assemble, catalogue, long, pieces
from bmn.explore import climb as climbs

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

SHOWN = 20
"""Rows of a table shown unless all are asked for."""


@click.command(context_settings=DASHES)
@click.argument("deal")
@JSON
def extend(deal: str, as_json: bool) -> None:
    """Find the longest balanced deal on the trunk of DEAL.

    Its game joins that of DEAL, so it is as long or longer.

    \b
    Examples:
      bmn extend A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-
      bmn extend --json ---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q
    """
    found = long.extend(deal)
    if as_json:
        click.echo(json.dumps({"from": deal} | asdict(found)))
        return
    click.echo(f"deal    {found.deal}")
    click.echo(f"length  {count(found.tricks, 'trick')}, {count(found.card_plays, 'card play')}")
    click.echo(f"gain    {count(found.gain, 'trick')}; {count(found.nodes, 'state')} looked at")


@click.command(context_settings=DASHES)
@click.argument("deal")
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="How many deals to examine.",
)
@click.option("--chain", type=click.IntRange(min=0), default=1, help="The random numbers.")
@click.option("--anywhere", is_flag=True, help="Exchange any cards, not only the first 26 dealt.")
@click.option("--plateau", is_flag=True, help="Also go to deals that are just as long.")
@JSON
def climb(deal: str, deals: int, chain: int, anywhere: bool, plateau: bool, as_json: bool) -> None:
    """Climb from DEAL: exchange two cards, keep what is longer.

    \b
    Examples:
      bmn climb ---A-----J-J-K-J-J---Q--K-/-AA---QA---KQ-Q----------K
      bmn climb --anywhere --plateau ---A-----J-J-K-J-J---Q--K-/-AA---QA---KQ-Q----------K
    """
    trace = climbs.climb(deal, climbs.Climb(chain, deals, anywhere, plateau))
    rows = list(zip(trace["deals"].tolist(), trace["tricks"].tolist(), trace["deal"], strict=True))
    if as_json:
        click.echo(
            json.dumps([dict(zip(("deals", "tricks", "deal"), row, strict=True)) for row in rows])
        )
        return
    click.echo(f"{'examined':>11} {'tricks':>7}  deal")
    for examined, tricks, best in rows:
        click.echo(f"{examined:>11,} {tricks:>7,}  {best}")


@click.group()
def cycles() -> None:
    """Games that never end, put together from pieces.

    \b
    Examples:
      bmn cycles find --deck camicia
      bmn cycles show
    """


@cycles.command()
@click.option("--head", default="J-", show_default=True, help="The small hand that reads.")
@click.option(
    "--spare", type=click.IntRange(min=0), default=1, show_default=True, help="Spare plain cards."
)
@click.option("--deck", default="standard", show_default=True, help="A deck's name or counts.")
@click.option(
    "--lag",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="How far pieces are searched for exhaustively; each step costs ten times as much.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=0),
    default=1_000_000,
    show_default=True,
    help="Random changes of pieces, in each of three stretches.",
)
@JSON
def find(head: str, spare: int, deck: str, lag: int, trials: int, as_json: bool) -> None:
    """Find pieces and the balanced deals they make.

    These are games that never end. It is a small search, for one head: `snakemake cycles` looks
    farther, for two, and finds more.

    \b
    Examples:
      bmn cycles find
      bmn cycles find --deck camicia
      bmn cycles find --head Q-- --lag 4 --json
    """
    cards = Deck.parse(deck)
    plan = catalogue.Plan(lag, trials, 0, deck=cards)
    tape = pieces.Tape(head, spare, cards)
    with slow_progress("searches for pieces", len(plan.sweeps())) as advance:
        pool = catalogue.find_pieces(plan, tape, advance)
    found = assemble.assemble(tape, pool, pieces.compositions(tape, pool), plan.limit)
    with slow_progress("cycles played backwards", len(found.cycles)) as advance:
        deals = assemble.endless_deals(found.cycles, advance)
    texts = catalogue.texts(deals["deal"])
    counts = {
        "pieces": len(pool),
        "compositions": found.compositions,
        "assemblies": found.tried,
        "failed": found.failed,
        "cycles": len(found.cycles),
        "cycles_with_balanced_deals": len(set(deals["loop"].tolist())),
        "balanced_deals": len(texts),
    }
    if as_json:
        click.echo(json.dumps(counts | {"deals": texts}))
        return
    for what, number in counts.items():
        click.echo(f"{what.replace('_', ' '):<27}{number:>11,}")
    for text in texts[:SHOWN]:
        click.echo(f"  {text}")
    if len(texts) > SHOWN:
        click.echo(f"  and {len(texts) - SHOWN:,} more; --json lists all")
    click.echo(
        f"found for the head {head} with --lag {lag} and --trials {trials}; larger ones may find "
        "more, as `snakemake cycles` does"
    )


@cycles.command()
@click.argument("folder", default="results/cycles", type=click.Path(file_okay=False))
@click.option("--deals", is_flag=True, help="List all balanced deals with their cycles.")
@JSON
def show(folder: str, deals: bool, as_json: bool) -> None:
    """Show the catalogue that `snakemake cycles` has made in FOLDER.

    results/cycles_full is made by `snakemake cycles_full`.

    \b
    Examples:
      bmn cycles show
      bmn cycles show results/cycles_full --deals
    """
    name = "balanced_deals" if deals else "summary"
    path = Path(folder) / f"{name}.parquet"
    if not path.exists():
        target = "cycles_full" if Path(folder).name == "cycles_full" else "cycles"
        raise InputError(f"{path} does not exist; `snakemake --cores all {target}` makes it")
    table, _ = store.read(path)
    rows = list(zip(*(values.tolist() for values in table.values()), strict=True))
    if as_json:
        click.echo(json.dumps([dict(zip(table, row, strict=True)) for row in rows]))
        return
    for row in rows:
        if deals:
            deal, _, before, tricks, plays = row
            click.echo(f"{deal}  {before:>3} tricks, then {tricks:>4} tricks and {plays:>5} cards")
        else:
            click.echo(f"{row[0]:<40}{row[1]:>11,}")
