"""``bmn bench``: how fast the engine is on this machine."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from bmn import bench as library
from bmn.cli.options import WORKERS, NewFile
from bmn.cli.patience import interruptible
from bmn.store import replacing

QUICK = {"seeds": 50_000, "repeats": 3}


@click.command()
@click.option("--seeds", type=int, default=1_000_000, show_default=True, help="Seeds a round.")
@click.option("--repeats", type=int, default=5, show_default=True, help="Rounds.")
@click.option(
    "--workers",
    type=WORKERS,
    default=os.cpu_count,
    show_default="all cores",
    help="The most threads to scale to.",
)
@click.option("--quick", is_flag=True, help="A second or two: 3 rounds of 50,000 seeds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("-o", "--output", type=NewFile(), help="Write the JSON here as well.")
def bench(
    seeds: int, repeats: int, workers: int, quick: bool, as_json: bool, output: Path | None
) -> None:
    """Compare the engine's kernels on the same seeds, in turn.

    Deals a second are of one core and of CPU time; the ratio to plain is the median over the
    rounds. Nothing is measured before all kernels have given the same tables.

    \b
    Examples:
      bmn bench
      bmn bench --quick --json
      bmn bench --seeds 5000000 --repeats 9 -o bench.json
    """
    sizes = QUICK if quick else {"seeds": seeds, "repeats": repeats}
    found = _measure(**sizes, workers=workers)
    text = json.dumps(found, indent=1)
    if output:
        with replacing(output) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
    if as_json:
        click.echo(text)
    else:
        _show(found)


def _measure(**sizes: int) -> dict[str, Any]:
    """Measure, and on a terminal tell what is being measured."""
    if not sys.stderr.isatty():
        return interruptible(partial(library.measure, **sizes))
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        return interruptible(partial(library.measure, **sizes, tell=status.update))


def _show(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(
        f"{found['cpu']}; {found['repeats']} rounds of {found['seeds']:,} seeds, medians; "
        f"all kernels agree on the fingerprint {found['fingerprint']}"
    )
    for title, rows in (
        ("Seeds, one core", found["kernels"]),
        ("Stated deals, one core", found["stated_deals"]),
    ):
        table = Table(title=title, title_justify="left")
        for column in ("kernel", "million deals/s", "million card plays/s", "ratio to plain"):
            table.add_column(column, justify="left" if column == "kernel" else "right")
        for row in rows:
            table.add_row(
                row["kernel"],
                f"{row['deals_per_second'] / 1e6:.2f}",
                f"{row['card_plays_per_second'] / 1e6:,.0f}",
                f"{row['ratio_to_plain']:.2f}",
            )
        console.print(table)
    kernel = found["workers"][0]["kernel"]
    table = Table(title=f"Workers, {kernel}, wall time", title_justify="left")
    for column in ("workers", "million deals/s", "ratio to one", "by CPU time"):
        table.add_column(column, justify="right")
    for row in found["workers"]:
        table.add_row(
            str(row["workers"]),
            f"{row['deals_per_second'] / 1e6:.2f}",
            f"{row['ratio_to_one']:.2f}",
            f"{row['cpu_ratio_to_one']:.2f}",
        )
    console.print(table)
