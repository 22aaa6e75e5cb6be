"""Periodic pieces: the stretches of cards from which games that never end are put together.

`docs/science.md` says what a piece is, and proves that pieces do not influence each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np

from bmn.cards import STANDARD, SYMBOLS, Deck, hand_text, shorten
from bmn.errors import InputError
from bmn.explore.columns import columns
from bmn.store import Columns

if TYPE_CHECKING:
    import pandas as pd

KIND_COLUMNS = ("plain", "J", "Q", "K", "A")

COLUMNS = {
    "head": object,
    "spare": np.uint8,
    "piece": object,
    **dict.fromkeys(KIND_COLUMNS, np.uint8),
    "passes": np.uint32,
    "tricks": np.uint32,
    "card_plays": np.uint32,
    "reach": np.uint32,
    "orbit": object,
}
"""Columns of the table of pieces."""

MOST_CARDS = 55
"""The largest head and pieces together, in cards: what the kernel's words hold."""


@dataclass(frozen=True)
class Tape:
    """What pieces are read from: a head, and spare plain cards at the end of the tape.

    Attributes
    ----------
    head
        The small hand between two pieces, like ``J-``.
    spare
        Plain cards left over at the end of the tape; a piece begins with as many.
    deck
        All cards of the cycles to be made.
    """

    head: str = "J-"
    spare: int = 1
    deck: Deck = STANDARD

    def __post_init__(self) -> None:
        if not self.head or set(self.head) - set(SYMBOLS):
            raise InputError(
                f"the head {shorten(self.head)} is not a hand; write cards like J- or Q--"
            )
        if min(self.target) < 0 or self.spare < 0 or self.deck.size > MOST_CARDS:
            raise InputError(
                f"the head {self.head} and {self.spare} spare cards cannot be taken from the "
                f"{self.deck}; choose fewer, and a deck of at most {MOST_CARDS} cards"
            )

    @property
    def cards(self) -> bytes:
        """The head as card values."""
        return bytes(SYMBOLS.index(card) for card in self.head)

    @property
    def target(self) -> tuple[int, ...]:
        """How many cards of each kind the pieces of a cycle have together, plain first."""
        left = [count - self.cards.count(kind) for kind, count in enumerate(self.deck)]
        left[0] -= self.spare
        return tuple(left)

    @property
    def about(self) -> dict:
        """What a file of these pieces says of itself."""
        return {"head": self.head, "spare": self.spare, "deck": list(self.deck)}

    def rules(self):
        """Return the kernel's form of these rules."""
        from bmn.explore import _pieces

        return _pieces.Rules(self.cards, self.spare, self.target)


@dataclass(frozen=True)
class Trials:
    """A stretch of random changes.

    Attributes
    ----------
    seed
        Which random numbers are used.
    trials
        How many changes are tried.
    reach
        Only pieces whose head reaches so far are changed.
    """

    seed: int
    trials: int
    reach: int


def pieces(
    head: str = "J-",
    spare: int = 1,
    *,
    deck: Deck | Sequence[int] | Mapping[str, int] = STANDARD,
    lag: int = 5,
    trials: int = 1_000_000,
) -> pd.DataFrame:
    """Find periodic pieces.

    Parameters
    ----------
    head
        The small hand that reads, top card first.
    spare
        Spare plain cards at the end of the tape.
    deck
        No piece has more cards of a kind than the deck beside the head and the spare cards.
    lag
        All pieces that come back after one pass are found in which at no time more penalty
        cards than this are read that have not yet come back; and those of two and three passes
        with lags smaller by one and two. Each step costs some ten times as much: 5 a second.
    trials
        Random changes of known pieces that are then tried.

    Returns
    -------
    pandas.DataFrame
        A row for each piece, in the order of the words: ``head``, ``spare``; ``piece``, the
        smallest of its phases; its cards by kind; ``passes`` until it comes back and their
        ``tricks`` and ``card_plays``; ``reach``, the most cards that the head has between two
        tricks; ``orbit``, all its phases.

    Raises
    ------
    InputError
        If the head is no hand or the deck too small or too large for it.

    Examples
    --------
    >>> table = pieces(lag=3, trials=0)
    >>> table[["piece", "passes", "tricks"]].head(2).values.tolist()
    [['--------A-KAAJ', 2, 10], ['--------A-KKAJ', 2, 10]]
    """
    import pandas as pd

    from bmn.explore import _pieces

    tape = Tape(head, spare, Deck.parse(deck))
    found = [
        _pieces.sweep(tape.rules(), passes, lag + 1 - passes)[0]
        for passes in (1, 2, 3)
        if lag + 1 > passes
    ]
    pool = change(tape, join(found), [Trials(0, trials, 0)])
    return pd.DataFrame(table(tape, pool))


