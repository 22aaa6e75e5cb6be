"""Commands that may take long: progress after two seconds, and Ctrl-C at any time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import TypeVar

from bmn.progress import progress

Result = TypeVar("Result")


def interruptible(work: Callable[..., Result], *arguments: object) -> Result:
    """Do compiled work, which does not look at signals, so that Ctrl-C still ends the command."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work(*arguments))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if errors:
        raise errors[0]
    return results[0]


@contextlib.contextmanager
def slow_progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress once two seconds have passed; what is quick shows none."""
    start, waiting = time.monotonic(), 0
    shown: Callable[[int], None] | None = None
    with contextlib.ExitStack() as stack:

        def advance(done: int) -> None:
            nonlocal shown, waiting
            waiting += done
            if shown is None and time.monotonic() - start > 2:
                shown = stack.enter_context(progress(what, total))
            if shown is not None:
                shown(waiting)
                waiting = 0

        yield advance
