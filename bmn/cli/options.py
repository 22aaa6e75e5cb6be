"""What several commands share: kinds of options, and how numbers are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bmn import store
from bmn.errors import InputError

MAX_WORKERS = 1024
"""The most threads a command starts."""

WORKERS = click.IntRange(1, MAX_WORKERS)


class Number(click.ParamType):
    """A whole number, in decimal or, as headlines tell seeds too, in hexadecimal: ``0xd1cff3``."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or refuse it."""
        try:
            return int(value, 16) if str(value).lower().startswith("0x") else int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number, such as 13750259 or 0xd1cff3", param, ctx)


class Text(click.ParamType):
    """A text that is not empty: an empty one is a variable of the shell that was not set."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, or refuse it."""
        if not value:
            self.fail("it is empty; leave the option out or give it a value", param, ctx)
        return value


class NewFile(Text):
    """A file to write, looked at before any work is done: its folder must take files."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path.

        Raises
        ------
        InputError
            If nothing can be written there.
        """
        path = Path(super().convert(value, param, ctx))
        if path.is_dir():
            self.fail(f"{str(value)!r} is a folder; name a file in it", param, ctx)
        if path.exists() and not path.is_file():
            self.fail(f"{str(value)!r} is a device or a pipe; name a file", param, ctx)
        if not path.parent.is_dir():
            what = "is no folder; name one" if path.parent.exists() else "does not exist; make it"
            raise InputError(f"{path} cannot be written to, since {path.parent} {what}")
        store.check_writable(path.parent)
        return path


class ParquetFile(NewFile):
    """A Parquet file to write."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, or refuse it if its name promises another format."""
        path = super().convert(value, param, ctx)
        if path.suffix not in ("", ".parquet"):
            self.fail(f"{str(value)!r} would be a Parquet file; name it so", param, ctx)
        return path


def count(number: int, noun: str) -> str:
    """Tell a number of things: ``1 trick``, ``1,164 tricks``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
