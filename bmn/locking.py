"""The kernel's lock on a folder: it goes with the last process that holds it, however that ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def hold(folder: str | Path) -> int | None:
    """Take the lock on a folder.

    Returns
    -------
    int or None
        The descriptor that holds the lock until it is closed, here and in every process that
        inherits it; None on a network file system without such locks.

    Raises
    ------
    BlockingIOError
        If somebody else holds it.
    OSError
        If there is no such folder.
    """
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(held)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return held
