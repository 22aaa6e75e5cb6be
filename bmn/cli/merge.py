"""``bmn merge``: the results of several machines in one."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from bmn.cli.options import Text, count


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=Text(),
    metavar="FOLDER",
    help="The new results folder; its own name must be results.",
)
@click.option("--name", type=Text(), help="What the joined run is called.")
def merge(folders: tuple[Path, ...], output: str, name: str | None) -> None:
    """Join the results of several machines into one search.

    FOLDERS are their results folders. The runs must be finished and green, and differ in nothing
    but their seeds, which must adjoin. Every file is verified. The workflow then makes all the
    rest, without playing a deal again.

    \b
    Examples:
      bmn merge results /mnt/other/results -o joined/results
      bmn merge part1/results part2/results part3/results -o all/results --name everything
    """
    from bmn.join import CONFIG, join

    joined = join(folders, output, name)
    search = joined.search
    config = joined.folder / CONFIG
    place = f"--directory {shlex.quote(str(joined.folder.parent))}"
    click.echo(
        f"joined {search.seeds:,} seeds ({search.first_seed} to {joined.end - 1}) of "
        f"{count(len(folders), 'run')}\n"
        "finish it, in the project's folder, with\n"
        f"  snakemake --cores all {place} --configfile {shlex.quote(str(config))}"
    )
