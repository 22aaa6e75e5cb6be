"""The control that must fail: the reference with one rule broken goes through the battery.

With the Ace demanding nothing, every row that holds an Ace must come out differently, and every
row without one the same. A battery that cannot tell has not tested anything.
"""

from __future__ import annotations

from functools import partial

from bmn import checks, reference
from bmn.checks import battery
from bmn.store import Columns

ACE_DEMANDS_NOTHING = (0, 1, 2, 3, 0)
"""What each card value demands in the broken rule."""


def check() -> Columns:
    """Play every row of the battery with the reference, right and broken."""
    broken_play = partial(reference.play, penalties=ACE_DEMANDS_NOTHING)
    table = []
    for row in battery.rows():
        right = battery.reference_fingerprint(row)
        broken = battery.reference_fingerprint(row, broken_play)
        expected = "differs" if row.has_ace else "agrees"
        found = "differs" if broken != right else "agrees"
        fingerprints = {"right": f"{right:016x}", "broken": f"{broken:016x}"}
        table.append(checks.row(row.name, expected, found, **fingerprints))
    return checks.table(table)
