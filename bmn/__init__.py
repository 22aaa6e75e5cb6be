"""Reproducible experiments on deterministic card games, above all Beggar-My-Neighbour.

>>> import bmn
>>> deal = bmn.deal(0)
>>> bmn.play(deal).tricks
37
>>> lengths = bmn.search(0, 100_000)  # the length table, a pandas DataFrame
>>> hex(bmn.fingerprint(lengths))
'0xd51d51e248099c6d'

Names are loaded when they are first used: importing the package loads neither pandas nor the
compiled engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bmn.api import deal, fingerprint, kernels, play, play_many, search
    from bmn.errors import InputError
    from bmn.explore.backward import ancestors, basin, predecessors
    from bmn.explore.cycles import Cycle, cycle
    from bmn.explore.decks import census
    from bmn.explore.long import extend
    from bmn.explore.pieces import pieces
    from bmn.game import Game

_HOME = {
    "deal": "bmn.api",
    "fingerprint": "bmn.api",
    "kernels": "bmn.api",
    "play": "bmn.api",
    "play_many": "bmn.api",
    "search": "bmn.api",
    "cycle": "bmn.explore.cycles",
    "ancestors": "bmn.explore.backward",
    "basin": "bmn.explore.backward",
    "predecessors": "bmn.explore.backward",
    "census": "bmn.explore.decks",
    "extend": "bmn.explore.long",
    "pieces": "bmn.explore.pieces",
    "Cycle": "bmn.explore.cycles",
    "Game": "bmn.game",
    "InputError": "bmn.errors",
}

__all__ = [
    "Cycle",
    "Game",
    "InputError",
    "ancestors",
    "basin",
    "census",
    "cycle",
    "deal",
    "extend",
    "fingerprint",
    "kernels",
    "pieces",
    "play",
    "play_many",
    "predecessors",
    "search",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module when it is first used."""
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module 'bmn' has no attribute {name!r}") from None
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
