"""Progress on standard error, for anything that may take over two seconds."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how much of `total` is done; give the function that advances it.

    On a terminal this is a bar; elsewhere, in a log, it is a line for every tenth.

    Parameters
    ----------
    what
        The plural of what is counted, for example ``deals``.
    total
        How many there are.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _in_lines(what, total)
        return
    told = TextColumn(f"{{task.completed:,}} of {{task.total:,}} {what}, remaining")
    columns = (BarColumn(), told, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def _in_lines(what: str, total: int) -> Callable[[int], None]:
    done = 0
    telling = threading.Lock()

    def advance(step: int) -> None:
        nonlocal done
        with telling:
            before, done = done, done + step
            if 10 * done // total > 10 * before // total:
                print(f"bmn: {done:,} of {total:,} {what}", file=sys.stderr, flush=True)

    return advance
