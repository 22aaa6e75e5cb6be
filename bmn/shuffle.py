"""From a seed to a deal, in plain Python: splitmix64 driving a Fisher-Yates shuffle."""

from __future__ import annotations

from bmn.cards import STANDARD, Deal, Deck
from bmn.errors import InputError, whole

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix64(z: int) -> int:
    """Scramble 64 bits: the finaliser of splitmix64 (Steele, Lea and Flood, 2014)."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def deal_seed(seed: int, deck: Deck = STANDARD) -> Deal:
    """Shuffle the deck by a seed and deal the cards alternately.

    Parameters
    ----------
    seed
        0 to 2**64 - 1.
    deck
        Shuffled from card order: plain cards first, then J, Q, K, A.

    Returns
    -------
    Deal
        Even positions of the shuffled deck to the first hand, odd ones to the second.

    Raises
    ------
    InputError
        If the seed does not fit in 64 bits.
    """
    cards = shuffle_deck(seed, deck)
    return Deal(cards[0::2], cards[1::2])


def shuffle_deck(seed: int, deck: Deck = STANDARD) -> bytes:
    """Shuffle the deck by a seed; the arguments are those of `deal_seed`.

    Returns
    -------
    bytes
        The card values in the order they are dealt.
    """
    state = check_seed(seed)
    cards = bytearray(deck.cards)
    for i in range(len(cards) - 1, 0, -1):
        state = state + GOLDEN & MASK
        j = (mix64(state) >> 32) * (i + 1) >> 32
        cards[i], cards[j] = cards[j], cards[i]
    return bytes(cards)


def check_seed(seed: int) -> int:
    """Return the seed, or raise `InputError` if it is not a 64-bit unsigned number."""
    seed = whole(seed, "a seed")
    if not 0 <= seed <= MASK:
        raise InputError(f"the seed {seed} is out of range; seeds are 0 to {MASK}")
    return seed


def fingerprint(seed: int, tricks: int, card_plays: int, winner: int) -> int:
    """One game's share of the order-independent fingerprint: add them up mod 2**64."""
    return mix64(seed * GOLDEN + (tricks << 32 | card_plays << 1 | winner) & MASK)
