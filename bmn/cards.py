"""Cards, decks and deals, and the notation they are written in.

A card is its value: 0 for a plain card, and for a penalty card the number of cards it demands
(J 1, Q 2, K 3, A 4). A deal is written ``HAND/HAND``, top card first, for example
``--A-/J---``; the first hand leads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    @classmethod
    def parse(cls, spec: str | Mapping[str, int] | Sequence[int]) -> Deck:
        """Read a deck: its name, its counts by kind, or its five counts in the order - J Q K A.

        Raises
        ------
        InputError
            If the name or a kind is unknown, a count is negative, or there is no card or more
            than `MAX_CARDS`.

        Examples
        --------
        >>> Deck.parse("half")
        Deck(plain=18, J=2, Q=2, K=2, A=2)
        >>> Deck.parse("14,2,2,2,0") == Deck.parse({"plain": 14, "J": 2, "Q": 2, "K": 2, "A": 0})
        True
        """
        if isinstance(spec, Mapping):
            unknown = set(spec) - set(cls._fields)
            counts = [spec.get(kind, 0) for kind in cls._fields] if not unknown else []
        elif isinstance(spec, str):
            counts = DECKS.get(spec) or [_count(number) for number in spec.split(",")]
        else:
            counts = list(spec) if isinstance(spec, list | tuple) else []
        if len(counts) != 5 or not all(isinstance(n, int) and n >= 0 for n in counts):
            raise InputError(
                f"the deck {shorten(str(spec))} is not understood; give the number of plain cards, "
                f"J, Q, K and A, like 18,2,2,2,2, or one of {', '.join(DECKS)}"
            )
        if not 1 <= sum(counts) <= MAX_CARDS:
            raise InputError(f"a deck of {sum(counts)} cards is out of range; use 1 to {MAX_CARDS}")
        return cls(*counts)

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


def _count(text: str) -> int:
    """Read a number of cards; -1 if it is none, or has more digits than any number of cards."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and len(digits) < 20 else -1


STANDARD = Deck(plain=36, J=4, Q=4, K=4, A=4)
"""The 52-card deck."""

CAMICIA = Deck(plain=28, J=4, Q=4, K=4, A=0)
"""The 40-card deck of the Italian game: its ace, two and three demand 1, 2 and 3 cards."""

HALF = Deck(plain=18, J=2, Q=2, K=2, A=2)
"""Half the standard deck, 26 cards."""

DECKS = {"standard": STANDARD, "camicia": CAMICIA, "half": HALF}
"""The decks that have a name."""


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
        return cls(*parse_hands(text, 2))

    @property
    def deck(self) -> Deck:
        """The deck the two hands make up."""
        return Deck.of(self.first + self.second)

    def __str__(self) -> str:
        return hands_text(self)


def parse_hands(text: str, players: int) -> tuple[bytes, ...]:
    """Read the hands of several players, written like ``--A-/J---/-Q--``.

    Raises
    ------
    InputError
        If there are not as many hands as players, a card is unknown, all hands are empty, or
        there are more than `MAX_CARDS` cards.
    """
    hands = text.strip().split("/")
    number = "two" if players == 2 else str(players)
    if len(hands) != players:
        raise InputError(
            f"the deal {shorten(text)} has {len(hands) - 1} '/'; write {number} hands with "
            f"{'one' if players == 2 else 'a'} '/' between them, like --A-/J---"
        )
    for place, hand in enumerate(hands, 1):
        for position, card in enumerate(hand, 1):
            if card not in _VALUES:
                raise InputError(
                    f"the deal {shorten(text)} has an unknown card {card!r} at position "
                    f"{position} of hand {place}; cards are - J Q K A"
                )
    if not any(hands):
        raise InputError(
            f"the deal {text.strip()!r} has {number} empty hands; give at least one hand a card"
        )
    if sum(map(len, hands)) > MAX_CARDS:
        raise InputError(
            f"the deal has {sum(map(len, hands))} cards; at most {MAX_CARDS} are allowed"
        )
    return tuple(bytes(_VALUES[card] for card in hand) for hand in hands)


def hands_of(deal: str | Sequence[bytes], players: int = 2) -> tuple[bytes, ...]:
    """Return the hands of a deal, written or already given as card values.

    Raises
    ------
    InputError
        As `parse_hands`.
    """
    if isinstance(deal, str):
        return parse_hands(deal, players)
    hands = deal if isinstance(deal, list | tuple) else ()
    if len(hands) != players or not all(isinstance(hand, bytes) for hand in hands):
        raise InputError(
            f"the deal {shorten(repr(deal))} is not {players} hands; write them like --A-/J---, "
            "or give the card values of each hand as bytes"
        )
    if any(value >= len(SYMBOLS) for hand in hands for value in hand):
        raise InputError(
            f"the deal {shorten(repr(deal))} has a card value above {len(SYMBOLS) - 1}; "
            "0 is a plain card, 1 to 4 are J Q K A"
        )
    if not 1 <= sum(map(len, hands)) <= MAX_CARDS:
        raise InputError(f"a deal of {sum(map(len, hands))} cards; give 1 to {MAX_CARDS}")
    return tuple(hands)


def hand_text(hand: bytes) -> str:
    """Write card values in the notation, in order."""
    return "".join(SYMBOLS[value] for value in hand)


def hands_text(hands: Sequence[bytes]) -> str:
    """Write the hands of a deal, ``/`` between them."""
    return "/".join(map(hand_text, hands))


def shorten(text: str, width: int = 60) -> str:
    """Quote what a user gave, cut to `width` characters, for an error message."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")
