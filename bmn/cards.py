"""Cards, decks and deals, and the notation they are written in.

A card is its value: 0 for a plain card, and for a penalty card the number of cards it demands
(J 1, Q 2, K 3, A 4). A deal is written ``HAND/HAND``, top card first, for example
``--A-/J---``; the first hand leads.
"""

from __future__ import annotations

from math import factorial, prod
from typing import NamedTuple

from bmn.errors import InputError

SYMBOLS = "-JQKA"
"""The symbol of each card value, 0 to 4."""

MAX_CARDS = 65_536
"""The largest number of cards in a deal."""

_VALUES = {symbol: value for value, symbol in enumerate(SYMBOLS)}


class Deck(NamedTuple):
    """How many cards of each kind a deck holds."""

    plain: int
    J: int
    Q: int
    K: int
    A: int

    @classmethod
    def of(cls, cards: bytes) -> Deck:
        """Count the cards of each kind."""
        return cls(*(cards.count(value) for value in range(len(SYMBOLS))))

    @property
    def cards(self) -> bytes:
        """The values of all cards in card order: plain cards first, then J, Q, K, A."""
        return b"".join(bytes([value]) * count for value, count in enumerate(self))

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(self)

    @property
    def deals(self) -> int:
        """The number of distinct deals: the multinomial coefficient of the five counts."""
        return factorial(self.size) // prod(factorial(count) for count in self)


STANDARD = Deck(plain=36, J=4, Q=4, K=4, A=4)
"""The 52-card deck."""


class Deal(NamedTuple):
    """Two hands of card values, top card first; the first hand leads."""

    first: bytes
    second: bytes

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read a deal written as ``HAND/HAND``.

        Raises
        ------
        InputError
            If there is not exactly one ``/``, a card is unknown, both hands are empty, or
            there are more than `MAX_CARDS` cards.
        """
        hands = text.strip().split("/")
        if len(hands) != 2:
            raise InputError(
                f"the deal {shorten(text)} has {len(hands) - 1} '/'; "
                "write two hands with one '/' between them, like --A-/J---"
            )
        for number, hand in enumerate(hands, 1):
            for position, card in enumerate(hand, 1):
                if card not in _VALUES:
                    raise InputError(
                        f"the deal {shorten(text)} has an unknown card {card!r} at position "
                        f"{position} of hand {number}; cards are - J Q K A"
                    )
        if hands == ["", ""]:
            raise InputError("the deal '/' has two empty hands; give at least one hand a card")
        if sum(map(len, hands)) > MAX_CARDS:
            raise InputError(
                f"the deal has {sum(map(len, hands))} cards; at most {MAX_CARDS} are allowed"
            )
        return cls(*(bytes(_VALUES[card] for card in hand) for hand in hands))

    @property
    def deck(self) -> Deck:
        """The deck the two hands make up."""
        return Deck.of(self.first + self.second)

    def __str__(self) -> str:
        return f"{hand_text(self.first)}/{hand_text(self.second)}"


def hand_text(hand: bytes) -> str:
    """Write card values in the notation, in order."""
    return "".join(SYMBOLS[value] for value in hand)


def shorten(text: str, width: int = 60) -> str:
    """Quote what a user gave, cut to `width` characters, for an error message."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")
