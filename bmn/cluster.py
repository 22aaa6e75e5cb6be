"""What the jobs of a search ask of a cluster: minutes and memory, from measured cost."""

from __future__ import annotations

from math import ceil

SAFETY = 3
"""A job may take so many times as long as its deals should."""

START = 10
"""Minutes for everything else: Snakemake's start on a busy node, a slow file system."""

MEM_MB = 1000
"""Megabytes for one thread, about 80, and Snakemake, started twice on the node, about 100 each."""

MEM_MB_THREAD = 20
"""Megabytes for every further thread, which takes about 7."""


def minutes(deals: int, deals_per_second: float, attempt: int = 1) -> int:
    """Return the whole minutes to ask for a job that plays so many deals.

    Parameters
    ----------
    deals
        Deals the job plays.
    deals_per_second
        Deals it plays in a second, with all its threads.
    attempt
        From 1; a job that is tried again gets as much time again.
    """
    return attempt * (START + ceil(SAFETY * deals / deals_per_second / 60))


def chunk_mem_mb(threads: int) -> int:
    """Return the megabytes to ask for a chunk; it does not matter how many deals it has."""
    return MEM_MB + MEM_MB_THREAD * threads
