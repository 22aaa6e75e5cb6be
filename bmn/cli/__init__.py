"""The command line. Each command is loaded when it is first named."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

from bmn import __version__
from bmn.errors import BAD_INPUT, InputError

COMMANDS = {
    "deal": "bmn.cli.game",
    "play": "bmn.cli.game",
    "search": "bmn.cli.search",
    "cycle": "bmn.cli.cycles",
    "basin": "bmn.cli.cycles",
    "predecessors": "bmn.cli.cycles",
    "deck": "bmn.cli.cycles",
    "census": "bmn.cli.cycles",
    "extend": "bmn.cli.hunt",
    "climb": "bmn.cli.hunt",
    "cycles": "bmn.cli.hunt",
    "published": "bmn.cli.published",
    "sedaps": "bmn.cli.sedaps",
    "bench": "bmn.cli.bench",
    "merge": "bmn.cli.merge",
    "crate": "bmn.cli.crate",
    "verify": "bmn.cli.verify",
    "show": "bmn.cli.results",
    "expect": "bmn.cli.results",
}
"""The module each command lives in, under its own name."""


STOPPED = 130
"""The exit code after Ctrl-C."""


class Sentence(click.ClickException):
    """An error that is told in one sentence."""

    exit_code = BAD_INPUT

    def show(self, file: Any = None) -> None:
        """Print the sentence."""
        # What is quoted may hold line breaks.
        click.echo(f"bmn: {' '.join(self.message.split())}", err=True)


class Commands(click.Group):
    """A group whose commands are imported only when needed, and whose errors are sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        return getattr(import_module(COMMANDS[name]), name)

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Read what stands before the name of a command."""
        with _sentences():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad input is one sentence and exit code 2."""
        # The numbers of deals of large decks have more digits than Python prints by default.
        sys.set_int_max_str_digits(0)
        with _sentences():
            return super().invoke(ctx)


@contextlib.contextmanager
def _sentences() -> Iterator[None]:
    """Turn everything that is the user's to mend into one sentence."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        said = error.format_message().rstrip(".")
        command = error.ctx.command_path if error.ctx else "bmn"
        raise Sentence(f"{said[:1].lower()}{said[1:]}; see {command} --help") from None
    except InputError as error:
        raise Sentence(str(error)) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise Sentence(f"{error.filename} cannot be used ({error.strerror})") from None
    except OverflowError:
        raise Sentence(
            "a number is too large for this command; numbers must fit in 64 bits"
        ) from None
    except ImportError as error:
        if not (error.name or "").startswith("bmn"):
            raise
        raise Sentence(f"an extension is not compiled ({error}); run make setup") from None
    except KeyboardInterrupt:
        click.echo("bmn: stopped", err=True)
        sys.stdout.flush()
        # Compiled work in other threads cannot be stopped, and would be waited for.
        os._exit(STOPPED)


@click.group(
    "bmn",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="bmn")
def main() -> None:
    """Experiments on Beggar-My-Neighbour: deal, play, search, and check what was found.

    \b
    Examples:
      bmn deal 13750259                 the deal of a seed
      bmn play --seed 13750259          play it
      bmn play ---K-/--J-Q --trace      play a written deal, move by move
      bmn search 0 1000000 -o out.parquet
      bmn show                          the headline and every check of a workflow run
    """
