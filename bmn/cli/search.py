"""``bmn search``: a range of seeds outside the workflow."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from bmn import api, chunks, store
from bmn import lengths as lt
from bmn.game import DEFAULT_CAP
from bmn.shuffle import deal_seed


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("first_seed", type=int)
@click.argument("seeds", type=int)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="Write the length table here."
)
@click.option(
    "--cap", type=int, default=DEFAULT_CAP, show_default=True, help="Tricks to give up at."
)
@click.option("--kernel", help="A kernel of the engine; by default the fastest this CPU can run.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=os.cpu_count,
    show_default="all cores",
    help="Threads.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def search(
    first_seed: int,
    seeds: int,
    output: str | None,
    cap: int,
    kernel: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Play the deals of SEEDS seeds from FIRST_SEED on and tell the longest.

    \b
    Examples:
      bmn search 0 1000000
      bmn search 1099511627776 100000000 -o lengths.parquet
      bmn search 0 98304 --kernel plain --json
    """
    from bmn import _engine
    from bmn.progress import progress

    api.check_cap(cap)
    kernel = _engine.resolve_kernel(kernel)
    plan = chunks.Search(first_seed, seeds, cap)
    if output:
        # Say now, not after the search, if the place cannot be written to.
        store.check_writable(Path(output).parent)
    with progress("deals", seeds) as advance:
        lengths, _ = chunks.play_parallel(plan, workers=workers, kernel=kernel, done=advance)
    if output:
        store.write(output, lengths, plan.about)
    found = _found(plan, lengths) | {"kernel": kernel}
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
            f"longest      {longest['tricks']:,} tricks, {longest['card_plays']:,} card plays: "
            f"seed {longest['seed']}"
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
            "deal": str(deal_seed(seed)),
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
