"""Periods of loops by formula, and the permutations that the formulas speak of.

On an alternating loop of two queues, and on a rigid loop of three, who wins which turn depends on
the sizes alone. After two (three) turns the sizes are back and the cards have been permuted by a
fixed permutation sigma of the places, so the period is two (three) times the order of sigma.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, factorial, lcm
from typing import NamedTuple

from bmn.errors import InputError
from bmn.sedaps.rule import State, deck


def check_two_queue(cards: int, alpha: int) -> None:
    """Raise `InputError` unless an alternating loop could have these sizes."""
    if cards < 3 or cards % 2 == 0 or not 1 <= alpha <= cards - 2:
        raise InputError(
            f"two queues with {cards} cards and alpha {alpha} cannot alternate; "
            "give an odd number of cards and alpha from 1 to 2 less"
        )


def two_queue_period(cards: int, alpha: int) -> int:
    """Return the period of an alternating loop of two queues.

    Parameters
    ----------
    cards
        The size of the deck, odd.
    alpha
        Cards of a queue when it is about to win; even. (Where alpha is odd sigma is one cycle, so
        every card would have to win and to lose at the same place, and there is no loop.)

    Raises
    ------
    InputError
        If no alternating loop could have these sizes.
    """
    check_two_queue(cards, alpha)
    if alpha % 2:
        raise InputError(f"alpha {alpha} is odd, so there is no alternating loop; give an even one")
    return 2 * lcm(alpha // 2, (cards + 1) // 2, (cards - 1 - alpha) // 2)


def two_queue_sigma(cards: int, alpha: int) -> list[int]:
    """Return where each place's card comes from after two turns of an alternating loop."""
    check_two_queue(cards, alpha)
    return _permute([alpha, cards - alpha], [0, 1])


def cycle_lengths(permutation: Sequence[int]) -> list[int]:
    """Return the lengths of a permutation's cycles, sorted."""
    lengths, seen = [], set()
    for start in range(len(permutation)):
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            place = permutation[place]
            length += 1
        if length:
            lengths.append(length)
    return sorted(lengths)


class RigidShape(NamedTuple):
    """Sizes on a rigid loop of three queues, at a turn that queue A wins.

    Attributes
    ----------
    packets
        Whole packets of A, B and C, at least one each; the deck has 3 times as many cards as
        packets, and three more.
    clockwise
        Whether the queues win in the order A B C; else A C B.
    """

    packets: tuple[int, int, int]
    clockwise: bool

    @property
    def cards(self) -> int:
        """The size of the deck."""
        return 3 * sum(self.packets) + 3

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Cards in each queue: whole packets, and as many free cards as turns until it wins."""
        a, b, c = self.packets
        return (3 * a, 3 * b + 1, 3 * c + 2) if self.clockwise else (3 * a, 3 * b + 2, 3 * c + 1)

    @property
    def period(self) -> int:
        """The period by the formula."""
        a, b, c = self.packets
        if self.clockwise:
            return 3 * lcm(a, b, c, a + b + 1, b + c + 1, c + a + 1)
        return 3 * lcm(a, b, c, sum(self.packets) + 1, sum(self.packets) + 2)

    @property
    def sigma(self) -> list[int]:
        """Where each place's card comes from after three turns."""
        return _permute(list(self.sizes), [0, 1, 2] if self.clockwise else [0, 2, 1])

    @property
    def state(self) -> State:
        """A state of the shape whose packet heads are the largest cards of the deck."""
        small = iter(deck(self.cards))
        large = iter(reversed(deck(self.cards)))
        return tuple(
            tuple(next(large if (size - place) % 3 == 0 else small) for place in range(size))
            for size in self.sizes
        )


def rigid_shapes(cards: int) -> list[RigidShape]:
    """List the rigid shapes of a deck whose size is a multiple of 3."""
    whole = cards // 3 - 1
    return [
        RigidShape((a, b, whole - a - b), clockwise)
        for clockwise, a, b in product((True, False), range(1, whole), range(1, whole))
        if a + b < whole
    ]


def top_headed_states(cards: int) -> int:
    """Count the states on rigid loops whose packet heads are the largest cards of the deck.

    Heads larger than every other card always win, so any arrangement of the heads over their
    places and of the others over theirs is on a loop: three phases, two directions, and the ways
    to split the packets over the queues.
    """
    whole = cards // 3 - 1
    return 6 * comb(whole - 1, 2) * factorial(whole) * factorial(2 * whole + 3)


def _permute(sizes: list[int], winners: list[int]) -> list[int]:
    """Play the turns that these seats win on places, and return the place each card came from."""
    places = iter(range(sum(sizes)))
    queues = [[next(places) for _ in range(size)] for size in sizes]
    seats = len(sizes)
    for won in winners:
        pot = [queues[(won + step) % seats].pop(0) for step in range(seats)]
        queues[won] += pot
    return [place for queue in queues for place in queue]
