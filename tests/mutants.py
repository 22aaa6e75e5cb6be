"""Copies of the reference with one rule wrong each: the faults the checks must see.

The list is that of the faults people make when they write this game down.
"""

import types
from pathlib import Path

import bmn.reference

SOURCE = Path(bmn.reference.__file__).read_text(encoding="utf-8")

MUTATIONS = {
    "game ends when a hand is empty": (
        'self._ends_when_empty = rules.ends == "empty hand"',
        "self._ends_when_empty = True",
    ),
    "game ends at one card left": (
        "        if not hand:\n            if not self.can_play():\n",
        "        if len(hand) <= 1 and self.card_plays > 0:\n"
        "            if self._leave() or not self.can_play():\n",
    ),
    "pile reversed": ('self._as_played = rules.pile == "as played"', "self._as_played = False"),
    "loser leads": (
        'self._taker_leads = rules.next_leader == "taker"',
        "self._taker_leads = False",
    ),
    "penalties add up": ("self.owed = demand", "self.owed += demand"),
    "court during payment ignored": (
        "        if demand:\n",
        "        if demand and not self.owed:\n",
    ),
    "Ace demands nothing": ("self.penalties = rules.penalties", "self.penalties = (0, 1, 2, 3, 0)"),
}
"""Name of the fault: the text of the reference, and what stands there instead."""


def mutant(name):
    """Return the reference as a module of its own with the named rule broken."""
    right, wrong = MUTATIONS[name]
    assert SOURCE.count(right) == 1, f"the reference has {SOURCE.count(right)} places for {name}"
    module = types.ModuleType(f"reference with {name}")
    exec(compile(SOURCE.replace(right, wrong), module.__name__, "exec"), module.__dict__)
    return module
