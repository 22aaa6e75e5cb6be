"""The battery: two implementations, one contract.

Each row is a set of deals, played by every kernel of the engine this CPU can run and by the slow
reference. The row is green if all fingerprints are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bmn import checks, reference, shuffle
from bmn.cards import STANDARD, Deal, Deck
from bmn.game import DEFAULT_CAP, Game
from bmn.known import deal_of, known_deals
from bmn.store import Columns

ACE = 4


@dataclass(frozen=True)
class Row:
    """A set of deals: those of a range of seeds, or stated ones (``deck`` is None).

    A stated deal takes its place in the list for a seed.
    """

    name: str
    cap: int
    deck: Deck | None
    first_seed: int = 0
    seeds: int = 0
    stated: tuple[Deal, ...] = ()

    @classmethod
    def seeded(
        cls, name: str, first: int, seeds: int, *, cap: int = DEFAULT_CAP, deck: Deck = STANDARD
    ) -> Row:
        """Make a row of the deals of a range of seeds."""
        return cls(name, cap, deck, first, seeds)

    @classmethod
    def of(cls, name: str, stated: Sequence[Deal], *, cap: int = DEFAULT_CAP) -> Row:
        """Make a row of stated deals."""
        return cls(name, cap, None, 0, len(stated), tuple(stated))

    def deals(self) -> Iterator[tuple[int, Deal]]:
        """Yield every deal with its seed."""
        if self.deck is None:
            yield from enumerate(self.stated)
        else:
            for seed in range(self.first_seed, self.first_seed + self.seeds):
                yield seed, shuffle.deal_seed(seed, self.deck)

    @property
    def has_ace(self) -> bool:
        """Whether any deal of the row holds an Ace."""
        if self.deck is not None:
            return self.deck.A > 0
        return any(ACE in deal.first + deal.second for deal in self.stated)


def rows() -> tuple[Row, ...]:
    """Return the rows: ranges of seeds, single seeds, other decks, small caps, stated deals."""
    known = known_deals()
    ending = [deal_of(entry) for entry in known if entry["terminates"]]
    endless = [deal_of(entry) for entry in known if not entry["terminates"]]
    return (
        Row.seeded("seeds from 0", 0, 3000),
        Row.seeded("seeds from 2^40", 1 << 40, 1000),
        Row.seeded("seeds from 2^63", 1 << 63, 1000),
        Row.seeded("the last 1000 seeds", (1 << 64) - 1000, 1000),
        Row.seeded("seed 13750259", 13_750_259, 1),
        Row.seeded("seed 2^64 - 1", (1 << 64) - 1, 1),
        Row.seeded("cap of 1 trick", 7000, 300, cap=1),
        Row.seeded("cap of 2 tricks", 8000, 300, cap=2),
        Row.seeded("cap of 40 tricks", 9000, 500, cap=40),
        Row.seeded("40 cards, no Aces (Camicia)", 0, 500, cap=3000, deck=Deck(28, 4, 4, 4, 0)),
        Row.seeded("half deck", 0, 1000, cap=3000, deck=Deck(18, 2, 2, 2, 2)),
        Row.seeded("four Aces in 52", 0, 500, cap=300, deck=Deck(48, 0, 0, 0, 4)),
        Row.seeded("one of each in 52", 0, 300, cap=1000, deck=Deck(48, 1, 1, 1, 1)),
        Row.seeded("14 cards", 0, 2000, cap=300, deck=Deck(8, 2, 2, 2, 0)),
        Row.seeded("15 cards, uneven hands", 0, 2000, cap=300, deck=Deck(7, 2, 2, 2, 2)),
        Row.seeded("two packs", 0, 100, cap=3000, deck=Deck(72, 8, 8, 8, 8)),
        Row.of("known deals that end", ending),
        Row.of("known deals that never end", endless, cap=500),
    )


def reference_fingerprint(row: Row, play: Callable[..., Game] = reference.play) -> int:
    """Play a row with the reference, or with another function that plays a deal to a cap."""
    games = ((seed, play(deal, cap=row.cap)) for seed, deal in row.deals())
    shares = (shuffle.fingerprint(seed, g.tricks, g.card_plays, g.winner) for seed, g in games)
    return sum(shares) & shuffle.MASK


def engine_fingerprint(row: Row, kernel: str) -> int:
    """Play a row with one kernel of the engine.

    Raises
    ------
    RuntimeError
        If the engine counts a violation of its invariants.
    """
    from bmn import _engine

    if row.deck is not None:
        lengths = _engine.search(row.first_seed, row.seeds, row.cap, kernel, row.deck).lengths
        if lengths["violations"].any():
            raise RuntimeError(f"kernel {kernel} broke an invariant on {row.name}")
        return int(np.sum(lengths["fingerprint"], dtype=np.uint64))
    total = 0
    for seed, deal in row.deals():
        tricks, card_plays, winner, _, violations = _engine.play(*deal, row.cap, kernel)
        if violations:
            raise RuntimeError(f"kernel {kernel} broke an invariant on {deal}")
        total += shuffle.fingerprint(seed, tricks, card_plays, winner)
    return total & shuffle.MASK


def check() -> Columns:
    """Play every row with the reference and with every kernel this CPU can run."""
    from bmn import _engine

    table = []
    for row in rows():
        expected = reference_fingerprint(row)
        # One value where all kernels agree, so that the table is the same on every machine.
        found = sorted({engine_fingerprint(row, kernel) for kernel in _engine.kernels()})
        about = {"deals": row.seeds, "first_seed": row.first_seed, "cap": row.cap}
        table.append(
            checks.row(row.name, f"{expected:016x}", " ".join(f"{f:016x}" for f in found), **about)
        )
    return checks.table(table)