def join(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Join pieces, each once, in the order of their words."""
    from bmn.explore import _pieces

    pool = np.concatenate([np.empty(0, _pieces.PIECE), *parts])
    _, first = np.unique(pool[["cards", "values"]], return_index=True)
    return pool[first]


def change(tape: Tape, pool: np.ndarray, stretches: Iterable[Trials], limit: int = 1 << 22):
    """Look for new pieces by changing known ones; the result is sorted like that of `join`.

    Parameters
    ----------
    tape
        Head and spare cards.
    pool
        Known pieces, ``_pieces.PIECE``.
    stretches
        What is tried, one after another.
    limit
        The most pieces there may be.
    """
    from bmn.explore import _pieces

    for s in stretches:
        pool, _ = _pieces.mutate(pool, tape.rules(), s.seed, 0, s.trials, s.reach, limit)
    return join([pool])


def table(tape: Tape, pool: np.ndarray) -> Columns:
    """Write pieces as a table with the columns `COLUMNS`."""
    from bmn.explore import _pieces

    words = _pieces.words(pool)
    order = sorted(range(len(pool)), key=words.__getitem__)
    rows = [
        (
            tape.head,
            tape.spare,
            hand_text(words[i]),
            *Deck.of(words[i]),
            *(pool[i][name] for name in ("passes", "tricks", "card_plays", "reach")),
            " ".join(map(hand_text, _pieces.phases(pool[i], tape.rules()))),
        )
        for i in order
    ]
    return columns(rows, COLUMNS)


def from_table(tape: Tape, written: Columns) -> np.ndarray:
    """Read pieces back from a table; every one is tested again.

    Raises
    ------
    InputError
        If a word is not a periodic piece.
    """
    from bmn.explore import _pieces

    words = [bytes(SYMBOLS.index(card) for card in word) for word in written["piece"]]
    pool = _pieces.test(words, tape.rules())
    if len(pool) != len(words):
        raise InputError(
            f"{len(words) - len(pool)} of {len(words)} words are not pieces for the head "
            f"{tape.head} with {tape.spare} spare cards, or are there twice"
        )
    return pool


def compositions(tape: Tape, pool: np.ndarray, reach: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield every choice of pieces that have together just the cards of the deck.

    Parameters
    ----------
    tape
        Head, spare cards and deck.
    pool
        Pieces.
    reach
        Only choices in which some piece's head reaches so far.

    Yields
    ------
    tuple of int
        Indices of pieces, equal ones as often as they are taken, in ascending order within
        pieces of the same cards.
    """
    from bmn.explore import _pieces

    kinds: dict[tuple[int, ...], list[int]] = {}
    for index, word in enumerate(_pieces.words(pool)):
        kinds.setdefault(tuple(Deck.of(word)), []).append(index)
    reaches = pool["reach"].tolist()
    for solution in _fill(tape.target, sorted(kinds, reverse=True)):
        choices = [
            combinations_with_replacement(kinds[counts], times)
            for counts, times in Counter(solution).items()
        ]
        for parts in product(*choices):
            taken = tuple(chain(*parts))
            if max(reaches[index] for index in taken) >= reach:
                yield taken


def _fill(target: tuple[int, ...], kinds: list[tuple[int, ...]]) -> Iterator[tuple]:
    """Yield every way to write the target as a sum of kinds, in the order of the list."""
    if not any(target):
        yield ()
        return
    for at, counts in enumerate(kinds):
        if all(need <= have for need, have in zip(counts, target, strict=True)):
            left = tuple(have - need for need, have in zip(counts, target, strict=True))
            for rest in _fill(left, kinds[at:]):
                yield (counts, *rest)
