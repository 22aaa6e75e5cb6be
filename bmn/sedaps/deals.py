"""Deals of the three-queue War: seeded, by the two generators its claims use, and its probes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bmn.errors import InputError
from bmn.sedaps.rule import State, deck

MASK = 0xFFFFFFFF

PYTHON_SEED = 510053
"""The seed of the turn-85 deal: CPython's ``random.Random``, not mulberry32."""

PROBES = 3000
"""States of each of the two probes at 51 cards."""


def mulberry32(seed: int) -> Iterator[int]:
    """Yield 32-bit numbers of Tommy Ettinger's mulberry32 generator."""
    state = seed & MASK
    while True:
        state = state + 0x6D2B79F5 & MASK
        z = (state ^ state >> 15) * (state | 1) & MASK
        z ^= z + ((z ^ z >> 7) * (z | 61) & MASK) & MASK
        yield z ^ z >> 14


def deal_round(cards: Sequence[int], seats: int = 3) -> State:
    """Deal the cards one at a time: card k of the pack goes to queue k mod `seats`."""
    return tuple(tuple(cards[seat::seats]) for seat in range(seats))


def deal_seed(seed: int, cards: int = 51, seats: int = 3) -> State:
    """Shuffle the deck with mulberry32 (Fisher-Yates from the top) and deal it.

    Parameters
    ----------
    seed
        0 to 2**32 - 1.
    cards
        The size of the deck.
    seats
        Two or three queues.

    Raises
    ------
    InputError
        If the seed or the number of cards is out of range.
    """
    if not 0 <= seed <= MASK:
        raise InputError(f"the seed {seed} is out of range; seeds are 0 to {MASK}")
    pack = list(deck(cards))
    numbers = mulberry32(seed)
    for i in range(cards - 1, 0, -1):
        j = next(numbers) * (i + 1) >> 32
        pack[i], pack[j] = pack[j], pack[i]
    return deal_round(pack, seats)


def deal_python(seed: int, cards: int = 51, seats: int = 3) -> State:
    """Shuffle the ascending deck with CPython's ``random.Random(seed)`` and deal it."""
    pack = list(deck(cards))
    random.Random(seed).shuffle(pack)
    return deal_round(pack, seats)


def sweep_seed(k: int, cards: int) -> int:
    """Return the seed of the k-th deal of the deck sweep at this size."""
    return k * 7919 + cards


def probe_states() -> tuple[list[State], list[State]]:
    """Return the probes at 51 cards: random synchronised states, then random deals.

    Both come from one ``random.Random(51)``. A synchronised state splits 17 packets over the
    three queues at random; each packet is led by its largest card.
    """
    numbers = random.Random(51)
    pack = list(range(51))
    cards = deck(51)
    synchronised = []
    for _ in range(PROBES):
        first, second = sorted(numbers.sample(range(1, 17), 2))
        pack = list(range(51))
        numbers.shuffle(pack)
        packets = []
        for i in range(0, 51, 3):
            head, *rest = sorted(pack[i : i + 3], reverse=True)
            numbers.shuffle(rest)
            packets.append((head, *rest))
        cuts = (0, first, second, 17)
        synchronised.append(
            tuple(
                tuple(cards[rank] for packet in packets[a:b] for rank in packet)
                for a, b in pairwise(cuts)
            )
        )
    dealt = []
    for _ in range(PROBES):
        pack = list(range(51))
        numbers.shuffle(pack)
        ordered = [cards[rank] for rank in pack]
        dealt.append((tuple(ordered[:17]), tuple(ordered[17:34]), tuple(ordered[34:])))
    return synchronised, dealt
