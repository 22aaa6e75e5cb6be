"""``bmn show`` and ``bmn expect``: what a run says, and what later runs must equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bmn import store
from bmn.checks import ABOUT, expected
from bmn.cli.options import NewFile
from bmn.errors import InputError
from bmn.summary import headline_text
from bmn.summary import read as read_summary

GREEN, RED = "[green]✓[/]", "[bold red]✗[/]"

FOLDER = click.argument("folder", type=click.Path(path_type=Path), default="results")


@click.command()
@FOLDER
@click.option("--items", is_flag=True, help="Show every single thing checked.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the summary and every check.")
def show(folder: Path, items: bool, as_json: bool) -> None:
    """Show the headline and every check of a run.

    FOLDER is its results folder (results/). With any check red there is no headline, only what
    failed, and the exit code is 1.

    \b
    Examples:
      bmn show
      bmn show --items
      bmn show /somewhere/else/results --json
    """
    summary = read_summary(folder)
    _check_ended(folder, summary)
    checks = {name: store.read(folder / f"checks/{name}.parquet")[0] for name in ABOUT}
    cost_path = folder / "timing/cost.json"
    cost = store.read_json(cost_path) if cost_path.exists() else None
    if as_json:
        tables = {name: _rows(table) for name, table in checks.items()}
        click.echo(json.dumps(summary | {"checks": tables, "cost": cost}, indent=2))
    else:
        _show(summary, checks, cost, items)
    if not summary["green"]:
        raise SystemExit(1)


@click.command()
@FOLDER
@click.option(
    "-o",
    "--output",
    type=NewFile(),
    help="Where to write; by default expected/NAME.json in FOLDER, by the name of the run.",
)
def expect(folder: Path, output: Path | None) -> None:
    """Make a run the one that later runs of its search must equal.

    FOLDER is its results folder (results/).

    \b
    Examples:
      bmn expect
      bmn expect results -o results/expected/mine.json
    """
    summary = read_summary(folder)
    red = [f"{name}: {item}" for name, check in summary["checks"].items() for item in check["red"]]
    red = [item for item in red if not item.startswith("expected: ")]
    if red:
        raise InputError(f"{folder} has red checks ({'; '.join(red)}); mend them first")
    _check_ended(folder, summary)
    if output is None:
        output = folder / "expected" / f"{Path(summary['name']).name}.json"
        if output.exists():
            raise InputError(f"{output} is there already; name it with -o to write it anew")
    expected.write(summary["search"], folder, output)
    click.echo(f"written {output}")


def _check_ended(folder: Path, summary: dict) -> None:
    """Make sure that a run with every check green has come to its headline.

    Raises
    ------
    InputError
        If it has not.
    """
    if summary["green"] and not (folder / "headline.txt").exists():
        raise InputError(f"{folder} has no headline.txt; run the workflow again, to its end")


def _rows(table: store.Columns) -> list[dict[str, Any]]:
    columns = {name: values.tolist() for name, values in table.items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _show(summary: dict, checks: dict[str, store.Columns], cost: dict | None, items: bool) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    try:
        console.print(headline_text(summary), markup=False, soft_wrap=True)
    except InputError as error:
        console.print(str(error), markup=False, style="bold red", soft_wrap=True)
    table = Table("check", "green", "rules out", box=None, pad_edge=False)
    for name, rows in checks.items():
        green, mark = int(rows["ok"].sum()), GREEN if rows["ok"].all() else RED
        if len(rows["ok"]):
            table.add_row(f"{mark} {name}", f"{green} of {len(rows['ok'])}", ABOUT[name][0])
        else:
            table.add_row(f"- {name}", "-", "nothing is committed for this search", style="dim")
    console.print(table)
    for name, rows in checks.items():
        for row in _rows(rows):
            if items or not row["ok"]:
                mark = GREEN if row["ok"] else RED
                told = f"{row['found']}" if row["ok"] else f"{row['found']}, not {row['expected']}"
                console.print(
                    f"{mark} {name}: {escape(row['item'])}: {escape(told)}", soft_wrap=True
                )
    try:
        if cost:
            _show_cost(console, cost)
    except (KeyError, TypeError, ValueError):
        console.print("timing/cost.json cannot be made sense of; run the workflow again")


def _show_cost(console: Any, cost: dict) -> None:
    engine, reference = cost.get("engine"), cost["reference"]
    console.print()
    if engine is None:
        console.print("The chunks were not timed on this machine.")
        return
    console.print(
        f"The engine ({', '.join(engine['kernels'])}) laid {engine['card_plays']:,} cards in "
        f"{engine['deals']:,} deals (each seed's once in every decomposition),\n"
        f"of {cost['chunks_timed']:,} of {cost['chunks']:,} chunks: "
        f"{engine['cpu_seconds']:.1f} s of CPU, {engine['wall_seconds']:.1f} s of wall time, "
        f"{engine['workers']} at once; {engine['deals_per_cpu_second'] / 1e6:.2f} million deals a "
        f"second and core.\n"
        f"The reference played the first {reference['deals']:,} deals "
        f"({reference['share_of_the_search']:.4%} of the search) in "
        f"{reference['cpu_seconds']:.2f} s of CPU: the engine is about "
        f"{cost['engine_speed_over_reference']:,.0f} times as fast by card plays;\n"
        f"by that slice, the reference would need "
        f"{cost['reference_cpu_seconds_for_the_search']:,.0f} s of CPU for the whole search.",
        markup=False,
    )
