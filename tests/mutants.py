"""Copies of the reference with one rule wrong each: the faults the checks must see.

The list is that of the faults people make when they write this game down.
"""

import types
from pathlib import Path

import bmn.reference

SOURCE = Path(bmn.reference.__file__).read_text(encoding="utf-8")

MUTATIONS = {
    "game ends when a hand is empty": (
        "        return card\n",
        "        if not all(self.hands):\n"
        "            self.player = 0 if not self.hands[0] else 1\n"
        "            self.resolved += bool(self.pile) - 1\n"
        '            self.ending = "dry"\n'
        "            return None\n"
        "        return card\n",
    ),
    "game ends at one card left": (
        "        if not hand:\n",
        "        if len(hand) <= 1 and self.card_plays > 0:\n",
    ),
    "pile reversed": ("extend(self.pile)", "extend(reversed(self.pile))"),
    "loser leads": (
        "            self.player = other\n            self.resolved += 1\n",
        "            self.resolved += 1\n",
    ),
    "penalties add up": (
        "self.owed = self.penalties[card]",
        "self.owed += self.penalties[card]",
    ),
    "court during payment ignored": (
        "        if self.penalties[card] > 0:\n",
        "        if self.penalties[card] > 0 and self.owed == 0:\n",
    ),
    "Ace demands nothing": ("PENALTIES = (0, 1, 2, 3, 4)", "PENALTIES = (0, 1, 2, 3, 0)"),
}
"""Name of the fault: the text of the reference, and what stands there instead."""


def mutant(name):
    """Return the reference as a module of its own with the named rule broken."""
    right, wrong = MUTATIONS[name]
    assert SOURCE.count(right) == 1, f"the reference has {SOURCE.count(right)} places for {name}"
    module = types.ModuleType(f"reference with {name}")
    exec(compile(SOURCE.replace(right, wrong), module.__name__, "exec"), module.__dict__)
    return module
