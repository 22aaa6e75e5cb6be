"""The outcome of one game, as every engine reports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Ending = Literal["dry", "capture", "capped", "stopped"]

ENDINGS: tuple[Ending, ...] = ("dry", "capture", "capped", "stopped")
"""The endings in the order of the engines' codes 0, 1, 2, 3."""

DEFAULT_CAP = 100_000
"""Tricks after which an undecided game is given up."""


@dataclass(frozen=True, slots=True)
class Game:
    """The outcome of one game.

    Attributes
    ----------
    tricks
        Tricks begun, the last one included: the one in which the loser could not play.
    card_plays
        Cards laid, each once.
    winner
        The seat that won, 0 being the seat that led first; 0 as well for a capped game, None
        for a draw under a house rule.
    ending
        ``capture`` if the loser already had no card when the last trick began, ``dry`` if they
        ran out inside it, ``capped`` if the game was undecided after ``cap`` tricks,
        ``stopped`` if a house rule ended it.
    """

    tricks: int
    card_plays: int
    winner: int | None
    ending: Ending

    @property
    def finished(self) -> bool:
        """Whether the game was decided within the cap."""
        return self.ending != "capped"

    @property
    def tricks_mann(self) -> int:
        """Tricks in the convention of the published record tables (R. P. Mann)."""
        return self.tricks - (self.ending == "capture")

    @property
    def cards_mann(self) -> int:
        """Card plays in the convention of the published record tables (R. P. Mann)."""
        return self.card_plays - (self.ending == "capture")
