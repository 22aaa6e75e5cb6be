"""``bmn crate``: results to hand over."""

from __future__ import annotations

from pathlib import Path

import click

from bmn.cli.options import NewFile
from bmn.cli.results import FOLDER
from bmn.errors import InputError


@click.command()
@FOLDER
@click.option("-o", "--output", type=NewFile(), help="Pack the folder into this zip file as well.")
@click.option("--times", is_flag=True, help="Say when the run was; two runs then differ.")
def crate(folder: Path, output: Path | None, times: bool) -> None:
    """Make FOLDER (results/) an RO-Crate, to hand over.

    It gets ro-crate-metadata.json, by the profile Workflow Run Crate: every file with its SHA-256
    and what it is, the configuration, the compiler and machine, the licence, and the workflow,
    which is copied into workflow/. The run must be finished, green and untouched.

    \b
    Examples:
      bmn crate
      bmn crate results -o results.zip
    """
    from bmn.crate import METADATA, pack, write

    if output and folder.resolve() in output.resolve().parents:
        raise InputError(f"{output} is in the folder that is packed; name a file elsewhere")
    metadata = write(folder, times=times)
    files = sum("sha256" in entity for entity in metadata["@graph"])
    click.echo(f"written {folder / METADATA}: {files:,} files described")
    if output:
        pack(folder, output)
        click.echo(f"written {output}")
