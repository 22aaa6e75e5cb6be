"""``bmn search``: a range of seeds outside the workflow."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import click

from bmn import api, chunks, store
from bmn import lengths as lt
from bmn.cards import Deck, hands_text
from bmn.cli.game import RULES
from bmn.cli.options import WORKERS, Number, ParquetFile, Text, count
from bmn.cli.patience import interruptible
from bmn.errors import InputError
from bmn.game import DEFAULT_CAP
from bmn.rules import RULE_SETS


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("first_seed", type=Number())
@click.argument("seeds", type=Number())
@click.option("-o", "--output", type=ParquetFile(), help="Write the length table here, as Parquet.")
@click.option(
    "--cap", type=int, default=DEFAULT_CAP, show_default=True, help="Tricks to give up at."
)
@RULES
@click.option(
    "--deck", type=Text(), help="Shuffle this deck: a name, or - J Q K A as numbers: 18,2,2,2,2."
)
@click.option(
    "--kernel",
    type=Text(),
    help="A kernel of the engine; by default the fastest this CPU can run.",
)
@click.option(
    "--workers",
    type=WORKERS,
    default=os.cpu_count,
    show_default="all cores",
    help="Threads.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def search(
    first_seed: int,
    seeds: int,
    output: Path | None,
    cap: int,
    rules: str,
    deck: str | None,
    kernel: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Play the deals of SEEDS seeds from FIRST_SEED on.

    \b
    Examples:
      bmn search 0 1000000
      bmn search 1099511627776 100000000 -o lengths.parquet
      bmn search 0 98304 --kernel plain --json
      bmn search 0 1000000 --rules reversed-pile
      bmn search 0 1000000 --deck camicia
    """
    from bmn import _engine
    from bmn.progress import progress

    api.check_cap(cap)
    rule_set = RULE_SETS[rules]
    plan = chunks.Search(
        first_seed, seeds, cap, Deck.parse(deck) if deck else rule_set.deck, rule_set
    )
    if rule_set.standard_play:
        kernel = _engine.resolve_kernel(kernel)
    elif kernel:
        raise InputError(
            f"--kernel {kernel} and --rules {rules} do not go together, since other rules have a "
            "kernel of their own; leave --kernel out"
        )
    with progress("deals", seeds) as advance:
        play = partial(chunks.play_parallel, workers=workers, kernel=kernel, done=advance)
        lengths, _ = interruptible(play, plan)
    if output:
        store.write(output, lengths, plan.about)
    found = _found(plan, lengths) | {"kernel": kernel or "general"}
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(f"deals        {found['deals']:,} ({found['capped']:,} capped)")
    click.echo(f"card plays   {found['card_plays']:,}")
    click.echo(f"violations   {found['violations']:,}")
    click.echo(f"fingerprint  {found['fingerprint']}")
    if found["longest"]:
        longest = found["longest"]
        click.echo(
            f"longest      {count(longest['tricks'], 'trick')}, "
            f"{count(longest['card_plays'], 'card play')}: seed {longest['seed']}"
        )
        click.echo(f"             {longest['deal']}")
    if output:
        click.echo(f"written      {output}")


def _found(plan: chunks.Search, lengths: store.Columns) -> dict:
    """Gather totals and the longest finished deal."""
    totals = {name: lt.total(lengths, name) for name in ("deals", "card_plays", "violations")}
    ended = lt.finished(lengths)
    longest = None
    if len(ended["tricks"]):
        seed = int(ended["first_seed"][-1])
        longest = {
            "seed": seed,
            "deal": hands_text(plan.rules.deal(seed)),
            "tricks": int(ended["tricks"][-1]),
            "card_plays": int(ended["first_seed_card_plays"][-1]),
        }
    return {
        "first_seed": plan.first_seed,
        **totals,
        "capped": lt.capped(lengths),
        "fingerprint": f"{lt.fingerprint(lengths):016x}",
        "longest": longest,
    }
